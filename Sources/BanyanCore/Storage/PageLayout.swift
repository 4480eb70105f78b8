/// How the columns of one type are laid out in a page.
///
/// A page (PAX) keeps a fixed number of objects, each property's values as one contiguous run at their natural width, so
/// that one object stays in one page and one property scans as one array. 64 slots make every bitmap one word: which slots
/// are taken, which Bools are true, which optionals have a value. An unmanaged object is a page of one slot with the same
/// columns.
package struct PageLayout: Sendable {
    package let slots: Int
    package let size: Int
    package let columns: [Column]

    /// What a column needs: a value's kind, or a word (collections, inverse links).
    package struct Need {
        let kind: ValueKind?
        let isOptional: Bool
        let flags: UInt32

        package init(kind: ValueKind?, isOptional: Bool, flags: UInt32) {
            self.kind = kind
            self.isOptional = isOptional
            self.flags = flags
        }
    }

    /// What stands where it stands in the pages of another type.
    struct Inherited {
        /// By column; nil for what is new.
        let places: [Column?]
        /// Bytes of those pages.
        let size: Int
    }

    package init(_ needs: [Need?], slots: Int) { self.init(needs, slots: slots, nil) }

    init(_ all: [Need?], slots: Int, _ inherited: Inherited?) {
        self.slots = slots
        var columns = inherited.map { $0.places.map { $0 ?? Column() } } ?? all.map { _ in Column() }
        let needs = all.indices.map { inherited?.places[$0] == nil ? all[$0] : nil }
        var offset = inherited?.size ?? Page.firstColumn

        // Widest first, so that nothing needs padding: bitmaps are words.
        for (i, need) in needs.enumerated() {
            guard let need else { continue }
            columns[i].flags = need.flags
            if columns[i].isApart {
                columns[i].valueOffset = UInt32(offset)
                offset += 8
            }
            if need.kind?.isBit ?? false {
                columns[i].valueOffset = UInt32(offset)
                offset += 8
            }
            if need.isOptional, let kind = need.kind, !kind.isZeroNil {
                columns[i].presenceOffset = UInt32(offset)
                offset += 8
            }
        }
        for width in [16, 8, 12, 4, 2, 1] {
            for (i, need) in needs.enumerated() {
                guard let need, !(need.kind?.isBit ?? false), !columns[i].isApart, (need.kind?.width ?? 8) == width
                else {
                    continue
                }
                columns[i].valueOffset = UInt32(offset)
                columns[i].stride = UInt32(width)
                offset += width * slots
                // 12-byte values leave a single-slot page misaligned for nothing that follows: 4 and less.
            }
        }
        self.columns = columns
        size = (offset + 15) & ~15
    }
}

/// The header every page starts with.
@usableFromInline
package enum Page {
    @inlinable package static var slots: Int { 64 }
    @inlinable package static var slotBits: Int { 6 }
    @inlinable package static var slotMask: Int { 63 }

    // Byte offsets.
    /// In a page of the running transaction: the page it was copied from, or 0.
    @inlinable package static var origin: Int { 8 }
    /// Which slots hold an object.
    @inlinable package static var present: Int { 16 }
    /// Which slots the transaction that made the page has changed.
    @inlinable package static var touched: Int { 24 }
    /// Which columns it has changed in any of them; the last bit stands for all from the 63rd on.
    @inlinable package static var touchedColumns: Int { 32 }
    @inlinable package static var index: Int { 40 }
    /// The next page with free slots, plus one; 0 ends the list.
    @inlinable package static var nextFree: Int { 44 }
    @inlinable package static var isListedFree: Int { 48 }
    // At 52 and 56: see `Page+Generations`.
    @inlinable package static var firstColumn: Int { 64 }

    @inlinable
    package static func present(_ page: UnsafeRawPointer) -> UInt64 {
        page.load(fromByteOffset: present, as: UInt64.self)
    }

    @inlinable
    package static func mark(_ page: UnsafeMutableRawPointer, slot: Int, column: Int) {
        let touchedSlots = page.load(fromByteOffset: touched, as: UInt64.self)
        page.storeBytes(
            of: touchedSlots | (1 &<< UInt64(truncatingIfNeeded: slot)), toByteOffset: touched, as: UInt64.self)
        let columns = page.load(fromByteOffset: touchedColumns, as: UInt64.self)
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: min(column, 63))
        page.storeBytes(of: columns | bit, toByteOffset: touchedColumns, as: UInt64.self)
    }
}

// Reading and writing cells of a page.
extension Column {
    @inlinable
    package func isPresent(_ page: UnsafeRawPointer, _ slot: Int) -> Bool {
        page.load(fromByteOffset: Int(presenceOffset), as: UInt64.self) &>> UInt64(truncatingIfNeeded: slot) & 1 != 0
    }

    @inlinable
    package func setPresent(_ page: UnsafeMutableRawPointer, _ slot: Int, _ value: Bool) {
        Self.setBit(page, Int(presenceOffset), slot, value)
    }

    @inlinable
    package static func setBit(_ page: UnsafeMutableRawPointer, _ offset: Int, _ slot: Int, _ value: Bool) {
        let word = page.load(fromByteOffset: offset, as: UInt64.self)
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: slot)
        page.storeBytes(of: value ? word | bit : word & ~bit, toByteOffset: offset, as: UInt64.self)
    }

    /// The value of a single-value property.
    @inlinable
    package func load(_ kind: ValueKind, _ page: UnsafeRawPointer, _ slot: Int) -> Cell {
        if presenceOffset != 0, !isPresent(page, slot) { return .null }
        if kind.isBit {
            let word = page.load(fromByteOffset: Int(valueOffset), as: UInt64.self)
            return Cell(low: word &>> UInt64(truncatingIfNeeded: slot) & 1)
        }
        let cell = Cell(loading: kind, from: page + Int(valueOffset), at: slot)
        return kind.isZeroNil && cell.low | cell.high == 0 ? .null : cell
    }

    /// Stores a single-value property: the value alone; texts, links and indexes are the transaction's business.
    @inlinable
    package func store(_ cell: Cell, _ kind: ValueKind, _ page: UnsafeMutableRawPointer, _ slot: Int) {
        if presenceOffset != 0 { setPresent(page, slot, !cell.isNull) }
        let value = cell.isNull ? Cell() : cell
        if kind.isBit {
            Self.setBit(page, Int(valueOffset), slot, value.low & 1 != 0)
        } else {
            value.store(kind, to: page + Int(valueOffset), at: slot)
        }
    }

    /// A link, or a word that does not stand apart: see `root`.
    @inlinable
    package func word(_ page: UnsafeRawPointer, _ slot: Int) -> UInt64 {
        page.load(fromByteOffset: Int(valueOffset) &+ slot &* 8, as: UInt64.self)
    }

    @inlinable
    package func setWord(_ page: UnsafeMutableRawPointer, _ slot: Int, _ word: UInt64) {
        page.storeBytes(of: word, toByteOffset: Int(valueOffset) &+ slot &* 8, as: UInt64.self)
    }
}
