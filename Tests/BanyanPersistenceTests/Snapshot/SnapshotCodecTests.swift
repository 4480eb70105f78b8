import BanyanCore
import BanyanPersistence
import BanyanTesting
import Testing

/// Frames kept in memory: the codec without the files layer and its checksums.
struct FrameStore: Sendable {
    struct Frame: Sendable {
        var kind: UInt8
        var table: UInt32
        var rows: UInt64
        var payload: [UInt8]
    }
    var frames: [Frame] = []

    init(_ version: Version) throws {
        var frames: [Frame] = []
        try SnapshotCodec.write(version: version) { kind, table, rows, payload in
            frames.append(Frame(kind: kind, table: table, rows: rows, payload: payload))
        }
        self.frames = frames
    }

    func load(_ layout: StoreLayout, progress: ((StoreProgress) -> Void)? = nil) throws -> Version {
        let payloads = frames.map(\.payload)
        let source = SnapshotLoader.Source(
            frames: frames.map {
                SnapshotLoader.Source.Frame(
                    kind: $0.kind, table: $0.table, rows: $0.rows, bytes: UInt64($0.payload.count))
            },
            sequence: 7, time: 8, read: { index throws(BanyanError) in payloads[index] })
        return try SnapshotLoader.load(source, layout: layout, progress: progress)
    }
}

@Suite("Snapshot frames")
struct SnapshotCodecTests {
    @Test("A random graph comes back as it was, and goes on as before", arguments: 0..<(Effort.isThorough ? 100 : 6))
    func roundTrip(seed: Int) throws {
        var graph = RandomGraph(seed: UInt64(seed) + 100)
        graph.size = [8, 40, 3000][seed % 3]
        let layout = try TestSchema.layout()
        let workspace = Workspace(Version.empty(layout))
        for sequence in 1...8 {
            let transaction = workspace.begin()
            try graph.change(transaction, count: 120)
            _ = workspace.commit(sequence: UInt64(sequence), time: 0)
        }
        let frames = try FrameStore(workspace.version)
        let loaded = try frames.load(layout)
        #expect(loaded.sequence == 7)
        #expect(loaded.time == 8)
        try #require(GraphDump.lines(loaded, slots: true) == GraphDump.lines(workspace.version, slots: true))
        try #require(GraphDump.faults(loaded).isEmpty, "\(GraphDump.faults(loaded))")
        #expect(try FrameStore(loaded).frames.map(\.payload) == frames.frames.map(\.payload))

        // What was loaded can be changed like any other graph, and replays what happens to the original.
        let copy = Workspace(loaded)
        for sequence in 9...16 {
            let transaction = workspace.begin()
            try graph.change(transaction, count: 40)
            let version = try #require(workspace.commit(sequence: UInt64(sequence), time: 0))
            let replay = copy.begin()
            try ChangeSetCodec.apply(ChangeSetCodec.encode(transaction.changeSet(to: version)), to: replay)
            _ = copy.commit(sequence: UInt64(sequence), time: 0)
        }
        #expect(GraphDump.lines(copy.version) == GraphDump.lines(workspace.version))
        #expect(GraphDump.faults(copy.version).isEmpty)
    }

    @Test("An empty graph, and one whose objects are all gone, come back with their generations")
    func empty() throws {
        let layout = try TestSchema.layout()
        let workspace = Workspace(Version.empty(layout))
        #expect(
            try GraphDump.lines(FrameStore(workspace.version).load(layout), slots: true)
                == GraphDump.lines(workspace.version, slots: true))
        let first = workspace.begin()
        let ids = (0..<200).map { _ in first.create(TestSchema.bare) }
        _ = workspace.commit(sequence: 1, time: 0)
        let second = workspace.begin()
        for id in ids { second.delete(id) }
        _ = workspace.commit(sequence: 2, time: 0)
        let loaded = try FrameStore(workspace.version).load(layout)
        #expect(GraphDump.lines(loaded, slots: true) == GraphDump.lines(workspace.version, slots: true))
        let next = Workspace(loaded)
        #expect(!ids.contains(next.begin().create(TestSchema.bare)))
        next.rollback()
    }

    @Test("Large texts and collections stand apart and come back whole")
    func large() throws {
        let layout = try TestSchema.layout()
        let workspace = Workspace(Version.empty(layout))
        let transaction = workspace.begin()
        let type = layout.tables[TestSchema.everything].type
        func column(_ name: String) throws -> Int { try #require(type.property(named: name)) }
        let nodes = try (0..<1_000).map { try transaction.create(TestSchema.node, key: .int($0)) }
        for id in nodes { transaction.initializeIndex(id, 1) }
        for key in ["one", "two"] {
            let id = try transaction.create(TestSchema.everything, key: .string(key))
            transaction.initializeIndexes(id)
            transaction.setValue(id, try column("oneString"), .string(String(repeating: key, count: 1_000_000)))
            transaction.setValue(id, try column("oneDataMaybe"), .data(.init(repeating: 7, count: 2 << 20)))
            transaction.listInsert(id, try column("listInt"), at: 0, (0..<150_000).map { .int($0 * 7) })
            transaction.listInsert(
                id, try column("listBoolMaybe"), at: 0, (0..<70_000).map { $0 % 3 == 0 ? .null : .bool($0 % 2 == 0) })
            transaction.listInsert(
                id, try column("listString"), at: 0, (0..<5_000).map { .string("text number \($0) of the list") })
            transaction.listInsert(
                id, try column("nodes"), at: 0, (0..<10_000).map { .object(nodes[$0 * 7 % 1_000].ref) })
            for i in 0..<9_000 { transaction.setInsert(id, try column("setDouble"), .double(Double(i) / 2)) }
            for i in 0..<4_000 {
                transaction.mapSet(
                    id, try column("mapIntMaybe"), key: .objectId(.init(cell: Cell(low: UInt64(i), high: 0))),
                    .int(Int64(i)))
            }
        }
        try #require(transaction.fault == nil)
        let version = try #require(workspace.commit(sequence: 1, time: 0))
        let frames = try FrameStore(version)
        #expect(frames.frames.allSatisfy { $0.payload.count <= 17 << 20 })
        #expect(frames.frames.count { $0.kind == SnapshotCodec.FrameKind.part } >= 14)
        let loaded = try frames.load(layout)
        #expect(GraphDump.lines(loaded, slots: true) == GraphDump.lines(version, slots: true))
        #expect(GraphDump.faults(loaded).isEmpty)
    }

    @Test("A file made on all cores holds the same frames in the same order as one thread gives, none of them huge")
    func file() throws {
        let layout = try TestSchema.layout()
        let workspace = Workspace(Version.empty(layout))
        let transaction = workspace.begin()
        let name = try #require(layout.tables[TestSchema.node].type.property(named: "name"))
        for i in 0..<6_000 {
            let id = try transaction.create(TestSchema.node, key: .int(Int64(i)))
            // Small ones first, so that nothing before tells what comes; and now and then one that stands apart.
            let size = i < 4_000 ? i % 20 : i % 500 == 0 ? 2 << 20 : 8_000
            transaction.initializeIndex(id, name)
            transaction.setValue(id, name, .string(String(repeating: "abc \(i) ", count: size / 8)))
        }
        try #require(transaction.fault == nil)
        let version = try #require(workspace.commit(sequence: 1, time: 0))
        let disk = SimulatedDisk()
        var written: [StoreProgress] = []
        try writeSnapshotFile(
            to: "/a.bsn", on: disk, storeID: StoreID(), sequence: 1, time: 0, schema: SchemaCodec.encode(layout.schema)
        ) { writer in
            try SnapshotCodec.write(version: version, to: writer) { written.append($0) }
        }
        let reader = try SnapshotReader.open("/a.bsn", on: disk)
        let expected = try FrameStore(version).frames
        #expect(expected.count > 12)
        #expect(expected.allSatisfy { $0.payload.count <= 4 << 20 })
        try #require(reader.frames.count == expected.count)
        for (index, frame) in expected.enumerated() {
            let found = reader.frames[index]
            #expect((found.kind, found.table, found.rows) == (frame.kind, frame.table, frame.rows))
            #expect(try reader.read(index) == frame.payload, "frame \(index)")
        }
        #expect(written.last?.done == 6_000)
        let loaded = try SnapshotLoader.load(reader, layout: layout)
        #expect(GraphDump.lines(loaded, slots: true) == GraphDump.lines(version, slots: true))
    }

    @Test("Progress goes up to the whole")
    func progress() throws {
        var graph = RandomGraph(seed: 5)
        let workspace = Workspace(Version.empty(try TestSchema.layout()))
        let transaction = workspace.begin()
        try graph.change(transaction, count: 200)
        let version = try #require(workspace.commit(sequence: 1, time: 0))
        var written: [StoreProgress] = []
        try SnapshotCodec.write(version: version, progress: { written.append($0) }) { _, _, _, _ in }
        #expect(written.last.map { $0.done == $0.total } == true)
        var loaded: [StoreProgress] = []
        _ = try FrameStore(version).load(try TestSchema.layout()) { loaded.append($0) }
        #expect(loaded.last.map { $0.done == $0.total } == true)
        #expect(zip(loaded, loaded.dropFirst()).allSatisfy { $0.done <= $1.done })
    }
}
