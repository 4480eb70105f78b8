import BanyanCore
import BanyanPersistence
import BanyanTesting
import Testing

/// Payloads as no journal would hand them out: its checksums are out of the way here.
@Suite("Damaged payloads")
struct PayloadDamageTests {
    /// A graph, and a commit on it that does a bit of everything.
    struct Case {
        let before: Version
        let after: Version
        let payload: [UInt8]

        init(seed: UInt64, changes: Int) throws {
            var graph = RandomGraph(seed: seed)
            graph.size = 12
            let workspace = Workspace(Version.empty(try TestSchema.layout()))
            let first = workspace.begin()
            try graph.change(first, count: 30)
            before = try #require(workspace.commit(sequence: 1, time: 0))
            let second = workspace.begin()
            try graph.change(second, count: changes)
            after = try #require(workspace.commit(sequence: 2, time: 0))
            payload = ChangeSetCodec.encode(second.changeSet(to: after), metadata: CommitMetadata(author: "someone"))
        }

        /// The graph after a payload was applied to a fork, or nil when it was refused; anything else is a test failure.
        func apply(_ payload: [UInt8]) throws -> Version? {
            let workspace = Workspace(before.fork())
            let transaction = workspace.begin()
            do throws(BanyanError) {
                try ChangeSetCodec.apply(payload, to: transaction)
            } catch {
                try #require(error.code == .damaged || error.code == .unsupportedFormat, "\(error)")
                workspace.rollback()
                try #require(workspace.version.view.count(0) == before.view.count(0))
                return nil
            }
            return workspace.commit(sequence: 2, time: 0)
        }
    }

    @Test("A payload cut off anywhere is refused", arguments: 0..<3)
    func truncated(seed: UInt64) throws {
        let example = try Case(seed: seed + 7, changes: 12)
        let layout = try TestSchema.layout()
        try #require(
            GraphDump.lines(try #require(try example.apply(example.payload))) == GraphDump.lines(example.after))
        for count in 0..<example.payload.count {
            let cut = Array(example.payload.prefix(count))
            #expect(throws: BanyanError.self) { try ChangeSetCodec.decode(cut, layout: layout) }
            // Replay reads the forward part alone; where that is whole, nothing is lost.
            if let version = try example.apply(cut) {
                #expect(GraphDump.lines(version) == GraphDump.lines(example.after))
            }
        }
    }

    @Test("Bytes behind the end are refused")
    func trailing() throws {
        let example = try Case(seed: 3, changes: 5)
        let layout = try TestSchema.layout()
        #expect(throws: BanyanError.self) { try ChangeSetCodec.decode(example.payload + [0], layout: layout) }
    }

    @Test("Any flipped bit is refused or leaves a sound graph", arguments: 0..<(Effort.isThorough ? 20 : 1))
    func flipped(seed: Int) throws {
        let example = try Case(seed: UInt64(seed) + 40, changes: 8)
        let layout = try TestSchema.layout()
        var refused = 0
        for bit in 0..<(example.payload.count * 8) {
            var payload = example.payload
            payload[bit / 8] ^= 1 << UInt8(bit % 8)
            if let version = try example.apply(payload) {
                let faults = GraphDump.faults(version)
                try #require(faults.isEmpty, "bit \(bit): \(faults.prefix(3))")
            } else {
                refused += 1
            }
            _ = try? ChangeSetCodec.decode(payload, layout: layout)
        }
        #expect(refused > 0)
    }

    @Test("Random bytes are refused, and cost nothing")
    func noise() throws {
        var random = SeededGenerator(seed: 99)
        let example = try Case(seed: 5, changes: 3)
        for _ in 0..<2_000 {
            var payload: [UInt8] = [1, 0]
            for _ in 0..<Int.random(in: 0..<60, using: &random) {
                payload.append(UInt8.random(in: 0...255, using: &random))
            }
            if let version = try example.apply(payload) { #expect(GraphDump.faults(version).isEmpty) }
        }
    }

    @Test("An object at a slot far beyond the table's end is refused before pages are made for it")
    func farSlot() throws {
        let example = try Case(seed: 5, changes: 3)
        // No deletions; in one table (4, Bare) one creation at slot 2^31; no modifications.
        var forward: [UInt8] = [0, 1, 4, 1]
        var code = UInt64(1) << 32
        while code >= 0x80 {
            forward.append(UInt8(truncatingIfNeeded: code) | 0x80)
            code >>= 7
        }
        forward += [UInt8(code), 0]
        #expect(try example.apply([1, 0, UInt8(forward.count)] + forward) == nil)
    }

    @Test("A commit that deletes an owner, and leaves what it owned, is refused")
    func orphan() throws {
        let workspace = Workspace(Version.empty(try TestSchema.layout()))
        let transaction = workspace.begin()
        let owner = try transaction.create(TestSchema.everything, key: .string("owner"))
        transaction.initializeIndexes(owner)
        let owned = transaction.create(TestSchema.owned)
        let column = try #require(transaction.layout.tables[0].type.property(named: "ownedList"))
        transaction.listInsert(owner, column, at: 0, [.object(owned.ref)])
        _ = workspace.commit(sequence: 1, time: 0)
        // Deleted: one group, table 0, slot 0. Created, changed: none.
        #expect {
            try ChangeSetCodec.apply([1, 0, 6, 1, 0, 1, 0, 0, 0], to: workspace.begin())
        } throws: {
            ($0 as? BanyanError)?.cause?.contains("0 owners") == true
        }
        workspace.rollback()
    }
}
