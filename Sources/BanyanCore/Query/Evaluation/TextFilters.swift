// Conditions on a column of texts. A cell holds up to 15 bytes itself, its last byte their count, or else the address
// of a block.

extension TextTest {
    func filter(_ column: Column) -> any PageFilter {
        if options.isEmpty {
            switch operation {
            case .equal(let bytes) where bytes.count <= Text.inlineCapacity:
                return InlineTextFilter(column, equal: bytes)
            case .beginsWith(let bytes) where !bytes.isEmpty && bytes.count <= Text.inlineCapacity:
                return PrefixFilter(column, bytes)
            case .contains(let bytes) where (2...Text.inlineCapacity).contains(bytes.count):
                return InfixFilter(column, bytes)
            default: break
            }
        }
        return TextFilter(column: column, matcher: TextMatcher(self))
    }
}

struct TextFilter: PageFilter {
    let column: Column
    let matcher: TextMatcher

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        batch.touch(column, width: 16)
        guard matcher.options.isEmpty else { return narrow(batch) { matcher.matches($0) } }
        // Chosen once a batch, so that each loop is a loop of its own.
        switch matcher.operation {
        case .equal(let matcher): narrow(batch) { matcher.matches($0) }
        case .beginsWith(let matcher): narrow(batch) { matcher.matches($0) }
        case .endsWith(let matcher): narrow(batch) { matcher.matches($0) }
        case .contains(let matcher): narrow(batch) { matcher.matches($0) }
        case .among(let matcher): narrow(batch) { matcher.matches($0) }
        case .like(let pattern): narrow(batch) { pattern.matches($0) }
        case .between(let matcher): narrow(batch) { matcher.matches($0) }
        }
    }

    @inline(__always)
    private func narrow(_ batch: PageBatch, _ matches: (UnsafeRawBufferPointer) -> Bool) {
        let column = column
        batch.narrow { page, mask in
            var rest = mask & column.presence(page)
            var kept = rest
            let cells = page + Int(column.valueOffset)
            while rest != 0 {
                let slot = rest.trailingZeroBitCount
                if !matches(Self.bytes(of: cells + slot &* 16)) { kept &= ~(1 &<< UInt64(slot)) }
                rest &= rest &- 1
            }
            return kept
        }
    }

    /// Where the text of a cell in a page stands, without copying the cell.
    @inline(__always)
    static func bytes(of cell: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        let tag = cell.load(fromByteOffset: 15, as: UInt8.self)
        if tag != 0xFF { return UnsafeRawBufferPointer(start: cell, count: Int(tag)) }
        let words = Cell(low: cell.load(as: UInt64.self), high: cell.load(fromByteOffset: 8, as: UInt64.self))
        return UnsafeRawBufferPointer(start: Text.block(words), count: Text.count(words))
    }
}

/// Equality with a short text: equal cells.
struct InlineTextFilter: PageFilter {
    let column: Column
    let low: UInt64
    let high: UInt64

    init(_ column: Column, equal bytes: [UInt8]) {
        self.column = column
        let cell = bytes.withUnsafeBytes { Text.inlineCell($0) }
        (low, high) = (cell.low, cell.high)
    }

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        batch.touch(column, width: 16)
        let (low, high, column) = (low, high, column)
        batch.narrow { page, mask in
            let words = column.run(page, of: UInt64.self)
            return narrowed(mask & column.presence(page)) {
                (words[$0 &* 2] ^ low) | (words[$0 &* 2 &+ 1] ^ high) == 0
            }
        }
    }
}

/// A short prefix: the cell's own bytes under a mask, or those of a block.
struct PrefixFilter: PageFilter {
    let column: Column
    private let needle: Needle
    private let low: UInt64
    private let high: UInt64
    private let lowMask: UInt64
    private let highMask: UInt64

    init(_ column: Column, _ bytes: [UInt8]) {
        self.column = column
        needle = Needle(bytes)
        let cell = bytes.withUnsafeBytes { Text.inlineCell($0) }
        let mask = [UInt8](repeating: 0xFF, count: bytes.count).withUnsafeBytes { Text.inlineCell($0) }
        lowMask = mask.low
        highMask = mask.high & 0x00FF_FFFF_FFFF_FFFF
        low = cell.low
        high = cell.high & 0x00FF_FFFF_FFFF_FFFF
    }

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        batch.touch(column, width: 16)
        let (low, high, lowMask, highMask, column) = (low, high, lowMask, highMask, column)
        let (needle, count) = (needle.start, needle.count)
        batch.narrow { page, mask in
            let words = column.run(page, of: UInt64.self)
            return narrowed(mask & column.presence(page)) { slot in
                let (first, second) = (words[slot &* 2], words[slot &* 2 &+ 1])
                let tag = Int(second &>> 56)
                if tag == 0xFF {
                    let cell = Cell(low: first, high: second)
                    return Text.count(cell) >= count && bytesCompare(Text.block(cell), needle, count) == 0
                }
                return ((first & lowMask) ^ low) | ((second & highMask) ^ high) == 0 && tag >= count
            }
        }
    }
}
