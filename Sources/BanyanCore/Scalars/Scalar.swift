/// A value that stands for itself, as Swift has it: a number, a text, a date. Links are none.
///
/// The type is the kind's: see `StoredKind`.
package protocol Scalar: StoredKind, Hashable, Sendable, Encodable {
    /// Without its Swift type.
    var value: Value { get }
    /// The cell for a property of `kind`; nil where the value does not fit, and of texts.
    func cell(as kind: ValueKind) -> Cell?
    /// Calls `body` with the cell of this very kind, which is valid only inside it.
    func withCell<R>(_ body: (Cell) -> R) -> R
    /// Calls `body` with the bytes of a text; nil for what is none.
    func withTextBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R?
    /// Whether both are stored alike: a NaN is itself, zero is not minus zero, and texts are their bytes.
    func isIdentical(to other: Self) -> Bool
    var isNaN: Bool { get }

    // MARK: Text

    /// As the string language of queries writes it: read where a value of its kind is expected, it gives the value again.
    var literal: String { get }
    /// The value by itself, for messages, for a person and for keys of dictionaries.
    var text: String { get }
    /// The value on a line of a listing.
    var shortText: String { get }
    /// As a key of a JSON object, exactly.
    var keyText: String { get }
    var json: ScalarJSON { get }
    /// Whether JSON alone tells what an AnyValue holds.
    var isPlainInJSON: Bool { get }
    /// Encodes the value as its own type, which encoders may have a strategy for, or as what JSON has for it.
    func encode(into container: inout any SingleValueEncodingContainer) throws
    /// The value in Swift's type for a property of `kind`.
    func swift(_ kind: ValueKind) -> any Sendable
}

/// What a scalar is in JSON.
package enum ScalarJSON: Sendable {
    case bool(Bool)
    case integer(Int64)
    case float(Float)
    case double(Double)
    case string(String)
}

extension Scalar {
    package func withTextBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R? { nil }
    package func isIdentical(to other: Self) -> Bool { self == other }
    package var isNaN: Bool { false }
    package var literal: String { Literal.quoted(text) }
    package var shortText: String { text }
    package var keyText: String { text }
    package var json: ScalarJSON { .string(text) }
    package var isPlainInJSON: Bool { false }
    package func encode(into container: inout any SingleValueEncodingContainer) throws { try container.encode(self) }
    package func swift(_ kind: ValueKind) -> any Sendable { self }
}

/// A scalar whose bits are its cell.
package protocol PlainScalar: Scalar {
    init(cell: Cell)
    var cell: Cell { get }
}

extension PlainScalar {
    @inline(__always)
    package static func value(_ cell: Cell) -> Value { Self(cell: cell).value }
    package func cell(as kind: ValueKind) -> Cell? { kind == Self.valueKind ? cell : nil }
    package func withCell<R>(_ body: (Cell) -> R) -> R { body(cell) }
}

/// A scalar of bytes of any number.
package protocol TextScalar: Scalar {
    /// Whether the bytes are UTF-8.
    static var isUnicode: Bool { get }
}

extension TextScalar {
    @inline(__always)
    package static func compareCells(_ a: Cell, _ b: Cell) -> Int { Text.compare(a, b) }
    @inline(__always)
    package static func hashCell(_ cell: Cell, seed: UInt64) -> UInt64 {
        Text.withBytes(cell) { KeyHash.hash(bytes: $0, seed: seed) }
    }
    package func cell(as kind: ValueKind) -> Cell? { nil }
}

/// A scalar of 12 or 16 bytes, which orders as its `wideKey` does.
package protocol WideScalar: PlainScalar {}

extension WideScalar {
    @inline(__always)
    package static func compareCells(_ a: Cell, _ b: Cell) -> Int { NumberOrder.order(wideKey(a), wideKey(b)) }
    @inline(__always)
    package static func hashCell(_ cell: Cell, seed: UInt64) -> UInt64 { KeyHash.hash(cell.low, cell.high, seed: seed) }
}

/// Sixteen bytes, or twelve and zeros, that order as they stand in memory.
package protocol ByteScalar: WideScalar {}

extension ByteScalar {
    @inline(__always)
    package static func wideKey(_ cell: Cell) -> UInt128 {
        UInt128(UInt64(bigEndian: cell.low)) << 64 | UInt128(UInt64(bigEndian: cell.high))
    }
    package static func cell(wideKey: UInt128) -> Cell? {
        Cell(
            low: UInt64(truncatingIfNeeded: wideKey >> 64).bigEndian,
            high: UInt64(truncatingIfNeeded: wideKey).bigEndian)
    }
}

extension ValueKind {
    /// Whether the bytes of its texts are UTF-8.
    package var isUnicode: Bool { (type as? any TextScalar.Type)?.isUnicode ?? false }
}
