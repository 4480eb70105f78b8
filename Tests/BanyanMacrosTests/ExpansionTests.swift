import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import BanyanMacros

/// `@Model` without the detached value, which `RuntimeTests` compiles and runs.
private struct StorageMacro: MemberMacro {
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        ModelMacro.describe(declaration, node, in: context).map { ModelMacro.storage(of: $0, in: context) } ?? []
    }
}

private let storageSpecs: [String: MacroSpec] = [
    "Model": MacroSpec(type: StorageMacro.self), "Persisted": MacroSpec(type: PersistedMacro.self),
]

@Suite struct ExpansionTests {
    @Test("A model of every form of property expands to slots, descriptors and defaults")
    func model() {
        expectExpansion(
            #"""
            @Model class Person: Object {
                @Persisted(primaryKey: true) var id = 0
                @Persisted(indexed: true) var name = "Ada"
                @Persisted var dogs: List<Dog>
                @Persisted var best: Kennel.Dog?
                @Persisted(originProperty: "members") var clubs: LinkingObjects<DogClub>
            }
            """#,
            #"""
            class Person: Object {
                var id {
                    get { _$get(_$Slot.id) }
                    set { _$set(_$Slot.id, newValue) }
                }
                var name {
                    get { _$get(_$Slot.name) }
                    set { _$set(_$Slot.name, newValue) }
                }
                var dogs: List<Dog> {
                    get { _$get(_$Slot.dogs) }
                    set { _$set(_$Slot.dogs, newValue) }
                }
                var best: Kennel.Dog? {
                    get {
                #sourceLocation(file: "test.swift", line: 5)
                                   _$getOptional(_$Slot.best)
                #sourceLocation()
                    }
                    set { _$setOptional(_$Slot.best, newValue) }
                }
                var clubs: LinkingObjects<DogClub> {
                    @inline(__always) get {
                #sourceLocation(file: "test.swift", line: 6)
                                                              _$getInverse(_$Slot.clubs, of: self, \DogClub.members)
                #sourceLocation()
                    }
                }

                private enum _$Slot {
                    @inline(__always) static var id: Int { 0 }
                    @inline(__always) static var name: Int { 1 }
                    @inline(__always) static var dogs: Int { 2 }
                    @inline(__always) static var best: Int { 3 }
                    @inline(__always) static var clubs: Int { 4 }
                }

                private static func _$describe(_ model: inout _ModelDescription<Person>) {
                    model.property("id", \Person.id, primaryKey: true, hasDefault: true)
                    model.property("name", \Person.name, indexed: .hash, hasDefault: true)
                    model.property("dogs", \Person.dogs)
                    model.property("best", \Person.best)
                    model.inverse("clubs", \Person.clubs, originProperty: "members")
                }

                private static let _$ownModel: _ObjectModel = _ObjectModel(
                    Person.self, name: "Person", superclass: Object.self, _$describe, keyPaths: _$keyPaths)

                static func _$keyPaths<_$Root: Person>(_ paths: inout _KeyPaths<_$Root>) {
                    paths.add(\_$Root.id, \_$Root?.?.id)
                    paths.add(\_$Root.name, \_$Root?.?.name)
                    paths.add(\_$Root.dogs, \_$Root?.?.dogs)
                    paths.add(\_$Root.best, \_$Root?.?.best)
                    paths.add(\_$Root.clubs, \_$Root?.?.clubs)
                }

                override class var _$model: _ObjectModel { _$ownModel }

                override func _$initializeDefaults() {
                    super._$initializeDefaults()
                #sourceLocation(file: "test.swift", line: 3)
                                                  self.name = "Ada"
                #sourceLocation()
                }
            }
            """#)
    }

    @Test("Indexes of several properties are named for the runtime, and by key path for the compiler")
    func indexes() {
        expectExpansion(
            #"""
            @Model(indexes: [["last", "class"]], unique: [["id", "last"], ["class", "id"]]) class Person: Object {
                @Persisted var id = 0
                @Persisted var last = ""
                @Persisted var `class` = ""
            }
            """#,
            #"""
            class Person: Object {
                var id {
                    get { _$get(_$Slot.id) }
                    set { _$set(_$Slot.id, newValue) }
                }
                var last {
                    get { _$get(_$Slot.last) }
                    set { _$set(_$Slot.last, newValue) }
                }
                var `class` {
                    get { _$get(_$Slot.`class`) }
                    set { _$set(_$Slot.`class`, newValue) }
                }

                private enum _$Slot {
                    @inline(__always) static var id: Int { 0 }
                    @inline(__always) static var last: Int { 1 }
                    @inline(__always) static var `class`: Int { 2 }
                }

                private static func _$describe(_ model: inout _ModelDescription<Person>) {
                    model.property("id", \Person.id, hasDefault: true)
                    model.property("last", \Person.last, hasDefault: true)
                    model.property("class", \Person.`class`, hasDefault: true)
                #sourceLocation(file: "test.swift", line: 1)
                                 model.index(["last", "class"], [\Person.last, \Person.`class`])
                #sourceLocation()
                #sourceLocation(file: "test.swift", line: 1)
                                                              model.index(["id", "last"], [\Person.id, \Person.last], unique: true)
                #sourceLocation()
                #sourceLocation(file: "test.swift", line: 1)
                                                                              model.index(["class", "id"], [\Person.`class`, \Person.id], unique: true)
                #sourceLocation()
                }

                private static let _$ownModel: _ObjectModel = _ObjectModel(
                    Person.self, name: "Person", superclass: Object.self, _$describe, keyPaths: _$keyPaths)

                static func _$keyPaths<_$Root: Person>(_ paths: inout _KeyPaths<_$Root>) {
                    paths.add(\_$Root.id, \_$Root?.?.id)
                    paths.add(\_$Root.last, \_$Root?.?.last)
                    paths.add(\_$Root.`class`, \_$Root?.?.`class`)
                }

                override class var _$model: _ObjectModel { _$ownModel }
            }
            """#)
    }

    @Test("Below another model slots follow those of the superclass")
    func subclass() {
        expectExpansion(
            #"""
            @Model open class Puppy: Dog {
                @Persisted(indexed: .ordered, unique: true, name: "w") public var weeks: Int?
            }
            """#,
            #"""
            open class Puppy: Dog {
                public var weeks: Int? {
                    get { _$get(_$Slot.weeks) }
                    set { _$set(_$Slot.weeks, newValue) }
                }

                private enum _$Slot {
                    static let _$firstSlot: Int = Dog._$model.propertyCount
                    @inline(__always) static var weeks: Int { _$firstSlot + 0 }
                }

                private static func _$describe(_ model: inout _ModelDescription<Puppy>) {
                    model.property("weeks", \Puppy.weeks, indexed: .ordered, unique: true, storedName: "w")
                }

                private static let _$ownModel: _ObjectModel = _ObjectModel(
                    Puppy.self, name: "Puppy", superclass: Dog.self, _$describe, keyPaths: _$keyPaths)

                public static func _$keyPaths<_$Root: Puppy>(_ paths: inout _KeyPaths<_$Root>) {
                    Dog._$keyPaths(&paths)
                    paths.add(\_$Root.weeks, \_$Root?.?.weeks)
                }

                open override class var _$model: _ObjectModel { _$ownModel }
            }
            """#)
    }

    @Test("A class with a designated initialiser gets those it does not inherit then")
    func initializers() {
        expectExpansion(
            """
            @Model public class Tag: Banyan.EmbeddedObject {
                public init(x: Int) {
                    super.init()
                }
            }
            """,
            """
            public class Tag: Banyan.EmbeddedObject {
                public init(x: Int) {
                    super.init()
                }

                private static func _$describe(_ model: inout _ModelDescription<Tag>) {
                }

                private static let _$ownModel: _ObjectModel = _ObjectModel(
                    Tag.self, name: "Tag", superclass: Banyan.EmbeddedObject.self, _$describe, keyPaths: _$keyPaths)

                public static func _$keyPaths<_$Root: Tag>(_ paths: inout _KeyPaths<_$Root>) {
                }

                public override class var _$model: _ObjectModel { _$ownModel }

                public required init() { super.init() }

                public required init(_$binding: _ObjectBinding) { super.init(_$binding: _$binding) }
            }
            """)
    }

    @Test("Links that are never nil, and the class's own coding keys")
    func requiredAndKeys() {
        expectExpansion(
            #"""
            @Model final class Ticket: Object, Codable {
                @Persisted(deleteRule: .deny, name: "o") var owner: Person
                enum CodingKeys: String, CodingKey {
                    case owner = "o", `default`
                }
            }
            """#,
            #"""
            final class Ticket: Object, Codable {
                var owner: Person {
                    get {
                #sourceLocation(file: "test.swift", line: 2)
                                                                 _$getRequired(_$Slot.owner)
                #sourceLocation()
                    }
                    set { _$setRequired(_$Slot.owner, newValue) }
                }
                enum CodingKeys: String, CodingKey {
                    case owner = "o", `default`
                }

                private enum _$Slot {
                    @inline(__always) static var owner: Int { 0 }
                }

                private static func _$describe(_ model: inout _ModelDescription<Ticket>) {
                    model.required("owner", \Ticket.owner, deleteRule: .deny, storedName: "o")
                }

                private static let _$ownModel: _ObjectModel = _ObjectModel(
                    Ticket.self, name: "Ticket", superclass: Object.self, _$describe, keyPaths: _$keyPaths)

                static func _$keyPaths<_$Root: Ticket>(_ paths: inout _KeyPaths<_$Root>) {
                    paths.add(\_$Root.owner, \_$Root?.?.owner)
                }

                override class var _$model: _ObjectModel { _$ownModel }

                override class var _$isFinal: Bool { true }

                override class var _$codingKeys: _CodingKeys? {
                    _CodingKeys(Ticket.self, [("owner", CodingKeys.owner), ("default", CodingKeys.`default`)])
                }
            }
            """#)
    }

    private func expectExpansion(
        _ source: String, _ expanded: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) {
        assertMacroExpansion(
            source, expandedSource: expanded, macroSpecs: storageSpecs,
            failureHandler: { Issue.record("\($0.message)", sourceLocation: sourceLocation) })
    }
}
