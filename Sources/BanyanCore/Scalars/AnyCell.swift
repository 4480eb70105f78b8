/// The 16 bytes of an AnyValue: those of a text whose bytes are the value's own, in memory order, and behind them one that says
/// what it is. None is the empty text, so a column of zeros holds nothing.
///
/// So an AnyValue is a text to everything that stores, copies, moves and writes values: what is short stands in the cell, what
/// is long (texts, UUIDs and decimals) in a block that the cell owns. Only who wants to know what is in it opens it.
package enum AnyCell {
    /// What a cell holds, as a cell of that kind. That of a long text refers to the same block and must not outlive it.
    package static func open(_ cell: Cell) -> (kind: AnyKind, value: Cell) {
        if cell.isNull || cell.low | cell.high == 0 { return (.none, .null) }
        if Text.isBlock(cell) { return openBlock(cell) }
        let count = Int(truncatingIfNeeded: cell.high &>> 56) &- 1
        let shift = UInt64(truncatingIfNeeded: (count & 7) &* 8)
        let tag = UInt8(truncatingIfNeeded: (count < 8 ? cell.low : cell.high) &>> shift)
        guard let kind = AnyKind(rawValue: tag) else { return (.none, .null) }
        // Without the byte that says what it is, and without the count.
        let low = count < 8 ? cell.low & (1 &<< shift &- 1) : cell.low
        let high = count < 8 ? 0 : cell.high & (1 &<< shift &- 1)
        guard kind.width == nil else { return (kind, Cell(low: low, high: high)) }
        return (kind, Cell(low: low, high: high | UInt64(truncatingIfNeeded: count) &<< 56))
    }

    private static func openBlock(_ cell: Cell) -> (kind: AnyKind, value: Cell) {
        let (block, count) = (UnsafeRawPointer(Text.block(cell)), Text.count(cell) - 1)
        guard let kind = AnyKind(rawValue: block.load(fromByteOffset: count, as: UInt8.self)) else {
            return (.none, .null)
        }
        if kind.width == nil {
            if count > Text.inlineCapacity { return (kind, Text.blockCell(block, count: count)) }
            return (kind, Text.inlineCell(UnsafeRawBufferPointer(start: block, count: count)))
        }
        let (low, high) = (
            block.loadUnaligned(as: UInt64.self), block.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        )
        return (kind, Cell(low: low, high: high))
    }

    package static func kind(_ cell: Cell) -> AnyKind { open(cell).kind }

    /// The object it links to, or the one that stands for the list or dictionary it owns.
    package static func link(_ cell: Cell) -> (target: ObjectRef, isOwned: Bool)? {
        guard !cell.isNull, !Text.isBlock(cell), cell.high &>> 56 == 9 else { return nil }
        let (kind, value) = open(cell)
        switch kind {
        case .list, .dictionary: return ObjectRef(word: value.low).map { ($0, true) }
        case .value(let kind): return kind.isLink ? ObjectRef(word: value.low).map { ($0, false) } : nil
        case .none: return nil
        }
    }

    /// The cell of a link.
    package static func link(_ kind: AnyKind, to target: ObjectRef) -> Cell {
        Cell(low: target.word, high: UInt64(kind.rawValue) | 9 &<< 56)
    }

    /// Calls `body` with the bytes of a value of this kind, the last one included. Of nothing there are none.
    package static func withBytes<R>(_ kind: AnyKind, _ value: Cell, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        if kind == .none { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        if let width = kind.width {
            var bytes = (value.low, value.high, UInt64(0))
            return withUnsafeMutableBytes(of: &bytes) { bytes in
                bytes[width] = kind.rawValue
                return body(UnsafeRawBufferPointer(rebasing: bytes[...width]))
            }
        }
        return Text.withBytes(value) { text in
            withUnsafeTemporaryAllocation(byteCount: text.count + 1, alignment: 8) { bytes in
                bytes.copyMemory(from: text)
                bytes[text.count] = kind.rawValue
                return body(UnsafeRawBufferPointer(bytes))
            }
        }
    }

    /// Calls `body` with the cell of a value of this kind, which is valid only inside it.
    package static func withCell<R>(_ kind: AnyKind, _ value: Cell, _ body: (Cell) -> R) -> R {
        withBytes(kind, value) { Text.withCell($0, body) }
    }

    /// Whether these are the bytes of an AnyValue; for those that come from a file.
    package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let tag = bytes.last else { return true }
        guard let kind = AnyKind(rawValue: tag), kind != .none else { return false }
        let value = UnsafeRawBufferPointer(rebasing: bytes.dropLast())
        if let width = kind.width, value.count != width { return false }
        guard let valueKind = kind.valueKind else { return true }
        switch valueKind.form {
        case .bit: return value[0] <= 1
        case .text:
            return value.count <= Text.maximumCount
                && (!valueKind.isUnicode || String(validating: value, as: UTF8.self) != nil)
        case .link: return value.contains { $0 != 0 }
        case .int8, .int16, .int32, .int64, .float32, .float64, .bytes12, .bytes16, .any: return true
        }
    }
}

extension ValueKind {
    /// The bytes a text block of this kind has at most.
    package var maximumTextCount: Int { Text.maximumCount + (self == .any ? 1 : 0) }
}
