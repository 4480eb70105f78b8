import BanyanCore
import Testing

@Suite struct OwnerTests {
    private static let box = 0

    /// A type of boxes in boxes: `inner` is one, `rest` a list of them.
    private func transaction() throws -> (Workspace, Transaction) {
        let schema = Schema(
            types: [
                TypeSchema(
                    name: "Box", isEmbedded: true,
                    properties: [
                        PropertySchema(name: "inner", kind: .embedded, isOptional: true, target: "Box"),
                        PropertySchema(name: "rest", kind: .embedded, shape: .list, target: "Box"),
                    ])
            ], version: 0)
        let workspace = Workspace(.empty(try StoreLayout(schema)))
        return (workspace, workspace.begin())
    }

    @Test func `an embedded object that nobody owns cannot become its own child`() throws {
        let (workspace, transaction) = try transaction()
        let box = transaction.create(Self.box)
        transaction.set(box, 0, box.ref.cell)
        #expect(transaction.fault?.code == .secondOwner)
        #expect(transaction.view.word(box.ref, 0) == 0)
        workspace.rollback()
    }

    @Test(arguments: [1, 2, 40])
    func `an embedded object cannot become the child of what it owns`(depth: Int) throws {
        let (workspace, transaction) = try transaction()
        let top = transaction.create(Self.box)
        var bottom = top
        for i in 0..<depth {
            let next = transaction.create(Self.box)
            if i % 2 == 0 {
                transaction.set(bottom, 0, next.ref.cell)
            } else {
                transaction.listInsert(bottom, 1, at: 0, next.ref.cell)
            }
            bottom = next
        }
        #expect(transaction.fault == nil)
        transaction.listInsert(bottom, 1, at: nil, top.ref.cell)
        #expect(transaction.fault?.code == .secondOwner)
        #expect(transaction.view.elementCount(CollectionRef(bottom.ref, 1)) == 0)
        workspace.rollback()
    }

    @Test func `a whole that was put together from below can be put under another`() throws {
        let (workspace, transaction) = try transaction()
        let (top, middle, bottom) = (
            transaction.create(Self.box), transaction.create(Self.box), transaction.create(Self.box)
        )
        transaction.set(middle, 0, bottom.ref.cell)
        transaction.set(top, 0, middle.ref.cell)
        #expect(transaction.fault == nil)
        transaction.delete(top)
        #expect(!transaction.contains(bottom))
        workspace.rollback()
    }
}
