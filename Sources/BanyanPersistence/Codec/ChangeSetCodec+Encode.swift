package import BanyanCore

extension ChangeSetCodec {
    /// The payload of a commit's journal record. O(size of the change).
    package static func encode(_ changes: ChangeSet, metadata: CommitMetadata = CommitMetadata()) -> [UInt8] {
        var encoder = ChangeSetEncoder(changes)
        encoder.encodeAll()
        var out = PayloadWriter(capacity: encoder.forward.bytes.count + encoder.backward.bytes.count + 8)
        out.put(byte: form)
        var flags: UInt8 = 0
        if metadata.author != nil { flags |= Flags.author }
        if metadata.reason != nil { flags |= Flags.reason }
        if metadata.requestID != nil { flags |= Flags.requestID }
        let growth = encoder.growth
        if growth > freeGrowth { flags |= Flags.growth }
        out.put(byte: flags)
        for text in [metadata.author, metadata.reason, metadata.requestID] {
            if let text { out.put(text: text) }
        }
        if growth > freeGrowth {
            out.put(count: growth - freeGrowth)
            out.bytes += [UInt8](repeating: 0, count: growth - freeGrowth)
        }
        out.put(count: encoder.forward.bytes.count)
        out.bytes += encoder.forward.bytes
        out.bytes += encoder.backward.bytes
        return out.bytes
    }
}

/// Writes the forward and the backward part of one change set side by side.
struct ChangeSetEncoder {
    let changes: ChangeSet
    let layout: StoreLayout
    var forward = PayloadWriter(capacity: 64)
    var backward = PayloadWriter(capacity: 64)

    private struct TableGroup {
        var table: Int
        var deleted: [ObjectID] = []
        var created: [ObjectID] = []
        var modified: [ObjectChange] = []
    }

    init(_ changes: ChangeSet) {
        self.changes = changes
        layout = changes.after.lineage.layout
    }

    /// Pages that the tables grew by.
    var growth: Int {
        changes.tables.reduce(0) { sum, table in
            sum + changes.after.view.pageCount(table.table) - changes.before.view.pageCount(table.table)
        }
    }

    mutating func encodeAll() {
        let groups = changes.tables.map { table in
            var group = TableGroup(table: table.table)
            changes.forEachObject(of: table) { change in
                switch change.kind {
                case .deleted: group.deleted.append(change.id)
                case .created: group.created.append(change.id)
                case .modified: group.modified.append(change)
                }
            }
            return group
        }
        putIDs(groups.map { ($0.table, $0.deleted) })
        for group in groups {
            for id in group.deleted { Self.putObject(id, in: changes.before.view, to: &backward) }
        }
        putIDs(groups.map { ($0.table, $0.created) })
        for group in groups {
            for id in group.created { Self.putObject(id, in: changes.after.view, to: &forward) }
        }
        putModifications(groups)
    }

    // MARK: - Which objects

    private mutating func putIDs(_ groups: [(table: Int, ids: [ObjectID])]) {
        forward.put(count: groups.count { !$0.ids.isEmpty })
        for (table, ids) in groups where !ids.isEmpty {
            forward.put(count: table)
            forward.put(count: ids.count)
            var next = 0
            for id in ids { put(id, &next) }
        }
    }

    /// The distance from the slot before, doubled, plus one when a generation follows because it is not 0.
    private mutating func put(_ id: ObjectID, _ next: inout Int) {
        forward.put(count: (Int(id.slot) - next) << 1 | (id.generation == 0 ? 0 : 1))
        if id.generation != 0 { forward.put(varint: UInt64(id.generation)) }
        next = Int(id.slot) + 1
    }

    // MARK: - Whole objects

    /// A bit for each property that is not zero, nil or empty, then the values of those. A true Bool is told by its bit.
    private static func putObject(_ id: ObjectID, in view: GraphView, to out: inout PayloadWriter) {
        // Static: a method of the encoder would hold a second reference to the bytes it adds to, and copy them all.
        let table = view.layout.tables[Int(id.table)]
        guard let page = view.page(Int(id.table), slot: Int(id.slot)) else { return }
        let slot = Int(id.slot) & Page.slotMask
        let maskStart = out.bytes.count
        for _ in 0..<((table.propertyCount + 7) / 8) { out.put(byte: 0) }
        for column in 0..<table.propertyCount {
            let info = table.columns[column]
            guard info.isStored else { continue }
            if info.isCollection {
                guard table.page.columns[column].word(page, slot) != 0 else { continue }
                putElements(CollectionRef(id.ref, column), info, in: view, to: &out)
            } else {
                let cell = table.page.columns[column].load(info.kind, page, slot)
                guard !info.isDefault(cell) else { continue }
                if info.kind != .bool || info.isOptional { out.put(cell, info.kind) }
            }
            out.bytes[maskStart + column >> 3] |= 1 << UInt8(column & 7)
        }
    }

    private static func putElements(
        _ c: CollectionRef, _ info: ColumnLayout, in view: GraphView, to out: inout PayloadWriter
    ) {
        out.put(count: view.elementCount(c))
        let element = view.elementLayout(c)
        view.forEachElement(c) { key, value in
            if let kind = element.key { out.put(key, kind) }
            out.put(nilable: value, element.kind, isOptional: element.isOptional)
            return true
        }
    }

    // MARK: - Changed properties

    private mutating func putModifications(_ groups: [TableGroup]) {
        let groups = groups.map { group in
            var visible = group
            let count = layout.tables[group.table].propertyCount
            visible.modified = group.modified.filter { $0.columns.first.map { $0 < count } ?? false }
            return visible
        }
        forward.put(count: groups.count { !$0.modified.isEmpty })
        for group in groups where !group.modified.isEmpty {
            forward.put(count: group.table)
            forward.put(count: group.modified.count)
            let table = layout.tables[group.table]
            var next = 0
            for change in group.modified {
                put(change.id, &next)
                let columns = change.columns.prefix { $0 < table.propertyCount }
                forward.put(count: columns.count)
                var nextColumn = 0
                for column in columns {
                    putChange(of: change.id.ref, column, table.columns[column], after: nextColumn)
                    nextColumn = column + 1
                }
            }
        }
    }

    /// The distance from the column before, doubled, plus one where the new value is nil; then the new value.
    private mutating func putChange(of ref: ObjectRef, _ column: Int, _ info: ColumnLayout, after next: Int) {
        let c = CollectionRef(ref, column)
        guard info.isCollection else {
            let new = changes.after.view.cell(ref, column)
            forward.put(count: (column - next) << 1 | (new.isNull ? 1 : 0))
            if !new.isNull { forward.put(new, info.kind) }
            backward.put(nilable: changes.before.view.cell(ref, column), info.kind, isOptional: info.isOptional)
            return
        }
        forward.put(count: (column - next) << 1)
        switch info.shape {
        case .list: putListEdits(c)
        case .set: putSetChange(c)
        case .map: putMapChange(c)
        case .single, .inverse: break
        }
    }
}

extension ColumnLayout {
    /// Whether a new object holds this value before anything is set.
    func isDefault(_ cell: Cell) -> Bool {
        cell.isNull || (!isOptional && cell.low == 0 && cell.high == 0)
    }
}
