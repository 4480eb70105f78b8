import Foundation
public import MockRuntime

// Models as users write them, in a module that is not the runtime's. They are compiled with warnings as errors.

@Model class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var dogs: List<Dog>
    @Persisted var address: Address?
    @Persisted(originProperty: "members") var clubs: LinkingObjects<DogClub>
}

@Model class Address: EmbeddedObject {
    @Persisted var city = "Oslo"
    @Persisted var street: String?
}

/// Links that are never nil, an embedded object that may hold its own kind, and the forms a detached value takes.
@Model class Membership: Object, Codable {
    @Persisted(deleteRule: .cascade) var member: Person
    @Persisted(deleteRule: DeleteRule.deny, name: "club_id") var club: DogClub
    @Persisted var since: Branch?
    @Persisted var parent: Membership?
    @Persisted var notes: Map<String, String?>
    @Persisted var sisters: List<Membership>
    @Persisted var byName: Map<String, Membership?>
    @Persisted var codes: MutableSet<Int>
    @Persisted var guess = 3 * 7
    @Persisted private var secret = Int?.none

    enum CodingKeys: String, CodingKey { case since = "from", `guess`, notes }
    required init(from decoder: any Decoder) throws { super.init() }
    func encode(to encoder: any Encoder) throws {}
}

@Model class Branch: EmbeddedObject {
    @Persisted var name = ""
    @Persisted var inner: Branch?
}

@Model class DogClub: Object {
    @Persisted(indexed: .ordered, unique: true, name: "title") var name = "Club"
    @Persisted(deleteRule: .deny) var members: List<Person>
}

@Model open class Dog: MockRuntime.Object {
    @Persisted public var name = "Rex"
    @Persisted public internal(set) var age: Int8 = 0
}

@Model(indexes: [["name", "weeks"], ["age", "born"]], unique: [["weeks", "name"]])
public class Puppy: Dog {
    @Persisted public var weeks: Int = 8
    @Persisted var born: Date
    @Persisted(inverseOf: \Kennel.puppies) var kennels: LinkingObjects<Kennel>
}

/// Names that are keywords, collections with empty defaults, private properties, all initialisers written by hand.
@Model final class Kennel: Object {
    @Persisted var puppies = List<Puppy>()
    @Persisted var tags: MutableSet<String> = .init()
    @Persisted var `default` = false
    @Persisted var `self`: Double = 1.5
    @Persisted var `init`: Int? = 7
    @Persisted var `two words`: Int? = nil
    @Persisted private var secret: [String].Element = "x"

    var cache: [String: Int] = [:]
    let note: String
    var shown: String { note + secret }

    init(note: String) {
        self.note = note
        super.init()
        self.secret = note
    }

    convenience init(copying other: Kennel) {
        self.init(note: other.note)
    }

    required init() {
        note = "none"
        super.init()
    }

    required init(_$binding: _ObjectBinding) {
        note = "live"
        super.init(_$binding: _$binding)
    }
}

@Model package class Shelf: Object {
    @Persisted package var title = ""
    package var position = 3

    package init(title: String) {
        super.init()
        self.title = title
    }
}

@Model public final class Tool: Object {
    @Persisted public var title = ""

    public init(title: String) {
        super.init()
        self.title = title
    }

    public convenience init(copying other: Tool) {
        self.init(title: other.title)
    }
}

@Model private class Hidden: Object {
    @Persisted var number = 3 * 7
    @Persisted private var text = "a"
    @Persisted fileprivate var list: List<Hidden>
    @Persisted(originProperty: "list") var owners: LinkingObjects<Hidden>
}

func hiddenNumber() -> Int { Hidden().number }

public enum Zoo {
    @Model public class Animal: Object {
        @Persisted public var legs = 4
        #if !NEVER
            @Persisted public var kept = "yes"
        #else
            @Persisted public var dropped = 1.0
        #endif
        @Persisted public var last = true
        #if NEVER
            init(never: Int) {}
        #endif
    }
}

public extension Zoo {
    /// Public because of the extension, and so are the members that override.
    @Model class Keeper: Object {
        @Persisted var animals: List<Animal>
        init(name: String) { super.init() }
    }
}

@Model class Empty: Object {}

@Model class Shape: Empty {
    @Persisted var sides = { 1 + 2 }()
}

typealias BaseModel = Object

@Model class Aliased: BaseModel {
    @Persisted var zero: Double = 0
    @Persisted var one: Double = 1
}
