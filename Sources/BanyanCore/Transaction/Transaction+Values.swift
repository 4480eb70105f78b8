// Single-value properties. Setting what is already there is not a change: no page is copied, nothing is recorded.

extension Transaction {
    /// Sets a property that is not a text. The cell of an AnyValue is one of this transaction. Links keep their inverses; an embedded object that is replaced is deleted.
    package func set(_ id: ObjectID, _ column: Int, _ cell: Cell) {
        guard let (page, slot) = existing(id, column) else { return }
        let table = layout.tables[Int(id.table)]
        let info = table.columns[column]
        if info.kind == .any { return setAny(id, column, cell) }
        let place = table.page.columns[column]
        let old = place.load(info.kind, page, slot)
        guard !CellOrder.identical(old, cell) else { return }
        if info.kind.isLink {
            setLink(
                id, column, old: ObjectRef(word: old.isNull ? 0 : old.low),
                new: ObjectRef(word: cell.isNull ? 0 : cell.low))
            return
        }
        guard !info.isKey else { return failKeyChange(id, column) }
        let target = writablePage(Int(id.table), slot: Int(id.slot))
        if info.isIndexed { moveIndexEntry(id.ref, column, from: old, to: cell) }
        place.store(cell, info.kind, target, slot)
        Page.mark(target, slot: slot, column: column)
    }

    /// Sets a String or Data property; nil clears an optional one.
    package func setText(_ id: ObjectID, _ column: Int, _ bytes: UnsafeRawBufferPointer?) {
        guard let (page, slot) = existing(id, column) else { return }
        let table = layout.tables[Int(id.table)]
        let info = table.columns[column]
        let place = table.page.columns[column]
        let old = place.load(info.kind, page, slot)
        if let bytes {
            if !old.isNull, Text.equal(old, bytes) { return }
        } else if old.isNull {
            return
        }
        guard !info.isKey else { return failKeyChange(id, column) }
        guard let cell = bytes.map({ makeText($0, table.location(column, object: "\(id)")) }) ?? .null else { return }
        let target = writablePage(Int(id.table), slot: Int(id.slot))
        if info.isIndexed { moveIndexEntry(id.ref, column, from: old, to: cell) }
        discardText(old)
        place.store(cell, info.kind, target, slot)
        Page.mark(target, slot: slot, column: column)
    }

    /// Sets a single-value property from an untyped value; a value that does not fit fails the transaction.
    package func setValue(_ id: ObjectID, _ column: Int, _ value: Value) {
        let table = layout.tables[Int(id.table)]
        let info = table.columns[column]
        switch info.kind.form {
        case .any:
            guard let cell = makeAny(value, table.location(column, object: "\(id)")) else { return }
            setAny(id, column, cell)
        case .text:
            if value.isNull, info.isOptional { return setText(id, column, nil) }
            guard value.withTextBytes(of: info.kind, { setText(id, column, $0) }) != nil else {
                return failMismatch(value, id, column)
            }
        case .bit, .int8, .int16, .int32, .int64, .float32, .float64, .bytes12, .bytes16, .link:
            guard let cell = value.cell(as: info.kind), !cell.isNull || info.isOptional || info.kind.isLink
            else { return failMismatch(value, id, column) }
            set(id, column, cell)
        }
    }

    /// A cell for a text, in a block of this transaction when it is long; nil (and the transaction failed) over the limit.
    package func makeText(_ bytes: UnsafeRawBufferPointer, _ place: @autoclosure () -> BanyanError.Location) -> Cell? {
        if bytes.count <= Text.inlineCapacity { return Text.inlineCell(bytes) }
        guard bytes.count <= Text.maximumCount else {
            fail(
                BanyanError(
                    .valueTooLong, "a value of \(bytes.count) bytes is over the limit of \(Text.maximumCount)",
                    remedy: "Keep large contents in files and store their names", at: place()))
            return nil
        }
        return memory.makeText(bytes.baseAddress.unsafelyUnwrapped, count: bytes.count)
    }

    func discardText(_ cell: Cell) {
        guard !cell.isNull, Text.isBlock(cell) else { return }
        memory.discard(text: cell)
    }

    /// The object's page for reading; fails the transaction when the object is gone.
    func existing(_ id: ObjectID, _ column: Int) -> (UnsafeRawPointer, Int)? {
        guard view.contains(id) else {
            fail(
                BanyanError(
                    .invalidatedObject, "the object was deleted, or its creation was rolled back",
                    remedy: "Ask `isInvalidated` first, or look the object up again",
                    at: layout.tables[Int(id.table)].location(column, object: "\(id)")))
            return nil
        }
        return (page(Int(id.table), slot: Int(id.slot)), Int(id.slot) & Page.slotMask)
    }

    private func failKeyChange(_ id: ObjectID, _ column: Int) {
        fail(
            BanyanError(
                .primaryKeyChanged, "the primary key of a stored object cannot be changed",
                remedy: "Create an object with the new key and delete this one",
                at: layout.tables[Int(id.table)].location(column, object: "\(id)")))
    }

    private func failMismatch(_ value: Value, _ id: ObjectID, _ column: Int) {
        let table = layout.tables[Int(id.table)]
        fail(
            BanyanError(
                .invalidValue, "\(value) does not fit \(table.type.properties[column].typeDescription)",
                at: table.location(column, object: "\(id)")))
    }
}

extension Transaction {
    /// The page of an object that is there.
    package func page(of id: ObjectID) -> UnsafeRawPointer { page(Int(id.table), slot: Int(id.slot)) }

    /// Counts a property as written though its value is the same: for updates that are asked to write everything.
    package func touch(_ id: ObjectID, _ column: Int) {
        Page.mark(writablePage(Int(id.table), slot: Int(id.slot)), slot: Int(id.slot) & Page.slotMask, column: column)
    }
}
