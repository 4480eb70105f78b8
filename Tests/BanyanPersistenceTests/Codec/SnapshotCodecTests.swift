import BanyanCore
import BanyanPersistence
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
                SnapshotLoader.Source.Frame(kind: $0.kind, table: $0.table, rows: $0.rows, bytes: UInt64($0.payload.count))
            },
            sequence: 7, time: 8, read: { index throws(BanyanError) in payloads[index] })
        return try SnapshotLoader.load(source, layout: layout, progress: progress)
    }
}

@Suite("Snapshot frames")
struct SnapshotCodecTests {
    @Test("A random graph comes back as it was, and goes on as before", arguments: 0..<16)
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
    }
}
