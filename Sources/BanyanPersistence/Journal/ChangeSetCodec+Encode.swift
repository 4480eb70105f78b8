package import BanyanCore

extension ChangeSetCodec {
    /// The payload of a commit's journal record. O(size of the change).
    package static func encode(_ changes: ChangeSet, metadata: CommitMetadata = CommitMetadata()) -> [UInt8] {
        var encoder = ChangeSetEncoder(changes)
        encoder.putHeader(metadata)
        encoder.encodeAll()
        return encoder.finish()
    }
}

/// Writes the forward and the backward part of one change set side by side: the forward part behind the header it has in the
/// payload, so that a small commit is two arrays in all.
///
/// It goes over the changed pages once for each section. What a page says of its slots is a few words, cheaper to work out
/// again than to keep.
struct ChangeSetEncoder {
    let changes: ChangeSet
    let layout: StoreLayout
    var forward = PayloadWriter(capacity: 96)
    var backward = PayloadWriter(capacity: 32)
    /// Where the forward part begins, behind one byte for its length.
    private var start = 0
    private var hasSpent = false

    init(_ changes: ChangeSet) {
        self.changes = changes
        layout = changes.after.lineage.layout
    }

    // MARK: - Around the parts

    mutating func putHeader(_ metadata: CommitMetadata) {
        forward.put(byte: ChangeSetCodec.form)
        var flags: UInt8 = 0
        if metadata.author != nil { flags |= ChangeSetCodec.Flags.author }
        if metadata.reason != nil { flags |= ChangeSetCodec.Flags.reason }
        if metadata.requestID != nil { flags |= ChangeSetCodec.Flags.requestID }
        let growth = growth - ChangeSetCodec.freeGrowth
        if growth > 0 { flags |= ChangeSetCodec.Flags.growth }
        hasSpent = changes.tables.contains { $0.pages.contains { $0.spent != 0 } }
        if hasSpent { flags |= ChangeSetCodec.Flags.spent }
        forward.put(byte: flags)
        if let text = metadata.author { forward.put(text: text) }
        if let text = metadata.reason { forward.put(text: text) }
        if let text = metadata.requestID { forward.put(text: text) }
        if growth > 0 {
            forward.put(count: growth)
            forward.bytes.append(contentsOf: repeatElement(0, count: growth))
        }
        forward.put(byte: 0)
        start = forward.bytes.count
    }

    mutating func finish() -> [UInt8] {
        let count = forward.bytes.count - start
        if count < 0x80 {
            forward.bytes[start - 1] = UInt8(count)
        } else {
            var length = PayloadWriter(capacity: 16)
            length.put(count: count)
            forward.bytes.replaceSubrange(start - 1..<start, with: length.bytes)
        }
        forward.bytes.append(contentsOf: backward.bytes)
        return forward.bytes
    }

    /// Pages that the tables grew by.
    private var growth: Int {
        var sum = 0
        for table in changes.tables {
            sum += changes.after.view.pageCount(table.table) - changes.before.view.pageCount(table.table)
        }
        return sum
    }

    mutating func encodeAll() {
        putIDs(.deleted)
        for table in changes.tables {
            let layout = layout.tables[table.table]
            for page in table.pages {
                guard let old = page.old else { continue }
                var slots = page.slots.deleted
                while let slot = Self.next(&slots) {
                    let place = Place(page: old, index: page.index, slot: slot)
                    Self.putObject(layout, place, in: changes.before.view, to: &backward)
                }
            }
        }
        putIDs(.created)
        for table in changes.tables {
            let layout = layout.tables[table.table]
            for page in table.pages {
                var slots = page.slots.created
                while let slot = Self.next(&slots) {
                    let place = Place(page: page.new, index: page.index, slot: slot)
                    Self.putObject(layout, place, in: changes.after.view, to: &forward)
                }
            }
        }
        putModifications()
        if hasSpent { putIDs(.spent) }
    }

    /// Takes the lowest bit.
    @inline(__always)
    private static func next(_ bits: inout UInt64) -> Int? {
        guard bits != 0 else { return nil }
        defer { bits &= bits &- 1 }
        return bits.trailingZeroBitCount
    }

    /// An object by where it stands.
    private struct Place {
        let page: UnsafeRawPointer
        /// The page's number in its table.
        let index: Int
        let slot: Int

        var tableSlot: Int { index << Page.slotBits | slot }
    }

    // MARK: - Which objects

    private enum Kind { case deleted, created, spent }

    private static func slots(_ kind: Kind, _ page: ChangeSet.PageChange) -> UInt64 {
        switch kind {
        case .deleted: page.slots.deleted
        case .created: page.slots.created
        case .spent: page.spent
        }
    }

    private mutating func putIDs(_ kind: Kind) {
        func count(_ table: ChangeSet.TableChanges) -> Int {
            var sum = 0
            for page in table.pages { sum += Self.slots(kind, page).nonzeroBitCount }
            return sum
        }
        forward.put(count: changes.tables.count { count($0) > 0 })
        for table in changes.tables {
            let count = count(table)
            guard count > 0 else { continue }
            forward.put(count: table.table)
            forward.put(count: count)
            var next = 0
            for page in table.pages {
                guard let source = kind == .deleted ? page.old : page.new else { continue }
                var slots = Self.slots(kind, page)
                while let slot = Self.next(&slots) { put(Place(page: source, index: page.index, slot: slot), &next) }
            }
        }
    }

    /// The distance from the slot before, doubled, plus one when a generation follows because it is not 0.
    private mutating func put(_ place: Place, _ next: inout Int) {
        let generation = Page.generation(place.page, place.slot)
        forward.put(count: (place.tableSlot - next) << 1 | (generation == 0 ? 0 : 1))
        if generation != 0 { forward.put(varint: UInt64(generation)) }
        next = place.tableSlot + 1
    }

    // MARK: - Whole objects

    /// A bit for each property that is not zero, nil or empty, then the values of those. A true Bool is told by its bit.
    private static func putObject(
        _ table: TableLayout, _ place: Place, in view: GraphView, to out: inout PayloadWriter
    ) {
        // Static: a method of the encoder would hold a second reference to the bytes it adds to, and copy them all.
        let (page, slot) = (place.page, place.slot)
        let maskStart = out.bytes.count
        for _ in 0..<((table.propertyCount + 7) / 8) { out.put(byte: 0) }
        for column in 0..<table.propertyCount {
            let info = table.columns[column]
            guard info.isStored else { continue }
            if info.isCollection {
                guard table.page.columns[column].root(page, slot) != 0 else { continue }
                let owner = ObjectRef(table: table.table, slot: place.tableSlot)
                putElements(CollectionRef(owner, column), info, in: view, to: &out)
            } else {
                let cell = table.page.columns[column].load(info.kind, page, slot)
                guard !info.isDefault(cell) else { continue }
                if !info.kind.isBit || info.isOptional { out.put(cell, info.kind, target: info.linkTarget) }
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
            if let kind = element.key { out.put(key, kind, target: -1) }
            out.put(nilable: value, element.kind, isOptional: element.isOptional, target: info.linkTarget)
            return true
        }
    }

    // MARK: - Changed properties

    /// How many of a kept object's properties differ, inverse links not counted.
    private func differenceCount(_ page: ChangeSet.PageChange, _ slot: Int, _ table: TableLayout) -> Int {
        let visible = table.propertyCount
        var count = 0
        page.forEachDifference(table, slot: slot) { if $0 < visible { count += 1 } }
        return count
    }

    private func modifiedCount(_ changes: ChangeSet.TableChanges) -> Int {
        let table = layout.tables[changes.table]
        var count = 0
        for page in changes.pages {
            var slots = page.slots.kept
            while let slot = Self.next(&slots) { count += differenceCount(page, slot, table) > 0 ? 1 : 0 }
        }
        return count
    }

    private mutating func putModifications() {
        let counts = changes.tables.map { modifiedCount($0) }
        forward.put(count: counts.count { $0 > 0 })
        for (table, count) in zip(changes.tables, counts) where count > 0 {
            forward.put(count: table.table)
            forward.put(count: count)
            let layout = layout.tables[table.table]
            var next = 0
            for page in table.pages {
                var slots = page.slots.kept
                while let slot = Self.next(&slots) { putModification(page, slot, layout, &next) }
            }
        }
    }

    private mutating func putModification(
        _ page: ChangeSet.PageChange, _ slot: Int, _ table: TableLayout, _ next: inout Int
    ) {
        let count = differenceCount(page, slot, table)
        guard count > 0 else { return }
        let place = Place(page: page.new, index: page.index, slot: slot)
        put(place, &next)
        forward.put(count: count)
        let owner = ObjectRef(table: table.table, slot: place.tableSlot)
        let visible = table.propertyCount
        var nextColumn = 0
        page.forEachDifference(table, slot: slot) { column in
            guard column < visible else { return }
            putChange(of: CollectionRef(owner, column), table, page, slot, after: nextColumn)
            nextColumn = column + 1
        }
    }

    /// The distance from the column before, doubled, plus one where the new value is nil; then the new value.
    private mutating func putChange(
        of c: CollectionRef, _ table: TableLayout, _ page: ChangeSet.PageChange, _ slot: Int, after next: Int
    ) {
        let info = table.columns[c.column]
        let distance = (c.column - next) << 1
        guard info.isCollection else {
            guard let old = page.old else { return }
            let place = table.page.columns[c.column]
            let new = place.load(info.kind, page.new, slot)
            forward.put(count: distance | (new.isNull ? 1 : 0))
            if !new.isNull { forward.put(new, info.kind, target: info.linkTarget) }
            backward.put(
                nilable: place.load(info.kind, old, slot), info.kind, isOptional: info.isOptional,
                target: info.linkTarget)
            return
        }
        forward.put(count: distance)
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
