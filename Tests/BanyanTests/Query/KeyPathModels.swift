import Banyan

enum Temper: String, PersistableEnum {
    case calm, wild
}

@Model class Roost: EmbeddedObject {
    @Persisted var height = 0
    @Persisted var wood: String?
    @Persisted var above: Roost?

    var deadly: Int { fatalError("a computed property was read") }
}

@Model class Aviary: Object {
    @Persisted var label = ""
    @Persisted var keeper: Warden?
}

@Model class Warden: Object {
    @Persisted var name = ""
    @Persisted var boss: Warden?
}

protocol OfAge {
    var age: Int { get }
}

/// Each of its computed properties ends the process when it is read.
@Model class Cockatoo: Object, OfAge {
    @Persisted var id = 0
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var nick: String?
    @Persisted var mood = Temper.calm
    @Persisted var any: AnyValue
    @Persisted var mate: Cockatoo?
    @Persisted var perch: Roost?
    @Persisted(deleteRule: .cascade) var cage: Aviary
    @Persisted var chicks: List<Cockatoo>
    @Persisted var numbers: List<Int>
    @Persisted(originProperty: "mate") var admirers: LinkingObjects<Cockatoo>
    @Persisted private var secret = 0

    /// The key path of a property that others cannot name.
    static var secretPath: PartialKeyPath<Cockatoo> { \.secret }

    required init() {
        super.init()
        cage = Aviary()
    }

    static func dies() -> Never { fatalError("a computed property was read") }

    var unwraps: Int { nick!.count + Int(mate!.name)! }
    var indexes: Int { numbers[7] }
    var writes: Int {
        age = 3
        return age
    }
    var deadly: Int { Self.dies() }
    var deadlyText: String { Self.dies() }
    var deadlyNote: String? { Self.dies() }
    var deadlyMood: Temper { Self.dies() }
    var deadlyAny: AnyValue { Self.dies() }
    var isDeadly: Bool { Self.dies() }
    var deadlyMate: Cockatoo? { Self.dies() }
    var deadlyCage: Aviary { Self.dies() }
    var deadlyChicks: List<Cockatoo> { Self.dies() }
    var deadlyNumbers: List<Int> { Self.dies() }
}

@Model class Macaw: Cockatoo {
    @Persisted var plumes = 0

    var deadlyPlumes: Int { Self.dies() }
}

@Model final class RedMacaw: Macaw {
    override var name: String {
        get { Self.dies() }
        set {}
    }
    @Persisted var red = 0
}

@Model class UnknownCockatoo: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
}
