/// A decimal floating-point number of 34 digits: IEEE 754-2008 decimal128.
///
/// A value is a sign, a coefficient of up to 34 decimal digits and a power of ten, so amounts written in decimal are
/// held exactly, `0.1 + 0.2 == 0.3`, and the number of decimal places survives: `1.0` and `1.00` are equal, hash the
/// same and print differently. Exponents reach from 10⁻⁶¹⁷⁶ to 10⁶¹⁴⁴.
///
/// Results that need more than 34 digits are rounded half to even. Results that are too large become `infinity`,
/// results that are too small become subnormal and then zero, and operations without an answer (`0 / 0`) yield `nan`;
/// nothing traps.
///
/// ## Order and equality
/// `==`, `<` and `hash(into:)` compare numbers, not representations, and form one total order over all values, so that
/// every value can be a key: `-0 == 0`; all NaNs, of whatever sign, payload and kind, equal each other and sort before
/// everything else, before `-infinity`. Ask `isNaN` where IEEE's unordered comparison is meant. To tell apart what
/// is equal, use `isTotallyOrdered(belowOrEqualTo:)` or `bitPattern`.
///
/// ## Layout
/// The binary-integer encoding (BID) in two 64-bit words, the less significant first; on a little-endian machine these
/// are the bytes that BSON stores. All bits zero is `0E-6176`, which equals but does not print as `zero`.
/// ```
///  127   126 ‥ 113             112 ‥ 0
///  sign  exponent + 6176       coefficient, at most 10³⁴ - 1
///  sign  11110…                infinity
///  sign  11111s…               NaN, signaling if s; payload in bits 109 ‥ 0
/// ```
/// Encodings that the standard calls non-canonical are accepted and read as it says: a coefficient of 10³⁴ or more,
/// or exponent bits that begin with 11, as zero; a payload of 10³³ or more as no payload.
@frozen
public struct Decimal128: Sendable, BitwiseCopyable {
    @usableFromInline let low: UInt64
    @usableFromInline let high: UInt64

    @inlinable
    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Zero, without decimal places.
    @inlinable
    public init() { self.init(high: 0x3040_0000_0000_0000, low: 0) }

    /// The value with these bits in the binary-integer encoding.
    @inlinable
    public init(bitPattern: UInt128) {
        self.init(high: UInt64(truncatingIfNeeded: bitPattern >> 64), low: UInt64(truncatingIfNeeded: bitPattern))
    }

    /// The bits of the binary-integer encoding.
    @inlinable
    public var bitPattern: UInt128 { UInt128(high) << 64 | UInt128(low) }
}

// MARK: - Well-known values

extension Decimal128 {
    @inlinable public static var zero: Decimal128 { Decimal128() }
    @inlinable public static var one: Decimal128 { Decimal128(high: 0x3040_0000_0000_0000, low: 1) }
    @inlinable public static var infinity: Decimal128 { Decimal128(high: 0x7800_0000_0000_0000, low: 0) }
    @inlinable public static var nan: Decimal128 { Decimal128(high: 0x7c00_0000_0000_0000, low: 0) }
    @inlinable public static var signalingNaN: Decimal128 { Decimal128(high: 0x7e00_0000_0000_0000, low: 0) }

    /// The least finite value, -9.999999999999999999999999999999999E+6144.
    @inlinable public static var min: Decimal128 { -max }
    /// The greatest finite value, 9.999999999999999999999999999999999E+6144.
    @inlinable public static var max: Decimal128 {
        Decimal128(high: 0x5fff_ed09_bead_87c0, low: 0x378d_8e63_ffff_ffff)
    }
    /// The greatest finite value, 9.999999999999999999999999999999999E+6144.
    @inlinable public static var greatestFiniteMagnitude: Decimal128 { max }
    /// The least positive value with all 34 digits, 1E-6143.
    @inlinable public static var leastNormalMagnitude: Decimal128 { Decimal128(high: 0x0042_0000_0000_0000, low: 1) }
    /// The least positive value, 1E-6176.
    @inlinable public static var leastNonzeroMagnitude: Decimal128 { Decimal128(high: 0, low: 1) }
}

// MARK: - Sign

extension Decimal128 {
    /// Whether the sign bit is set, as it is for `-0` and may be for a NaN.
    @inlinable
    public var isNegative: Bool { high >> 63 != 0 }

    @inlinable
    public var sign: FloatingPointSign { isNegative ? .minus : .plus }

    /// The value without its sign.
    @inlinable
    public var magnitude: Decimal128 { Decimal128(high: high & ~Self.signBit, low: low) }

    /// The value with the other sign, for zeros and NaNs too. Exact.
    @inlinable
    public static prefix func - (value: Decimal128) -> Decimal128 {
        Decimal128(high: value.high ^ signBit, low: value.low)
    }

    @inlinable
    public mutating func negate() { self = -self }

    @inlinable static var signBit: UInt64 { 1 << 63 }
}
