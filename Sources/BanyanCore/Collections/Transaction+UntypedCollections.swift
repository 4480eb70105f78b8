// Collections by untyped values, for tools, replay and dynamic access.

extension Transaction {
    /// The cell for a value that is to be stored; nil, and the transaction failed, when it does not fit.
    ///
    /// Links that are not elements of a list or a set may be nil whatever `optional` says.
    package func makeCell(_ value: Value, _ kind: ValueKind, optional: Bool, _ id: ObjectID, _ column: Int) -> Cell? {
        func place() -> BanyanError.Location { layout.tables[Int(id.table)].location(column, object: "\(id)") }
        if kind.form == .any { return makeAny(value, place()) }
        if let text = value.withTextBytes(of: kind, { makeText($0, place()) }) { return text }
        let cell = kind.form == .text && !value.isNull ? nil : value.cell(as: kind)
        guard let cell, !cell.isNull || optional || (kind.isLink && mayLinkToNothing(id, column)) else {
            fail(BanyanError(.invalidValue, "\(value) does not fit \(kind.name)\(optional ? "?" : "")", at: place()))
            return nil
        }
        return cell
    }

    private func mayLinkToNothing(_ id: ObjectID, _ column: Int) -> Bool {
        switch layout.tables[Int(id.table)].columns[column].shape {
        case .single, .map: true
        case .list, .set, .inverse: false
        }
    }

    private func elementCell(_ value: Value, _ id: ObjectID, _ column: Int) -> Cell? {
        let element = layout.tables[Int(id.table)].columns[column].element.unsafelyUnwrapped
        return makeCell(value, element.kind, optional: element.isOptional, id, column)
    }

    func keyCell(_ value: Value, _ id: ObjectID, _ column: Int) -> Cell? {
        let element = layout.tables[Int(id.table)].columns[column].element.unsafelyUnwrapped
        return makeCell(value, element.key.unsafelyUnwrapped, optional: false, id, column)
    }

    package func listInsert(_ id: ObjectID, _ column: Int, at index: Int, _ values: [Value]) {
        var cells: [Cell] = []
        cells.reserveCapacity(values.count)
        for value in values {
            guard let cell = elementCell(value, id, column) else { return }
            cells.append(cell)
        }
        listInsert(id, column, at: index, cells)
    }

    package func listSet(_ id: ObjectID, _ column: Int, at index: Int, _ value: Value) {
        if let cell = elementCell(value, id, column) { listSet(id, column, at: index, cell) }
    }

    @discardableResult
    package func setInsert(_ id: ObjectID, _ column: Int, _ value: Value) -> Bool {
        elementCell(value, id, column).map { setInsert(id, column, $0) } ?? false
    }

    @discardableResult
    package func setRemove(_ id: ObjectID, _ column: Int, _ value: Value) -> Bool {
        guard let cell = elementCell(value, id, column) else { return false }
        defer { dropText(cell, layout.tables[Int(id.table)].columns[column].kind) }
        return setRemove(id, column, cell)
    }

    package func mapSet(_ id: ObjectID, _ column: Int, key: Value, _ value: Value) {
        if let key = keyCell(key, id, column), let value = elementCell(value, id, column) {
            mapSet(id, column, key: key, value)
        }
    }

    @discardableResult
    package func mapRemove(_ id: ObjectID, _ column: Int, key: Value) -> Bool {
        guard let cell = keyCell(key, id, column) else { return false }
        defer { if key.scalarKind?.form == .text { discardText(cell) } }
        return mapRemove(id, column, key: cell)
    }
}
