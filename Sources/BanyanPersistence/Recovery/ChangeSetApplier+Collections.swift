import BanyanCore

// Collections of a payload: what new objects hold, and what became of others'.

extension ChangeSetApplier {
    mutating func insertAll(
        _ id: ObjectID, _ column: Int, _ info: ColumnLayout, _ reader: inout PayloadReader
    ) throws(PayloadFault) {
        guard let element = info.element else { return }
        let count = try reader.count()
        guard count > 0 else { throw PayloadFault("an empty collection is written") }
        switch info.shape {
        case .list:
            let cells = try cells(count, info, element, &reader)
            for cell in cells { note(cell, info.kind) }
            transaction.listInsert(id, column, at: 0, cells)
        case .set:
            for cell in try cells(count, info, element, &reader) where !transaction.setInsert(id, column, cell) {
                throw PayloadFault("a set holds a value twice")
            }
        case .map:
            for _ in 0..<count {
                let key = try key(element, &reader)
                if transaction.mapValue(id, column, key: key) != nil { throw PayloadFault("a map holds a key twice") }
                let cell = try self.cell(info, element, &reader)
                note(cell, info.kind)
                transaction.mapSet(id, column, key: key, cell)
            }
        case .single, .inverse: break
        }
    }

    mutating func editList(
        _ id: ObjectID, _ column: Int, _ info: ColumnLayout, _ reader: inout PayloadReader
    ) throws(PayloadFault) {
        guard let element = info.element else { return }
        let c = CollectionRef(id.ref, column)
        var count = transaction.view.elementCount(c)
        var at = 0
        for _ in 0..<(try reader.count()) {
            let header = try reader.number(below: 1 << 34, "the run")
            let length = header >> 2
            guard length > 0 else { throw PayloadFault("a run is empty") }
            if header & 3 != ChangeSetCodec.ListOperation.inserted, length > count - at {
                throw PayloadFault("an edit runs past the end of its list")
            }
            switch header & 3 {
            case ChangeSetCodec.ListOperation.kept: at += length
            case ChangeSetCodec.ListOperation.removed:
                note(c, at..<(at + length), info.kind)
                transaction.listRemove(id, column, at..<(at + length))
                count -= length
            case ChangeSetCodec.ListOperation.inserted:
                let cells = try cells(length, info, element, &reader)
                for cell in cells { note(cell, info.kind) }
                transaction.listInsert(id, column, at: at, cells)
                count += length
                at += length
            default:
                note(c, at..<(at + length), info.kind)
                for _ in 0..<length {
                    let cell = try cell(info, element, &reader)
                    note(cell, info.kind)
                    transaction.listSet(id, column, at: at, cell)
                    at += 1
                }
            }
        }
    }

    func changeSet(
        _ id: ObjectID, _ column: Int, _ info: ColumnLayout, _ reader: inout PayloadReader
    ) throws(PayloadFault) {
        guard let element = info.element else { return }
        for _ in 0..<(try reader.count()) {
            let cell = try cell(info, element, &reader)
            defer { transaction.dropText(cell, element.kind) }
            guard transaction.setRemove(id, column, cell) else {
                throw PayloadFault("a value leaves a set it is not in")
            }
        }
        for _ in 0..<(try reader.count()) {
            guard transaction.setInsert(id, column, try cell(info, element, &reader)) else {
                throw PayloadFault("a value comes into a set it is in")
            }
        }
    }

    mutating func changeMap(
        _ id: ObjectID, _ column: Int, _ info: ColumnLayout, _ reader: inout PayloadReader
    ) throws(PayloadFault) {
        guard let element = info.element, let kind = element.key else { return }
        for _ in 0..<(try reader.count()) {
            let key = try key(element, &reader)
            defer { transaction.dropText(key, kind) }
            if let old = transaction.mapValue(id, column, key: key) { note(old, info.kind) }
            guard transaction.mapRemove(id, column, key: key) else {
                throw PayloadFault("a key leaves a map it is not in")
            }
        }
        for isThere in [false, true] {
            for _ in 0..<(try reader.count()) {
                let key = try key(element, &reader)
                let old = transaction.mapValue(id, column, key: key)
                guard (old != nil) == isThere else {
                    throw PayloadFault(
                        isThere ? "a key changes that is not in the map" : "a key comes into a map it is in")
                }
                let new = try cell(info, element, &reader)
                if let old { note(old, info.kind) }
                note(new, info.kind)
                transaction.mapSet(id, column, key: key, new)
            }
        }
    }

    // MARK: - Elements

    /// An element as a cell of the transaction.
    func cell(
        _ info: ColumnLayout, _ element: ElementLayout, _ reader: inout PayloadReader
    ) throws(PayloadFault) -> Cell {
        if element.isOptional, try !reader.flag() { return .null }
        switch element.kind.form {
        case .text: return try text(try reader.text(of: element.kind))
        case .any: return try any(&reader)
        case .bit, .int8, .int16, .int32, .int64, .float32, .float64, .bytes12, .bytes16, .link:
            let cell = try reader.cell(element.kind, target: info.linkTarget)
            guard !cell.isNull || element.key != nil else { throw PayloadFault("a collection holds a link to nothing") }
            return cell
        }
    }

    func cells(
        _ count: Int, _ info: ColumnLayout, _ element: ElementLayout, _ reader: inout PayloadReader
    ) throws(PayloadFault) -> [Cell] {
        guard count <= reader.remaining else { throw PayloadReader.short() }
        var result: [Cell] = []
        result.reserveCapacity(count)
        for _ in 0..<count { result.append(try cell(info, element, &reader)) }
        return result
    }

    func any(_ reader: inout PayloadReader) throws(PayloadFault) -> Cell {
        let place = layout.tables[Int(id.table)].location(column)
        guard let cell = transaction.makeAny(try reader.anyValue(), place) else {
            throw PayloadFault("a text is over the limit")
        }
        return cell
    }

    func key(_ element: ElementLayout, _ reader: inout PayloadReader) throws(PayloadFault) -> Cell {
        guard let kind = element.key else { return .null }
        return kind.form == .text ? try text(try reader.text(of: kind)) : try reader.cell(kind, target: -1)
    }

    func text(_ bytes: UnsafeRawBufferPointer) throws(PayloadFault) -> Cell {
        guard let cell = transaction.makeText(bytes, layout.tables[Int(id.table)].location(column)) else {
            throw PayloadFault("a text is over the limit")
        }
        return cell
    }

    // MARK: - Embedded objects that change owners

    mutating func note(_ cell: Cell, _ kind: ValueKind) {
        if let target = Self.owned(cell, kind) { unsettled.append(target) }
    }

    private static func owned(_ cell: Cell, _ kind: ValueKind) -> ObjectRef? {
        switch kind {
        case .embedded: return ObjectRef(word: cell.isNull ? 0 : cell.low)
        case .any:
            guard let link = AnyCell.link(cell), link.isOwned else { return nil }
            return link.target
        default: return nil
        }
    }

    /// All that an object owns, before it is deleted.
    mutating func noteAll(ownedBy ref: ObjectRef) {
        let table = layout.tables[ref.table]
        for column in table.linkColumns {
            if table.columns[column].isCollection {
                let c = CollectionRef(ref, column)
                note(c, 0..<transaction.view.elementCount(c), table.columns[column].kind)
            } else {
                note(transaction.view.cell(ref, column), table.columns[column].kind)
            }
        }
    }

    mutating func note(_ c: CollectionRef, _ range: Range<Int>, _ kind: ValueKind) {
        guard kind == .embedded || kind == .any else { return }
        var targets: [ObjectRef] = []
        transaction.view.forEachElement(c, range) { _, value in
            if let target = Self.owned(value, kind) { targets.append(target) }
            return true
        }
        unsettled += targets
    }
}
