import BanyanCore
import BanyanTesting
import BanyanPersistence
import Testing

@Suite("Commit payloads")
struct ChangeSetCodecTests {
    @Test(
        "Random commits, replayed one by one or all in one transaction, give the same graph",
        arguments: 0..<(Effort.isThorough ? 200 : 6))
    func replay(seed: Int) throws {
        var graph = RandomGraph(seed: UInt64(seed))
        graph.size = seed % 3 == 0 ? 400 : 24
        let layout = try TestSchema.layout()
        let original = Workspace(Version.empty(layout))
        let copy = Workspace(Version.empty(layout))
        let batch = Workspace(Version.empty(layout))
        var batchTransaction = batch.begin()
        for sequence in 1...40 {
            let transaction = original.begin()
            try graph.change(transaction, count: [1, 5, 60][sequence % 3])
            let version = try #require(original.commit(sequence: UInt64(sequence), time: 0))
            let payload = ChangeSetCodec.encode(transaction.changeSet(to: version))

            let replay = copy.begin()
            try ChangeSetCodec.apply(payload, to: replay)
            _ = copy.commit(sequence: UInt64(sequence), time: 0)
            try ChangeSetCodec.apply(payload, to: batchTransaction)
            try #require(batchTransaction.fault == nil)

            let expected = GraphDump.lines(version)
            try #require(GraphDump.lines(copy.version) == expected, "after commit \(sequence)")
            if sequence % 10 == 0 {
                _ = batch.commit(sequence: UInt64(sequence), time: 0)
                try #require(GraphDump.lines(batch.version) == expected, "after commit \(sequence)")
                try #require(GraphDump.faults(batch.version).isEmpty)
                batchTransaction = batch.begin()
            }
            _ = try ChangeSetCodec.decode(payload, layout: layout)
        }
    }
}
