/// Equality, order and hash of cells: the identity of keys, set elements and index entries.
///
/// Texts are compared by their bytes; floating-point numbers by value, with NaN equal to itself and below every number, and
/// -0 equal to 0; nil comes first; Decimal128 by value; AnyValues as `AnyOrder` says.
package enum CellOrder {
    /// Whether two cells of one kind that is not a text hold the same bits: then a write changes nothing.
    @inlinable
    package static func identical(_ a: Cell, _ b: Cell) -> Bool {
        if a.isNull || b.isNull { return a.isNull && b.isNull }
        return a.low == b.low && a.high == b.high
    }

    package static func equal(_ a: Cell, _ b: Cell, _ kind: ValueKind) -> Bool {
        compare(a, b, kind) == 0
    }

    /// Negative, zero or positive as `a` sorts before, with or after `b`.
    package static func compare(_ a: Cell, _ b: Cell, _ kind: ValueKind) -> Int {
        if kind == .any { return AnyOrder.compare(a, b) }
        if a.isNull || b.isNull { return a.isNull ? (b.isNull ? 0 : -1) : 1 }
        switch kind {
        case .bool, .object, .embedded: return order(a.low, b.low)
        case .int8, .int16, .int32, .int: return order(Int64(bitPattern: a.low), Int64(bitPattern: b.low))
        case .float:
            return order(
                Double(Float(bitPattern: UInt32(truncatingIfNeeded: a.low))),
                Double(Float(bitPattern: UInt32(truncatingIfNeeded: b.low))))
        case .double, .date: return order(Double(bitPattern: a.low), Double(bitPattern: b.low))
        case .string, .data: return Text.compare(a, b)
        case .uuid, .objectId:
            let high = order(a.low.byteSwapped, b.low.byteSwapped)
            return high != 0 ? high : order(a.high.byteSwapped, b.high.byteSwapped)
        case .decimal128:
            return order(Decimal128(cell: a).orderKey, Decimal128(cell: b).orderKey)
        case .any: return AnyOrder.compare(a, b)
        }
    }

    private static func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a == b ? 0 : 1 }

    private static func order(_ a: Double, _ b: Double) -> Int {
        if a < b { return -1 }
        if a > b { return 1 }
        if a == b { return 0 }
        return a.isNaN ? (b.isNaN ? 0 : -1) : 1
    }

    /// Equal cells have equal hashes.
    package static func hash(_ cell: Cell, _ kind: ValueKind, seed: UInt64) -> UInt64 {
        if kind == .any { return AnyOrder.hash(cell, seed: seed) }
        if cell.isNull { return KeyHash.hash(0x6E75_6C6C, seed: ~seed) }
        switch kind {
        case .string, .data:
            return Text.withBytes(cell) { KeyHash.hash(bytes: $0, seed: seed) }
        case .uuid, .objectId:
            return KeyHash.hash(cell.low, cell.high, seed: seed)
        case .float:
            let value = Float(bitPattern: UInt32(truncatingIfNeeded: cell.low))
            return KeyHash.hash(value.isNaN ? 1 : UInt64((value == 0 ? 0 : value).bitPattern), seed: seed)
        case .double, .date:
            let value = Double(bitPattern: cell.low)
            return KeyHash.hash(value.isNaN ? 1 : (value == 0 ? 0 : value).bitPattern, seed: seed)
        case .decimal128:
            let key = Decimal128(cell: cell).orderKey
            return KeyHash.hash(UInt64(truncatingIfNeeded: key), UInt64(truncatingIfNeeded: key >> 64), seed: seed)
        case .bool, .int8, .int16, .int32, .int, .object, .embedded, .any:
            return KeyHash.hash(cell.low, seed: seed)
        }
    }
}
