/// How a value stands in memory: in the 16 bytes of a cell, in a page's column and in an array of elements.
///
/// Everything that moves values without knowing what they mean asks for the form and not for the kind. Several kinds share a
/// form; a new kind seldom needs a new one.
@frozen
@usableFromInline
package enum CellForm: Sendable {
    /// One bit of a page's bitmap, a byte in an array of elements.
    case bit
    case int8
    case int16
    case int32
    case int64
    case float32
    case float64
    case bytes12
    case bytes16
    /// Up to 15 bytes inline, or the address of a block.
    case text
    /// A text that says what it holds: see `AnyCell`.
    case any
    /// The word of an `ObjectRef`.
    case link

    /// Bytes of one value in an array of values.
    @inlinable
    package var width: Int {
        switch self {
        case .bit, .int8: 1
        case .int16: 2
        case .int32, .float32: 4
        case .int64, .float64, .link: 8
        case .bytes12: 12
        case .bytes16, .text, .any: 16
        }
    }

    /// The values of an integer form.
    var integers: ClosedRange<Int64>? {
        switch self {
        case .int8: Int64(Int8.min)...Int64(Int8.max)
        case .int16: Int64(Int16.min)...Int64(Int16.max)
        case .int32: Int64(Int32.min)...Int64(Int32.max)
        case .int64: .min ... .max
        case .bit, .float32, .float64, .bytes12, .bytes16, .text, .any, .link: nil
        }
    }
}

extension ValueKind {
    /// Bytes of one value in an array of values. A Bool takes a byte there; in a page's column it takes a bit.
    @inlinable package var width: Int { form.width }

    /// Whether a value may own a text block outside its cell.
    @inlinable package var isText: Bool { form == .text || form == .any }
    @inlinable package var isLink: Bool { form == .link }
    /// Whether a value may be a link.
    @inlinable package var mayLink: Bool { form == .link || form == .any }
    /// Whether a value of zeros is nil, so that nothing else need say so.
    @inlinable package var isZeroNil: Bool { form == .link || form == .any }
    /// Whether a page keeps a bit of each value.
    @inlinable package var isBit: Bool { form == .bit }
    /// The values of an integer kind.
    var integers: ClosedRange<Int64>? { form.integers }
    package var isInteger: Bool { form.integers != nil }
}
