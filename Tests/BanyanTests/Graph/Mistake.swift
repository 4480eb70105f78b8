import Banyan
import Foundation
import Testing

/// A mistake that no compiler can see, and the error it must end in.
struct Mistake: CustomTestStringConvertible, Sendable {
    var name: String
    var code: BanyanError.Code
    var type: String
    var property: String?
    /// Whether there is an object to be named.
    var namesObject = true
    var make: @Sendable (Graph, World) throws -> Void

    var testDescription: String { name }

    init(
        _ name: String, _ code: BanyanError.Code, _ type: String, _ property: String? = nil, namesObject: Bool = true,
        _ make: @escaping @Sendable (Graph, World) throws -> Void
    ) {
        self.name = name
        self.code = code
        self.type = type
        self.property = property
        self.namesObject = namesObject
        self.make = make
    }

    static let models: [ObjectBase.Type] = [Owner.self, Register.self]

    static let all: [Mistake] = gone + strangers + keys + owned + places + ranges + sizes + types

    /// What the mistakes are made with.
    struct World {
        let owner: Owner
        let hound: Hound
        let abode: Abode
        let register: Register
        /// Deleted in an earlier write.
        let gone: Hound
        let goneRegister: Register
        /// Managed by another store.
        let foreign: Hound
        let text: Owner

        init(_ graph: Graph) throws {
            owner = Owner(1, "owner")
            hound = Hound("hound")
            gone = Hound("gone")
            text = Owner(2, "second")
            register = Register("one", 1)
            register.lines.append(objectsIn: ["a", "b", "c"])
            register.marks.insert("m")
            register.entries["key"] = "value"
            goneRegister = Register("gone", 9)
            owner.hounds.append(hound)
            owner.abode = Abode("Oslo")
            owner.abode?.inner = Abode("cellar")
            owner.formerAbodes.append(Abode("Rome"))
            foreign = try kinGraph().added(Hound("foreign"))
            let (owner, text, gone, register, other) = (owner, text, gone, register, goneRegister)
            try graph.write {
                try graph.add([owner, text])
                try graph.add(gone)
                try graph.add([register, Register("two", 2), other])
            }
            try graph.write {
                graph.delete(gone)
                graph.delete(other)
            }
            abode = try #require(owner.abode)
        }
    }
}

/// What owners and hounds do not have: a key that is text, unique values, lists and sets and maps of texts.
@Model class Register: Object {
    @Persisted(primaryKey: true) var code = ""
    @Persisted(unique: true) var number = 0
    @Persisted var title: String?
    @Persisted var picture = Data()
    @Persisted var lines: List<String>
    @Persisted var marks: MutableSet<String>
    @Persisted var entries: Map<String, String>

    convenience init(_ code: String, _ number: Int) {
        self.init()
        self.code = code
        self.number = number
    }
}
