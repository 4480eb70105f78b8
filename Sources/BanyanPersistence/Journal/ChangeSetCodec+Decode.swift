package import BanyanCore

extension ChangeSetCodec {
    /// A payload as untyped values, old ones included. Needs only the schema, not the graph; so what a link leads to is not
    /// checked. O(size of the change).
    ///
    /// - Throws: `damaged` for bytes that are no payload under this schema.
    package static func decode(_ payload: [UInt8], layout: StoreLayout) throws(BanyanError) -> CommitRecord {
        var objects: [CommitRecord.ObjectEntry] = []
        let metadata = try decodeEntries(CommitPayload(payload), layout) { objects.append($0) }
        return CommitRecord(metadata: metadata, objects: objects)
    }

    /// Decodes an object at a time: a commit takes no more memory than its largest object, where its payload is left in the
    /// file. What is wrong with the payload may show only after some of them.
    ///
    /// - Throws: `damaged`, `unsupportedFormat`, `io`; what `body` throws.
    package static func forEachEntry(
        _ payload: CommitPayload, layout: StoreLayout, _ body: (CommitRecord.ObjectEntry) throws -> Void
    ) throws {
        var failure: (any Error)?
        do throws(BanyanError) {
            _ = try decodeEntries(payload, layout) { entry throws(PayloadFault) in
                do { try body(entry) } catch {
                    failure = error
                    throw PayloadFault("its reader stopped")
                }
            }
        } catch {
            throw failure ?? error
        }
    }

    private static func decodeEntries(
        _ payload: CommitPayload, _ layout: StoreLayout,
        _ body: (CommitRecord.ObjectEntry) throws(PayloadFault) -> Void
    ) throws(BanyanError) -> CommitMetadata {
        try withStreams(payload) { header, forward, backward throws(PayloadFault) in
            let decoder = CommitDecoder(layout: layout)
            try decoder.decode(forward, backward, body)
            // Of use to replay only.
            if header.hasSpent { try decoder.forEachID(forward) { _ throws(PayloadFault) in } }
            try forward.finish()
            try backward.finish()
            return header.metadata
        }
    }

    /// Splits a payload into its parts, wherever it is; what `body` finds wrong becomes an error.
    static func withStreams<R>(
        _ payload: CommitPayload,
        _ body: (Header, PayloadStream, PayloadStream) throws(PayloadFault) -> R
    ) throws(BanyanError) -> R {
        switch payload.place {
        case .memory(let bytes):
            let result: Result<R, BanyanError> = bytes.withUnsafeBytes { raw in
                do throws(BanyanError) {
                    return .success(try withStreams(PayloadStream(raw), body))
                } catch {
                    return .failure(error)
                }
            }
            return try result.get()
        case .file(let placed):
            return try withStreams(PayloadStream(placed, 0..<placed.count), body)
        }
    }

    private static func withStreams<R>(
        _ whole: PayloadStream, _ body: (Header, PayloadStream, PayloadStream) throws(PayloadFault) -> R
    ) throws(BanyanError) -> R {
        var parts = [whole]
        var unreadable: BanyanError?
        do throws(PayloadFault) {
            let form = try whole.read { reader throws(PayloadFault) in try reader.byte() }
            if let error = unsupported(form) {
                unreadable = error
                throw PayloadFault("its form is unknown")
            }
            let header = try whole.read { reader throws(PayloadFault) in try Self.header(&reader) }
            let count = try whole.count()
            let forward = try whole.part(count)
            parts.append(forward)
            let backward = try whole.part(behind: count)
            parts.append(backward)
            return try body(header, forward, backward)
        } catch {
            let unread = parts.compactMap { $0.failure }.first
            throw unreadable ?? unread ?? failure(error)
        }
    }
}

/// Reads the forward and the backward part side by side, as they were written.
private struct CommitDecoder {
    let layout: StoreLayout

    func decode(
        _ forward: PayloadStream, _ backward: PayloadStream,
        _ body: (CommitRecord.ObjectEntry) throws(PayloadFault) -> Void
    ) throws(PayloadFault) {
        try forEachID(forward) { id throws(PayloadFault) in
            let properties = try backward.read { reader throws(PayloadFault) in
                try wholeObject(id, &reader, isNew: false)
            }
            try body(CommitRecord.ObjectEntry(kind: .deleted, id: id, properties: properties))
        }
        // Which objects are new stands before what the first of them holds: one reader goes on to that, another follows.
        let ids = try forward.fork()
        try forEachID(forward) { _ throws(PayloadFault) in }
        try forEachID(ids) { id throws(PayloadFault) in
            let properties = try forward.read { reader throws(PayloadFault) in
                try wholeObject(id, &reader, isNew: true)
            }
            try body(CommitRecord.ObjectEntry(kind: .created, id: id, properties: properties))
        }
        try forEachGroup(forward) { table, count throws(PayloadFault) in
            var next = 0
            for _ in 0..<count {
                let entry = try forward.read(with: backward) {
                    [start = next] forward, backward throws(PayloadFault) -> CommitRecord.ObjectEntry in
                    var next = start
                    let id = try forward.id(table, &next)
                    let properties = try changedProperties(layout.tables[table], &forward, &backward)
                    return CommitRecord.ObjectEntry(kind: .modified, id: id, properties: properties)
                }
                next = Int(entry.id.slot) + 1
                try body(entry)
            }
        }
    }

    private func forEachGroup(
        _ stream: PayloadStream, _ body: (Int, Int) throws(PayloadFault) -> Void
    ) throws(PayloadFault) {
        var nextTable = 0
        for _ in 0..<(try stream.count(ofItemsOf: 3)) {
            let table = try stream.read { reader throws(PayloadFault) in
                try reader.number(below: layout.tables.count, "the table")
            }
            guard table >= nextTable else { throw PayloadFault("tables are out of order") }
            nextTable = table + 1
            try body(table, try stream.count())
        }
    }

    func forEachID(
        _ stream: PayloadStream, _ body: (ObjectID) throws(PayloadFault) -> Void
    ) throws(PayloadFault) {
        try forEachGroup(stream) { table, count throws(PayloadFault) in
            var next = 0
            for _ in 0..<count {
                let id = try stream.read { [start = next] reader throws(PayloadFault) -> ObjectID in
                    var next = start
                    return try reader.id(table, &next)
                }
                next = Int(id.slot) + 1
                try body(id)
            }
        }
    }

    // MARK: - Whole objects

    private func wholeObject(
        _ id: ObjectID, _ reader: inout PayloadReader, isNew: Bool
    ) throws(PayloadFault) -> [CommitRecord.PropertyEntry] {
        let table = layout.tables[Int(id.table)]
        let mask = try reader.bytes((table.propertyCount + 7) / 8)
        if mask.count * 8 > table.propertyCount, let last = mask.last, last >> UInt8(table.propertyCount & 7) != 0 {
            throw PayloadFault("an object names properties its type does not have")
        }
        var result: [CommitRecord.PropertyEntry] = []
        for column in 0..<table.propertyCount where mask[column >> 3] >> UInt8(column & 7) & 1 != 0 {
            let info = table.columns[column]
            guard info.isStored else { throw PayloadFault("an inverse has a value") }
            let change: CommitRecord.Change
            if info.isCollection {
                change = try wholeCollection(info, &reader, isNew: isNew)
            } else {
                let value: Value =
                    info.kind.isBit && !info.isOptional
                    ? .bool(true) : try reader.value(info.kind, target: info.linkTarget)
                let nothing = Self.nothing(info)
                change = isNew ? .value(old: nothing, new: value) : .value(old: value, new: nothing)
            }
            result.append(CommitRecord.PropertyEntry(column: column, change: change))
        }
        return result
    }

    /// What a property holds before anything is set.
    private static func nothing(_ info: ColumnLayout) -> Value {
        if info.isOptional || info.kind.isZeroNil { return .null }
        return info.kind.isText
            ? Value(Text.inlineCell(UnsafeRawBufferPointer(start: nil, count: 0)), info.kind) : Value(Cell(), info.kind)
    }

    private func wholeCollection(
        _ info: ColumnLayout, _ reader: inout PayloadReader, isNew: Bool
    ) throws(PayloadFault) -> CommitRecord.Change {
        let count = try reader.count()
        switch info.shape {
        case .map:
            let entries = try self.entries(count, info, &reader)
            return isNew
                ? .map(removed: [], inserted: entries, changed: []) : .map(removed: entries, inserted: [], changed: [])
        case .set:
            let values = try self.values(count, info, &reader)
            return isNew ? .set(removed: [], inserted: values) : .set(removed: values, inserted: [])
        case .list, .single, .inverse:
            let values = try self.values(count, info, &reader)
            return .list([isNew ? .inserted(values) : .removed(values)])
        }
    }

    // MARK: - Changed properties

    private func changedProperties(
        _ table: TableLayout, _ forward: inout PayloadReader, _ backward: inout PayloadReader
    ) throws(PayloadFault) -> [CommitRecord.PropertyEntry] {
        var result: [CommitRecord.PropertyEntry] = []
        var next = 0
        for _ in 0..<(try forward.count()) {
            let code = try forward.number(below: (table.propertyCount - next) * 2, "the property")
            let column = next + code >> 1
            next = column + 1
            let info = table.columns[column]
            guard info.isStored, !info.isKey else { throw PayloadFault("a property is changed that cannot be") }
            let change = try self.change(info, isNil: code & 1 != 0, &forward, &backward)
            result.append(CommitRecord.PropertyEntry(column: column, change: change))
        }
        return result
    }

    private func change(
        _ info: ColumnLayout, isNil: Bool, _ forward: inout PayloadReader, _ backward: inout PayloadReader
    ) throws(PayloadFault) -> CommitRecord.Change {
        guard info.isCollection else {
            guard !isNil || info.isOptional || info.kind.isZeroNil else {
                throw PayloadFault("a property that needs a value becomes nil")
            }
            let new = isNil ? .null : try forward.value(info.kind, target: info.linkTarget)
            let old = try backward.value(nilable: info.kind, isOptional: info.isOptional, target: info.linkTarget)
            return .value(old: old, new: new)
        }
        guard !isNil else { throw PayloadFault("a collection is nil") }
        switch info.shape {
        case .set:
            let removed = try values(try forward.count(), info, &forward)
            return .set(removed: removed, inserted: try values(try forward.count(), info, &forward))
        case .map: return try mapChange(info, &forward, &backward)
        case .list, .single, .inverse: return try listEdits(info, &forward, &backward)
        }
    }

    private func listEdits(
        _ info: ColumnLayout, _ forward: inout PayloadReader, _ backward: inout PayloadReader
    ) throws(PayloadFault) -> CommitRecord.Change {
        var edits: [CommitRecord.ListEdit] = []
        for _ in 0..<(try forward.count()) {
            let header = try forward.number(below: 1 << 34, "the run")
            let count = header >> 2
            guard count > 0 else { throw PayloadFault("a run is empty") }
            switch header & 3 {
            case ChangeSetCodec.ListOperation.kept: edits.append(.kept(count))
            case ChangeSetCodec.ListOperation.inserted: edits.append(.inserted(try values(count, info, &forward)))
            case ChangeSetCodec.ListOperation.removed: edits.append(.removed(try values(count, info, &backward)))
            default:
                let new = try values(count, info, &forward)
                edits.append(.set(old: try values(count, info, &backward), new: new))
            }
        }
        return .list(edits)
    }

    private func mapChange(
        _ info: ColumnLayout, _ forward: inout PayloadReader, _ backward: inout PayloadReader
    ) throws(PayloadFault) -> CommitRecord.Change {
        var removed: [CommitRecord.MapEntry] = []
        for _ in 0..<(try forward.count()) {
            let key = try key(info, &forward)
            removed.append(CommitRecord.MapEntry(key: key, value: try value(info, &backward)))
        }
        let inserted = try entries(try forward.count(), info, &forward)
        var changed: [CommitRecord.MapChange] = []
        for _ in 0..<(try forward.count()) {
            let key = try key(info, &forward)
            let new = try value(info, &forward)
            changed.append(CommitRecord.MapChange(key: key, old: try value(info, &backward), new: new))
        }
        return .map(removed: removed, inserted: inserted, changed: changed)
    }

    // MARK: - Elements

    private func value(_ info: ColumnLayout, _ reader: inout PayloadReader) throws(PayloadFault) -> Value {
        guard let element = info.element else { return .null }
        return try reader.value(nilable: element.kind, isOptional: element.isOptional, target: info.linkTarget)
    }

    private func values(
        _ count: Int, _ info: ColumnLayout, _ reader: inout PayloadReader
    ) throws(PayloadFault) -> [Value] {
        guard count <= reader.remaining else { throw PayloadReader.short() }
        var result: [Value] = []
        for _ in 0..<count { result.append(try value(info, &reader)) }
        return result
    }

    private func key(_ info: ColumnLayout, _ reader: inout PayloadReader) throws(PayloadFault) -> Value {
        guard let kind = info.element?.key else { return .null }
        return try reader.value(kind, target: -1)
    }

    private func entries(
        _ count: Int, _ info: ColumnLayout, _ reader: inout PayloadReader
    ) throws(PayloadFault) -> [CommitRecord.MapEntry] {
        guard count <= reader.remaining else { throw PayloadReader.short() }
        var result: [CommitRecord.MapEntry] = []
        for _ in 0..<count {
            let key = try key(info, &reader)
            result.append(CommitRecord.MapEntry(key: key, value: try value(info, &reader)))
        }
        return result
    }
}

extension PayloadReader {
    /// An object of a group: see `ChangeSetEncoder.put(_:_:)`.
    @inline(__always)
    mutating func id(_ table: Int, _ next: inout Int) throws(PayloadFault) -> ObjectID {
        let code = try number(below: 1 << 33, "the slot")
        let slot = next + code >> 1
        guard slot <= UInt32.max else { throw PayloadFault("the slot \(slot) is too high") }
        next = slot + 1
        guard code & 1 != 0 else { return ObjectID(table: table, slot: slot, generation: 0) }
        let generation = try number(below: 1 << 32, "the generation")
        guard generation > 0 else { throw PayloadFault("a generation of 0 is written") }
        return ObjectID(table: table, slot: slot, generation: UInt32(generation))
    }
}
