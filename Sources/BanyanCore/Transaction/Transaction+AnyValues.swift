// AnyValues as properties and elements: their cells are made of what they hold, and set like texts.

extension Transaction {
    /// The cell of an AnyValue, in a block of this transaction when it is long; nil (and the transaction failed) over the limit.
    package func makeAny(
        _ kind: AnyKind, _ value: Cell, _ place: @autoclosure () -> BanyanError.Location
    ) -> Cell? {
        guard kind != .none else { return .null }
        if kind.width == nil, Text.count(value) > Text.maximumCount {
            // It says so.
            return Text.withBytes(value) { makeText($0, place()) }
        }
        return AnyCell.withBytes(kind, value) { bytes in
            guard bytes.count > Text.inlineCapacity, let start = bytes.baseAddress else {
                return Text.inlineCell(bytes)
            }
            return memory.makeText(start, count: bytes.count)
        }
    }

    package func makeAny(_ value: Value, _ place: @autoclosure () -> BanyanError.Location) -> Cell? {
        value.withAnyCell { makeAny($0, $1, place()) }
    }

    /// Sets an AnyValue property to a cell of this transaction.
    func setAny(_ id: ObjectID, _ column: Int, _ cell: Cell) {
        guard let (page, slot) = existing(id, column) else { return discardText(cell) }
        let table = layout.tables[Int(id.table)]
        let place = table.page.columns[column]
        let old = place.load(.any, page, slot)
        guard !same(old, cell, .any) else { return discardText(cell) }
        let plan = plan(Int(id.table), column)
        let link = AnyCell.link(cell)
        if let link, !isValidLink(link, plan, id, column) { return }
        let target = writablePage(Int(id.table), slot: Int(id.slot))
        if table.columns[column].isIndexed { moveIndexEntry(id.ref, column, from: old, to: cell) }
        discardText(old)
        place.store(cell, .any, target, slot)
        Page.mark(target, slot: slot, column: column)
        let oldLink = AnyCell.link(old)
        if let oldLink {
            removeBacklink(from: id.ref, plan, to: oldLink.target)
            didUnlink(oldLink, from: id.ref, plan)
        }
        if let link {
            addBacklink(from: id.ref, plan, to: link.target)
            didLink(link, from: id.ref, plan)
        }
        if let oldLink, oldLink.isOwned { releaseOwned(oldLink.target) }
    }
}
