import Banyan
import Foundation
import Testing

@Model class StringKeyed: Object {
    @Persisted(primaryKey: true) var id = ""
    @Persisted var value = 0
}
@Model class IntKeyed: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var value = 0
}
@Model class ByteKeyed: Object {
    @Persisted(primaryKey: true) var id: Int8 = 0
    @Persisted var value = 0
}
@Model class ShortKeyed: Object {
    @Persisted var before = ""
    @Persisted(primaryKey: true) var id: Int16?
    @Persisted var value = 0
}
@Model class WordKeyed: Object {
    @Persisted(primaryKey: true) var id: Int32 = 0
    @Persisted var value = 0
}
@Model class UUIDKeyed: Object {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var value = 0
}
@Model class ObjectIdKeyed: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var value = 0
}
@Model class OptionalStringKeyed: Object {
    @Persisted(primaryKey: true) var id: String?
    @Persisted var value = 0
}
@Model class OptionalUUIDKeyed: Object {
    @Persisted(primaryKey: true) var id: UUID?
    @Persisted var value = 0
}

/// What the test below needs of each of them.
protocol Keyed: Object {
    associatedtype Key: PrimaryKeyValue
    var id: Key { get set }
    var value: Int { get set }
    static var keys: [Key] { get }
}

extension StringKeyed: Keyed {
    static var keys: [String] {
        ["", "a", "A", "\0", "é", "e\u{301}", String(repeating: "k", count: 15), String(repeating: "k", count: 16)]
            + [String(repeating: "k", count: 17), String(repeating: "k", count: 5000)]
    }
}
extension IntKeyed: Keyed { static var keys: [Int] { [0, 1, -1, .min, .max] } }
extension ByteKeyed: Keyed { static var keys: [Int8] { [0, 1, -1, .min, .max] } }
extension ShortKeyed: Keyed { static var keys: [Int16?] { [nil, 0, -1, .min, .max] } }
extension WordKeyed: Keyed { static var keys: [Int32] { [0, 1, -1, .min, .max] } }
extension UUIDKeyed: Keyed { static var keys: [UUID] { (0..<5).map { _ in UUID() } } }
extension ObjectIdKeyed: Keyed { static var keys: [ObjectId] { (0..<5).map { _ in .generate() } } }
extension OptionalStringKeyed: Keyed {
    static var keys: [String?] { [nil, "", "a", String(repeating: "k", count: 16)] }
}
extension OptionalUUIDKeyed: Keyed { static var keys: [UUID?] { [nil, UUID(), UUID()] } }

@Suite("Primary keys")
struct PrimaryKeyTests {
    static let types: [any Keyed.Type] = [
        StringKeyed.self, IntKeyed.self, ByteKeyed.self, ShortKeyed.self, WordKeyed.self, UUIDKeyed.self,
        ObjectIdKeyed.self, OptionalStringKeyed.self, OptionalUUIDKeyed.self,
    ]

    @Test("Objects are found by every key, and by no other", arguments: types.indices, Situation.managed)
    func lookup(_ type: Int, _ situation: Situation) async throws {
        func check<T: Keyed>(_ type: T.Type) async throws {
            let keys = T.keys
            try await situation.show(T.self) {
                let object = T()
                object.id = keys[0]
                object.value = 100
                return object
            } check: { object in
                let graph = try #require(object.graph)
                #expect(object.id == keys[0])
                #expect(graph.object(ofType: T.self, forPrimaryKey: keys[0]) == object)
                for key in keys.dropFirst() { #expect(graph.object(ofType: T.self, forPrimaryKey: key) == nil) }
            }
        }
        try await check(Self.types[type])
    }

    @Test("Keys that are taken are refused, all others accepted; a deleted one is free again", arguments: types.indices)
    func uniqueness(_ type: Int) throws {
        func check<T: Keyed>(_ type: T.Type) throws {
            let graph = Graph(try Store(.init(models: [T.self])))
            let keys = T.keys
            func make(_ key: T.Key, _ value: Int) -> T {
                let object = T()
                object.id = key
                object.value = value
                return object
            }
            try graph.write { for (i, key) in keys.enumerated() { try graph.add(make(key, i)) } }
            #expect(graph.objects(T.self).count == keys.count)
            for (i, key) in keys.enumerated() {
                #expect(graph.object(ofType: T.self, forPrimaryKey: key)?.value == i)
                let fault = graph.fault { try $0.add(make(key, -1)) }
                #expect(fault?.code == .duplicateKey)
                #expect(fault?.location.type == "\(T.self)")
                #expect(fault?.location.property == "id")
                #expect(graph.object(ofType: T.self, forPrimaryKey: key)?.value == i)
            }
            for (i, key) in keys.enumerated() {
                try graph.write {
                    graph.delete(try #require(graph.object(ofType: T.self, forPrimaryKey: key)))
                    #expect(graph.object(ofType: T.self, forPrimaryKey: key) == nil)
                    try graph.add(make(key, i + 100))
                }
                #expect(graph.object(ofType: T.self, forPrimaryKey: key)?.value == i + 100)
            }
        }
        try check(Self.types[type])
    }

    @Test(
        "A changed key fails the transaction, which names the property; the same key again is nothing",
        arguments: types.indices)
    func immutable(_ type: Int) throws {
        func check<T: Keyed>(_ type: T.Type) throws {
            let graph = Graph(try Store(.init(models: [T.self])))
            let keys = T.keys
            let object = try graph.added(T()) {
                $0.id = keys[1]
            }
            let before = graph.sequence
            try graph.write { object.id = keys[1] }
            #expect(graph.sequence == before)
            let fault = graph.fault { _ in
                object.value = 5
                object.id = keys[0]
            }
            #expect(fault?.code == .primaryKeyChanged)
            #expect(fault?.location.type == "\(T.self)")
            #expect(fault?.location.property == "id")
            #expect(object.id == keys[1])
            #expect(object.value == 0)
            #expect(graph.object(ofType: T.self, forPrimaryKey: keys[1]) == object)
            #expect(graph.object(ofType: T.self, forPrimaryKey: keys[0]) == nil)
        }
        try check(Self.types[type])
    }

    @Test("A duplicate that is caught leaves the write as it was before the attempt")
    func caught() throws {
        let graph = Graph(try Store(.init(models: [IntKeyed.self])))
        try graph.added(IntKeyed())
        try graph.write {
            #expect(throws: BanyanError.self) { try graph.add(IntKeyed()) }
            let other = IntKeyed()
            other.id = 1
            try graph.add(other)
        }
        #expect(graph.objects(IntKeyed.self).map(\.id).sorted() == [0, 1])
    }

    @Test("A key of another integer width finds the object too; one that does not fit finds nothing")
    func widths() throws {
        let graph = Graph(try Store(.init(models: [ByteKeyed.self, IntKeyed.self])))
        try graph.write {
            let byte = ByteKeyed()
            byte.id = -3
            try graph.add(byte)
            let int = IntKeyed()
            int.id = 300
            try graph.add(int)
        }
        #expect(graph.object(ofType: ByteKeyed.self, forPrimaryKey: -3) != nil)
        #expect(graph.object(ofType: ByteKeyed.self, forPrimaryKey: 253) == nil)
        #expect(graph.object(ofType: IntKeyed.self, forPrimaryKey: Int16(300)) != nil)
        #expect(graph.object(ofType: IntKeyed.self, forPrimaryKey: "300") == nil)
    }

    @Test("Ten thousand keys, half of them deleted, are found or not found after reopening")
    func many() async throws {
        let directory = ScratchDirectory()
        let count = 10_000
        @Sendable func key(_ i: Int) -> String { i % 3 == 0 ? "\(i)" : "a key that needs a block of its own: \(i)" }
        let store = try await Store.open(.init(directory: directory.path, models: [StringKeyed.self]))
        try await store.write { graph in
            for i in 0..<count {
                let object = StringKeyed()
                object.id = key(i)
                object.value = i
                try graph.add(object)
            }
        }
        try await store.write { graph in
            for i in stride(from: 0, to: count, by: 2) {
                graph.delete(try #require(graph.object(ofType: StringKeyed.self, forPrimaryKey: key(i))))
            }
        }
        try await store.close()
        let reopened = try await Store.open(.init(directory: directory.path, models: [StringKeyed.self]))
        reopened.read { graph in
            for i in 0..<count {
                #expect(graph.object(ofType: StringKeyed.self, forPrimaryKey: key(i))?.value == (i % 2 == 0 ? nil : i))
            }
        }
        try await reopened.close()
    }
}
