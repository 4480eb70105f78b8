import BanyanCore
import BanyanPersistence
import BanyanTesting
import Foundation
import Testing

/// Lists and dictionaries of AnyValues as no graph would hold them, in journals and snapshots: too deep, in
/// themselves, held twice, held by nobody. All are refused, and nothing takes forever or as much stack as the file
/// likes.
///
/// The graphs are made as a journal is replayed, where Core leaves the whole to the reader's checks.
@Suite(
    "Damaged nested values",
    .disabled(if: DeveloperOptions.contains("check"), "the check after each commit finds them"))
struct NestedDamageTests {
    enum Way: CaseIterable, Sendable { case journal, snapshot }

    private static let schema = Schema(types: [
        TypeSchema(
            name: "Box",
            properties: [
                PropertySchema(name: "number", kind: .int, isPrimaryKey: true),
                PropertySchema(name: "value", kind: .any),
                PropertySchema(name: "list", kind: .any, shape: .list),
                PropertySchema(name: "map", kind: .any, shape: .map(key: .string)),
            ])
    ]).withNestedValues
    private static let nestedTable = 1

    /// A graph with one box, and what `make` does to it; and the error with which a file of it is refused.
    private func refusal(_ way: Way, _ make: (Transaction, ObjectID) -> Void) throws -> BanyanError? {
        let layout = try StoreLayout(Self.schema)
        let workspace = Workspace(Version.empty(layout))
        let first = workspace.begin()
        let box = try first.create(0, key: .int(7))
        first.initializeIndexes(box)
        let before = try #require(workspace.commit(sequence: 1, time: 0))
        let second = workspace.begin()
        second.beginReplay()
        make(second, box)
        try #require(second.fault == nil)
        let after = try #require(workspace.commit(sequence: 2, time: 0))
        do {
            switch way {
            case .journal:
                let payload = ChangeSetCodec.encode(second.changeSet(to: after), metadata: CommitMetadata())
                let other = Workspace(before.fork())
                defer { other.rollback() }
                try ChangeSetCodec.apply(payload, to: other.begin())
            case .snapshot: _ = try FrameStore(after).load(layout)
            }
            return nil
        } catch let error as BanyanError {
            try #require(error.code == .damaged)
            return error
        }
    }

    /// All that an error says.
    private func text(_ error: BanyanError?) -> String {
        error.map { "\($0.message) \($0.cause ?? "") \($0.location)" } ?? "accepted"
    }

    private func isOfTwo(_ error: BanyanError?) -> Bool {
        text(error).contains("2 owners") || text(error).contains("already belongs")
    }

    /// So many lists, each in the one before, the first of which is given to be held by something. From the inside
    /// out, or from the outside in.
    private func chain(_ levels: Int, _ transaction: Transaction, inwards: Bool) -> Value {
        let rows = (0..<levels).map { _ in transaction.create(Self.nestedTable) }
        let links = zip(rows, rows.dropFirst())
        for (outer, inner) in inwards ? Array(links) : links.reversed() {
            transaction.listInsert(outer, NestedValues.listColumn, at: 0, [.list(inner.ref)])
        }
        return .list(rows[0].ref)
    }

    @Test("A hundred levels are read, and one more is refused, with its object and property", arguments: Way.allCases)
    func depth(_ way: Way) throws {
        for inwards in [false, true] {
            #expect(
                try refusal(way) { transaction, box in
                    transaction.setValue(box, 1, chain(100, transaction, inwards: inwards))
                } == nil)
            for levels in [101, 5000] {
                let error = try refusal(way) { transaction, box in
                    transaction.setValue(box, 1, chain(levels, transaction, inwards: inwards))
                }
                #expect(text(error).contains("nested more than 100 deep"), "\(levels)")
                #expect(text(error).contains("Box.value"))
                #expect(text(error).contains("0:0.0"))
            }
        }
        let listed = try refusal(way) { transaction, box in
            transaction.listInsert(box, 2, at: 0, [.int(1), chain(101, transaction, inwards: true)])
        }
        #expect(text(listed).contains("Box.list"))
        let mapped = try refusal(way) { transaction, box in
            transaction.mapSet(box, 3, key: .string("k"), chain(101, transaction, inwards: true))
        }
        #expect(text(mapped).contains("Box.map"))
    }

    @Test("A commit that puts a value into one that is deep already is refused")
    func deeper() throws {
        let layout = try StoreLayout(Self.schema)
        func box(levels: Int) throws -> (Workspace, ObjectRef) {
            let workspace = Workspace(Version.empty(layout))
            let transaction = workspace.begin()
            let box = try transaction.create(0, key: .int(7))
            transaction.initializeIndexes(box)
            // The innermost stands in slot 0 of both.
            let inner = transaction.create(Self.nestedTable)
            var value = Value.list(inner.ref)
            for _ in 1..<levels {
                let outer = transaction.create(Self.nestedTable)
                transaction.listInsert(outer, NestedValues.listColumn, at: 0, [value])
                value = .list(outer.ref)
            }
            transaction.setValue(box, 1, value)
            // As many in all, so that the next one stands in the same slot of both.
            for _ in levels..<200 {
                transaction.listInsert(box, 2, at: 0, [.list(transaction.create(Self.nestedTable).ref)])
            }
            _ = workspace.commit(sequence: 1, time: 0)
            return (workspace, inner.ref)
        }
        let (shallow, inner) = try box(levels: 3)
        let transaction = shallow.begin()
        let last = transaction.create(Self.nestedTable)
        transaction.listInsert(transaction.view.id(inner), NestedValues.listColumn, at: 0, [.list(last.ref)])
        let version = try #require(shallow.commit(sequence: 2, time: 0))
        let payload = ChangeSetCodec.encode(transaction.changeSet(to: version), metadata: CommitMetadata())
        for (levels, isRefused) in [(3, false), (99, false), (100, true)] {
            let (deep, _) = try box(levels: levels)
            let replay = deep.begin()
            let result = Result { try ChangeSetCodec.apply(payload, to: replay) }
            switch result {
            case .success: #expect(!isRefused, "\(levels)")
            case .failure(let error): #expect(isRefused && text(error as? BanyanError).contains("100 deep"), "\(error)")
            }
            deep.rollback()
        }
    }

    @Test(
        "One in itself is refused, however many there are on the way", .timeLimit(.minutes(1)), arguments: Way.allCases)
    func circles(_ way: Way) throws {
        for length in [1, 2, 50, 500] {
            let error = try refusal(way) { transaction, box in
                let rows = (0..<length).map { _ in transaction.create(Self.nestedTable) }
                for (i, row) in rows.enumerated() {
                    transaction.listInsert(
                        row, NestedValues.listColumn, at: 0, [.list(rows[(i + 1) % length].ref), .int(Int64(i))])
                }
            }
            #expect(text(error).contains("in itself"), "\(length)")
        }
    }

    @Test("One that is held twice, or by nobody, is refused", .timeLimit(.minutes(1)), arguments: Way.allCases)
    func owners(_ way: Way) throws {
        let unowned = try refusal(way) { transaction, _ in _ = transaction.create(Self.nestedTable) }
        #expect(text(unowned).contains("0 owners"))
        let twice = try refusal(way) { transaction, box in
            let row = transaction.create(Self.nestedTable)
            transaction.listInsert(box, 2, at: 0, [.list(row.ref)])
            transaction.listInsert(box, 2, at: 0, [.list(row.ref)])
        }
        #expect(isOfTwo(twice))
        // Each holds the next one twice: 2 to the power of 60 ways to the last.
        let many = try refusal(way) { transaction, box in
            let rows = (0..<60).map { _ in transaction.create(Self.nestedTable) }
            for (outer, inner) in zip(rows, rows.dropFirst()) {
                for _ in 0..<2 {
                    transaction.listInsert(outer, NestedValues.listColumn, at: 0, [.list(inner.ref)])
                }
            }
            transaction.setValue(box, 1, .list(rows[0].ref))
        }
        #expect(isOfTwo(many))
    }

    @Test(
        "A journal with a flipped bit gives none a second owner, and no wrong inverse: it is refused, or is another one"
    )
    func stolen() throws {
        let layout = try StoreLayout(Self.schema)
        let workspace = Workspace(Version.empty(layout))
        let transaction = workspace.begin()
        let boxes = try (0..<2).map { number in
            let box = try transaction.create(0, key: .int(Int64(number)))
            transaction.initializeIndexes(box)
            return box
        }
        transaction.setValue(boxes[0], 1, chain(1, transaction, inwards: true))
        let before = try #require(workspace.commit(sequence: 1, time: 0))
        let other = workspace.begin()
        other.setValue(boxes[1], 1, chain(1, other, inwards: true))
        let after = try #require(workspace.commit(sequence: 2, time: 0))
        let payload = ChangeSetCodec.encode(other.changeSet(to: after), metadata: CommitMetadata())
        let replay = Workspace(before.fork())
        try ChangeSetCodec.apply(payload, to: replay.begin())
        replay.rollback()
        // The new one stands in slot 1; one bit of its link makes it the first box's.
        var refused = 0
        for index in payload.indices {
            for bit in 0..<8 {
                var changed = payload
                changed[index] ^= 1 << UInt8(bit)
                let workspace = Workspace(before.fork())
                do throws(BanyanError) {
                    try ChangeSetCodec.apply(changed, to: workspace.begin())
                    let version = workspace.commit(sequence: 2, time: 0) ?? workspace.version
                    #expect(GraphDump.faults(version).isEmpty, "byte \(index), bit \(bit)")
                } catch {
                    #expect(error.code == .damaged || error.code == .unsupportedFormat)
                    refused += 1
                    workspace.rollback()
                }
            }
        }
        #expect(refused > 0)
    }
}
