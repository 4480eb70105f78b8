import BanyanCore
import Dispatch
import Testing

@Suite("Commits")
struct CommitTests {
    private let workspace: Workspace

    init() throws {
        let properties = [
            PropertySchema(name: "value", kind: .int), PropertySchema(name: "list", kind: .string, shape: .list),
        ]
        workspace = Workspace(
            Version.empty(try StoreLayout(Schema(types: [TypeSchema(name: "Item", properties: properties)]))))
    }

    private func commit(
        _ metadata: CommitMetadata = CommitMetadata(), _ body: (Transaction) -> Void
    ) throws -> Commit {
        let transaction = workspace.begin()
        body(transaction)
        let sequence = workspace.version.sequence + 1
        return try #require(
            workspace.commit(sequence: sequence, time: Int64(sequence) * 10, metadata: metadata))
    }

    private func text(_ changes: ChangeSet) -> [String] {
        var lines: [String] = []
        changes.forEachObject { lines.append("\($0.kind) \($0.id.slot) \($0.columns)") }
        return lines + changes.listEdits.map { "\($0.key.owner.slot).\($0.key.column): \($0.value.insertions)" }
    }

    @Test("A commit says when it was made, of what, by whom, and what is different, however late it is asked")
    func contents() throws {
        let metadata = CommitMetadata(author: "ada", reason: "a try", requestID: "7")
        let empty = workspace.version
        var id: ObjectID?
        let first = try commit(metadata) { id = $0.create(0) }
        let item = try #require(id)
        let second = try commit {
            $0.setValue(item, 0, .int(5))
            $0.listInsert(item, 1, at: 0, [.string("one")])
        }
        let third = try commit { $0.delete(item) }
        #expect(first.before === empty && first.after === second.before && second.after === third.before)
        #expect([first, second, third].map(\.sequence) == [1, 2, 3])
        #expect([first, second, third].map(\.timestamp) == [10, 20, 30])
        #expect(first.metadata == metadata && second.metadata == CommitMetadata())
        #expect(!first.isEmpty)
        #expect(text(first.changes) == ["created 0 []"])
        #expect(text(second.changes) == ["modified 0 [0, 1]", "0.1: [0..<1]"])
        #expect(text(third.changes) == ["deleted 0 []"])

        let all = empty.commits(to: third.after)
        #expect(all.map(\.sequence) == [1, 2, 3] && all[0].metadata == metadata)
        #expect(all.map { text($0.changes) } == [first, second, third].map { text($0.changes) })
        #expect(second.after.commits(to: second.after).isEmpty)
    }

    @Test("What is different is found out once, and shared by all who ask")
    func once() throws {
        let made = try commit { transaction in for _ in 0..<1_000 { _ = transaction.create(0) } }
        func tables(_ commit: Commit) -> UnsafeRawPointer? {
            commit.changes.tables.withUnsafeBufferPointer { $0.baseAddress.map { UnsafeRawPointer($0) } }
        }
        let first = tables(made)
        #expect(first != nil && tables(made) == first)
        #expect(made.before.commits(to: made.after).map { tables($0) } == [first])
    }

    @Test("Many threads may ask at once")
    func threads() throws {
        let made = try commit { transaction in for _ in 0..<1_000 { _ = transaction.create(0) } }
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            var count = 0
            made.changes.forEachObject { _ in count += 1 }
            #expect(count == 1_000)
        }
    }

    @Test("A commit without changes leads from a version to itself")
    func nothing() throws {
        let made = try commit { _ = $0.create(0) }
        for version in [made.before, made.after] {
            let nothing = Commit(withoutChangesAt: version)
            #expect(nothing.isEmpty && nothing.changes.isEmpty && nothing.changes.listEdits.isEmpty)
            #expect(nothing.sequence == version.sequence)
        }
    }

    @Test("A commit holds its versions, and a version holds no commit that leads away from it")
    func lifetime() throws {
        weak var before: Version?
        do {
            let made = try commit { _ = $0.create(0) }
            _ = made.changes
            before = made.before
            _ = try commit { _ = $0.create(0) }
            #expect(before != nil)
        }
        #expect(before == nil)
    }
}
