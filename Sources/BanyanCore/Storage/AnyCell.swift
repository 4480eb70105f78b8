/// What an AnyValue holds. Raw values are part of the file format; those of scalars are their kinds'.
package enum AnyKind: UInt8, Sendable, Hashable {
    case none = 0
    case bool = 1
    case int = 5
    case float = 6
    case double = 7
    case string = 8
    case data = 9
    case date = 10
    case uuid = 11
    case objectId = 12
    case decimal128 = 13
    /// A link to a top-level object.
    case object = 14
    /// A list and a dictionary of more of them: see `NestedValues`.
    case list = 17
    case dictionary = 18

    /// The kind of the value by itself.
    package var valueKind: ValueKind? {
        switch self {
        case .none: nil
        case .bool, .int, .float, .double, .string, .data, .date, .uuid, .objectId, .decimal128, .object:
            ValueKind(rawValue: rawValue)
        case .list, .dictionary: .embedded
        }
    }

    /// The bytes of the value; nil for texts, which are of any length.
    var width: Int? {
        switch self {
        case .none: 0
        case .string, .data: nil
        default: valueKind?.width
        }
    }
}

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
        switch kind {
        case .string, .data: return (kind, Cell(low: low, high: high | UInt64(truncatingIfNeeded: count) &<< 56))
        default: return (kind, Cell(low: low, high: high))
        }
    }

    private static func openBlock(_ cell: Cell) -> (kind: AnyKind, value: Cell) {
        let (block, count) = (UnsafeRawPointer(Text.block(cell)), Text.count(cell) - 1)
        guard let kind = AnyKind(rawValue: block.load(fromByteOffset: count, as: UInt8.self)) else {
            return (.none, .null)
        }
        switch kind {
        case .string, .data:
            if count > Text.inlineCapacity { return (kind, Text.blockCell(block, count: count)) }
            return (kind, Text.inlineCell(UnsafeRawBufferPointer(start: block, count: count)))
        default:
            return (
                kind,
                Cell(
                    low: block.loadUnaligned(as: UInt64.self),
                    high: block.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    package static func kind(_ cell: Cell) -> AnyKind { open(cell).kind }

    /// The object it links to, or the one that stands for the list or dictionary it owns.
    package static func link(_ cell: Cell) -> (target: ObjectRef, isOwned: Bool)? {
        guard !cell.isNull, !Text.isBlock(cell), cell.high &>> 56 == 9 else { return nil }
        let (kind, value) = open(cell)
        switch kind {
        case .object: return ObjectRef(word: value.low).map { ($0, false) }
        case .list, .dictionary: return ObjectRef(word: value.low).map { ($0, true) }
        default: return nil
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
        switch kind {
        case .bool: return value[0] <= 1
        case .string:
            return value.count <= Text.maximumCount && String(validating: value, as: UTF8.self) != nil
        case .data: return value.count <= Text.maximumCount
        case .object, .list, .dictionary: return value.contains { $0 != 0 }
        default: return true
        }
    }
}

extension ValueKind {
    /// The bytes a text block of this kind has at most.
    package var maximumTextCount: Int { Text.maximumCount + (self == .any ? 1 : 0) }
}
