import BanyanCore
import BanyanPersistence
import BanyanTesting
import Testing

/// Frames as no snapshot file would hand them out: its checksums are out of the way here.
@Suite("Damaged snapshot frames")
struct SnapshotDamageTests {
    private static func example(_ seed: UInt64, changes: Int, size: Int = 6) throws -> (Version, FrameStore) {
        var graph = RandomGraph(seed: seed)
        graph.size = size
        let workspace = Workspace(Version.empty(try TestSchema.layout()))
        let transaction = workspace.begin()
        try graph.change(transaction, count: changes)
        let version = try #require(workspace.commit(sequence: 1, time: 0))
        return (version, try FrameStore(version))
    }

    /// The version, or nil when the frames were refused; anything else is a test failure.
    private func load(_ frames: FrameStore, _ layout: StoreLayout) throws -> Version? {
        do {
            return try frames.load(layout)
        } catch let error as BanyanError {
            try #require(error.code == .damaged || error.code == .unsupportedFormat, "\(error)")
            return nil
        }
    }

    @Test("A frame cut off anywhere is refused")
    func truncated() throws {
        let (_, whole) = try Self.example(1, changes: 10)
        let layout = try TestSchema.layout()
        for index in whole.frames.indices {
            for count in 0..<whole.frames[index].payload.count {
                var frames = whole
                frames.frames[index].payload.removeLast(frames.frames[index].payload.count - count)
                #expect(throws: BanyanError.self) { try frames.load(layout) }
            }
        }
    }

    @Test("A missing, doubled or moved frame is refused, and so are frames of other tables")
    func misplaced() throws {
        let (_, whole) = try Self.example(2, changes: 40, size: 90_000)
        let layout = try TestSchema.layout()
        #expect(whole.frames.contains { $0.kind == SnapshotCodec.FrameKind.part })
        for index in whole.frames.indices {
            var frames = whole
            frames.frames.remove(at: index)
            #expect(throws: BanyanError.self, "without frame \(index)") { try frames.load(layout) }
            frames = whole
            frames.frames.insert(whole.frames[index], at: index)
            #expect(throws: BanyanError.self, "frame \(index) twice") { try frames.load(layout) }
            frames = whole
            frames.frames[index].table += 1
            if index > 0 {
                #expect(throws: BanyanError.self, "frame \(index) of another table") { try frames.load(layout) }
            }
            frames = whole
            frames.frames[index].rows += 1
            if frames.frames[index].kind == SnapshotCodec.FrameKind.chunk {
                #expect(throws: BanyanError.self, "frame \(index) with a row too many") { try frames.load(layout) }
            }
        }
    }

    @Test("A flipped bit in any byte is refused or leaves a sound graph", arguments: 0..<(Effort.isThorough ? 20 : 1))
    func flipped(seed: Int) throws {
        let (_, whole) = try Self.example(UInt64(seed) + 10, changes: 14)
        let layout = try TestSchema.layout()
        var random = SeededGenerator(seed: UInt64(seed))
        var refused = 0
        for index in whole.frames.indices {
            for byte in whole.frames[index].payload.indices {
                var frames = whole
                frames.frames[index].payload[byte] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                guard let version = try load(frames, layout) else {
                    refused += 1
                    continue
                }
                let faults = GraphDump.faults(version)
                try #require(faults.isEmpty, "frame \(index), byte \(byte): \(faults.prefix(3))")
            }
        }
        #expect(refused > 0)
    }

    // MARK: - Lies that only the loader can find

    private static let pair = Schema(types: [
        TypeSchema(
            name: "A",
            properties: [
                PropertySchema(name: "key", kind: .int8, isPrimaryKey: true),
                PropertySchema(name: "b", kind: .object, isOptional: true, target: "B"),
                PropertySchema(name: "own", kind: .embedded, isOptional: true, target: "E"),
                PropertySchema(name: "text", kind: .string),
                PropertySchema(name: "set", kind: .int8, shape: .set),
            ]),
        TypeSchema(name: "B", properties: []),
        TypeSchema(name: "E", isEmbedded: true, properties: []),
    ])

    /// Two objects A, one B, two E, as frames whose bytes a test may change; and what a load of them says.
    private func refusal(_ from: [UInt8], _ to: [UInt8]) throws -> String {
        let layout = try StoreLayout(Self.pair)
        let workspace = Workspace(Version.empty(layout))
        let transaction = workspace.begin()
        let b = transaction.create(1)
        for key in [0x21, 0x42] {
            let a = try transaction.create(0, key: .int(Int64(key)))
            transaction.setValue(a, 1, .object(b.ref))
            transaction.setValue(a, 2, .object(transaction.create(2).ref))
            transaction.setValue(a, 3, .string("é!"))
            for value in [0x31, 0x52] { transaction.setInsert(a, 4, .int(Int64(value))) }
        }
        let version = try #require(workspace.commit(sequence: 1, time: 0))
        var frames = try FrameStore(version)
        _ = try frames.load(layout)
        let index = try #require(frames.frames.firstIndex { $0.kind == SnapshotCodec.FrameKind.chunk })
        let payload = frames.frames[index].payload
        let places = payload.indices.filter { payload[$0...].starts(with: from) }
        try #require(places.count == 1, "the pattern stands at \(places)")
        frames.frames[index].payload.replaceSubrange(places[0]..<(places[0] + from.count), with: to)
        do {
            _ = try frames.load(layout)
            return "loaded"
        } catch let error as BanyanError {
            return "\(error.message) \(error.cause ?? "") \(error.location)"
        }
    }

    @Test("Two objects with one key are refused, with their type")
    func duplicateKeys() throws {
        // The keys: width 1, base 0x21, then 0 and 0x21 above it.
        let text = try refusal([1, 0x21, 0, 0, 0, 0, 0, 0, 0, 0, 0x21], [1, 0x21, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        #expect(text.contains("one primary key"))
        #expect(text.contains("A.key"))
    }

    @Test("A link to a slot without an object is refused, with its property")
    func danglingLink() throws {
        // Both link to slot 0 of table 1: width 0, base 2 << 32.
        let text = try refusal([0, 0, 0, 0, 0, 2, 0, 0, 0], [0, 9, 0, 0, 0, 2, 0, 0, 0])
        #expect(text.contains("leads to no object"))
        #expect(text.contains("A.b"))
    }

    @Test("A link to another type is refused")
    func foreignLink() throws {
        #expect(try refusal([0, 0, 0, 0, 0, 2, 0, 0, 0], [0, 0, 0, 0, 0, 1, 0, 0, 0]).contains("another type"))
    }

    @Test("An embedded object with two owners is refused")
    func twoOwners() throws {
        // Slots 0 and 1 of table 2: width 1, base 3 << 32.
        #expect(try refusal([1, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1], [1, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0]).contains("owners"))
    }

    @Test("An embedded object that owns itself is refused")
    func circle() throws {
        let layout = try StoreLayout(
            Schema(types: [
                TypeSchema(
                    name: "Top",
                    properties: [
                        PropertySchema(name: "own", kind: .embedded, isOptional: true, target: "Nested")
                    ]),
                TypeSchema(
                    name: "Nested", isEmbedded: true,
                    properties: [
                        PropertySchema(name: "own", kind: .embedded, isOptional: true, target: "Nested")
                    ]),
            ]))
        let workspace = Workspace(Version.empty(layout))
        let transaction = workspace.begin()
        let outer = transaction.create(1)
        transaction.setValue(transaction.create(0), 0, .object(outer.ref))
        transaction.setValue(outer, 0, .object(transaction.create(1).ref))
        var frames = try FrameStore(try #require(workspace.commit(sequence: 1, time: 0)))
        _ = try frames.load(layout)
        // Nested, slot 0, holds slot 1. Let it hold itself, and Top hold slot 1.
        let one: [UInt8] = [0, 1, 0, 0, 0, 2, 0, 0, 0]
        let zero: [UInt8] = [0, 0, 0, 0, 0, 2, 0, 0, 0]
        for (table, from, to) in [(UInt32(0), zero, one), (1, one, zero)] {
            let index = try #require(
                frames.frames.firstIndex { $0.table == table && $0.kind == SnapshotCodec.FrameKind.chunk })
            let payload = frames.frames[index].payload
            let place = try #require(payload.indices.last { payload[$0...].starts(with: from) })
            frames.frames[index].payload.replaceSubrange(place..<(place + from.count), with: to)
        }
        #expect {
            try frames.load(layout)
        } throws: {
            ($0 as? BanyanError)?.message == "an embedded object owns itself"
        }
    }

    @Test("Texts must be UTF-8, each of them: a character cut in two is refused")
    func texts() throws {
        let bytes: [UInt8] = [0xC3, 0xA9, 0x21, 0xC3, 0xA9, 0x21]
        #expect(try refusal(bytes, [0xC3, 0xA9, 0x21, 0xFF, 0xA9, 0x21]).contains("UTF-8"))
        // Valid as a whole, but the second text begins inside a character.
        #expect(try refusal(bytes, [0x21, 0x21, 0xC3, 0xA9, 0x21, 0x21]).contains("UTF-8"))
    }

    @Test("A set out of order, or with a value twice, is refused")
    func sets() throws {
        let values: [UInt8] = [1, 0x31, 0, 0, 0, 0, 0, 0, 0, 0, 0x21, 0, 0x21]
        #expect(try refusal(values, [1, 0x31, 0, 0, 0, 0, 0, 0, 0, 0x21, 0, 0, 0x21]).contains("set is not in order"))
        #expect(try refusal(values, [1, 0x31, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x21]).contains("set is not in order"))
    }

    @Test("A value beyond its type's range is refused")
    func range() throws {
        // Base 0x7F instead of 0x21: the second key would be 0xA0.
        let text = try refusal([1, 0x21, 0, 0, 0, 0, 0, 0, 0, 0, 0x21], [1, 0x7F, 0, 0, 0, 0, 0, 0, 0, 0, 0x21])
        #expect(text.contains("out of range"))
        #expect(text.contains("key"))
    }
}
