import BanyanCore
import BanyanPersistence
import Testing

/// What a payload tells besides what replay needs: who, why, and what was before.
@Suite("Decoded commits")
struct CommitRecordTests {
    private static let schema = Schema(types: [
        TypeSchema(
            name: "Item",
            properties: [
                PropertySchema(name: "id", kind: .int, isPrimaryKey: true),
                PropertySchema(name: "title", kind: .string, isOptional: true),
                PropertySchema(name: "done", kind: .bool),
                PropertySchema(name: "tags", kind: .string, shape: .list),
                PropertySchema(name: "marks", kind: .int, shape: .set),
                PropertySchema(name: "notes", kind: .string, isOptional: true, shape: .map(key: .string)),
                PropertySchema(name: "parent", kind: .object, isOptional: true, target: "Item"),
            ])
    ])
    private let layout: StoreLayout
    private let workspace: Workspace
    private let first: ObjectID
    private let second: ObjectID

    init() throws {
        layout = try StoreLayout(Self.schema)
        workspace = Workspace(Version.empty(layout))
        let transaction = workspace.begin()
        first = try transaction.create(0, key: .int(1))
        second = try transaction.create(0, key: .int(2))
        transaction.setValue(first, 1, .string("one"))
        transaction.listInsert(first, 3, at: 0, [.string("a"), .string("b"), .string("c"), .string("d")])
        for mark in [1, 2, 3] { transaction.setInsert(first, 4, .int(Int64(mark))) }
        transaction.mapSet(first, 5, key: .string("k"), .string("v"))
        transaction.mapSet(first, 5, key: .string("gone"), .null)
        transaction.setValue(first, 6, .object(second.ref))
        _ = workspace.commit(sequence: 1, time: 0)
    }

    private func commit(
        _ metadata: CommitMetadata = CommitMetadata(), _ change: (Transaction) throws -> Void
    ) throws -> CommitRecord {
        let transaction = workspace.begin()
        try change(transaction)
        let version = try #require(workspace.commit(sequence: 2, time: 0))
        return try ChangeSetCodec.decode(
            ChangeSetCodec.encode(transaction.changeSet(to: version), metadata: metadata), layout: layout)
    }

    private func entry(_ kind: CommitRecord.ObjectEntry.Kind, _ id: ObjectID, _ changes: [Int: CommitRecord.Change])
        -> CommitRecord.ObjectEntry
    {
        CommitRecord.ObjectEntry(
            kind: kind, id: id,
            properties: changes.sorted { $0.key < $1.key }.map {
                CommitRecord.PropertyEntry(column: $0.key, change: $0.value)
            })
    }

    @Test(
        "Metadata travels with the commit",
        arguments: [
            CommitMetadata(), CommitMetadata(author: "billing"), CommitMetadata(reason: "refund", requestID: "9"),
            CommitMetadata(author: "", reason: "größer", requestID: "🌳"),
        ])
    func metadata(_ metadata: CommitMetadata) throws {
        #expect(try commit(metadata) { $0.setValue(first, 2, .bool(true)) }.metadata == metadata)
    }

    @Test("A changed value has the one before and the one after")
    func values() throws {
        let record = try commit { transaction in
            transaction.setValue(first, 1, .null)
            transaction.setValue(first, 2, .bool(true))
            transaction.setValue(first, 6, .object(first.ref))
        }
        #expect(
            record.objects == [
                entry(
                    .modified, first,
                    [
                        1: .value(old: .string("one"), new: .null),
                        2: .value(old: .bool(false), new: .bool(true)),
                        6: .value(old: .object(second.ref), new: .object(first.ref)),
                    ])
            ])
    }

    @Test(
        "A created object names what it holds; a deleted one what it held, and those that linked to it their lost link")
    func wholeObjects() throws {
        var made = first
        let record = try commit { transaction in
            transaction.delete(second)
            made = try transaction.create(0, key: .int(3))
            transaction.setValue(made, 2, .bool(true))
            transaction.mapSet(made, 5, key: .string("x"), .null)
        }
        #expect(
            record.objects == [
                entry(.deleted, second, [0: .value(old: .int(2), new: .int(0))]),
                entry(
                    .created, made,
                    [
                        0: .value(old: .int(0), new: .int(3)), 2: .value(old: .bool(false), new: .bool(true)),
                        5: .map(
                            removed: [], inserted: [CommitRecord.MapEntry(key: .string("x"), value: .null)], changed: []
                        ),
                    ]),
                entry(.modified, first, [6: .value(old: .object(second.ref), new: .null)]),
            ])
    }

    @Test("List edits are steps over the list as it was")
    func lists() throws {
        let record = try commit { transaction in
            transaction.listRemove(first, 3, 1..<2)
            transaction.listSet(first, 3, at: 1, .string("C"))
            transaction.listInsert(first, 3, at: 3, [.string("e"), .string("f")])
        }
        #expect(
            record.objects == [
                entry(
                    .modified, first,
                    [
                        3: .list([
                            .kept(1), .removed([.string("b")]), .set(old: [.string("c")], new: [.string("C")]),
                            .kept(1),
                            .inserted([.string("e"), .string("f")]),
                        ])
                    ])
            ])
    }

    @Test("Sets and maps tell the entries that differ, not those that left and came back")
    func setsAndMaps() throws {
        let record = try commit { transaction in
            transaction.setRemove(first, 4, .int(2))
            transaction.setRemove(first, 4, .int(3))
            transaction.setInsert(first, 4, .int(3))
            transaction.setInsert(first, 4, .int(9))
            transaction.mapSet(first, 5, key: .string("k"), .string("w"))
            transaction.mapRemove(first, 5, key: .string("gone"))
            transaction.mapSet(first, 5, key: .string("new"), .null)
        }
        #expect(
            record.objects == [
                entry(
                    .modified, first,
                    [
                        4: .set(removed: [.int(2)], inserted: [.int(9)]),
                        5: .map(
                            removed: [CommitRecord.MapEntry(key: .string("gone"), value: .null)],
                            inserted: [CommitRecord.MapEntry(key: .string("new"), value: .null)],
                            changed: [CommitRecord.MapChange(key: .string("k"), old: .string("v"), new: .string("w"))]),
                    ])
            ])
    }

    @Test("The bytes are those of format 1: a journal of today is read for ever")
    func golden() throws {
        let transaction = workspace.begin()
        transaction.setValue(first, 1, .string("two"))
        transaction.listRemove(first, 3, 0..<1)
        transaction.delete(second)
        let version = try #require(workspace.commit(sequence: 2, time: 0))
        let payload = ChangeSetCodec.encode(
            transaction.changeSet(to: version), metadata: CommitMetadata(author: "me"))
        #expect(
            payload == [
                1, 1, 2, 0x6D, 0x65,  // form, has an author, "me"
                19,  // bytes of the forward part
                1, 0, 1, 2,  // deleted: one group, table 0, one object, slot 1
                0,  // created: none
                1, 0, 1, 0,  // modified: one group, table 0, one object, slot 0
                3,  // three properties
                2, 3, 0x74, 0x77, 0x6F,  // 1: "two"
                2, 1, 7,  // 3: one run, one removed
                5,  // 6: nil
                0x01, 4,  // backward: the deleted object had property 0, 2
                1, 3, 0x6F, 0x6E, 0x65,  // 1 was there, "one"
                1, 0x61,  // 3 lost "a"
                2,  // 6 was slot 1
            ])
    }

    @Test("A link that leads to a successor in the slot of a deleted object is told as a change")
    func successor() throws {
        var made = first
        let record = try commit { transaction in
            transaction.delete(second)
            made = try transaction.create(0, key: .int(3))
            transaction.setValue(first, 6, .object(made.ref))
        }
        #expect(
            record.objects.contains(
                entry(.modified, first, [6: .value(old: .object(second.ref), new: .object(made.ref))])))
    }
}
