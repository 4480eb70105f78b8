/// An object to be sorted, with the part of its value that is compared at the moment as an integer.
///
/// Values are compared 64 bits at a time. Most kinds need one such *level*; 16-byte values two; texts one for every
/// seven bytes, whose last byte says how many of them there are, so that a text comes before those it is a prefix of.
struct SortEntry: BitwiseCopyable {
    var key: UInt64
    var slot: UInt32
    /// Where it stood before: equal objects keep their order.
    var position: UInt32
}

enum SortLevel {
    /// Texts that agree in so many levels are compared as a whole.
    static var maximum: Int { 4 }

    /// The key of a value at a level. Keys order as CellOrder orders the values.
    @inline(__always)
    static func key(_ cell: Cell, _ kind: ValueKind, _ level: Int) -> UInt64 {
        switch kind.form {
        case .bit, .link: return cell.low
        case .int8, .int16, .int32, .int64: return cell.low ^ 1 &<< 63
        case .float32, .float64: return key(cell.double(kind))
        case .text: return textKey(cell, level)
        case .any: return AnyOrder.sortKey(cell)
        case .bytes12, .bytes16:
            let wide = WideKey.key(cell, kind)
            return UInt64(truncatingIfNeeded: level == 0 ? wide &>> 64 : wide)
        }
    }

    /// Whether values whose keys agree at this level may differ at the next one.
    @inline(__always)
    static func goesOn(_ kind: ValueKind, _ level: Int, after key: UInt64) -> Bool {
        switch kind.form {
        case .bytes12, .bytes16: level == 0
        case .text: key & 0xFF > 7
        case .any: true
        case .bit, .int8, .int16, .int32, .int64, .float32, .float64, .link: false
        }
    }

    @inline(__always)
    private static func key(_ number: Double) -> UInt64 {
        if number.isNaN { return 0 }
        let bits = (number == 0 ? 0 : number).bitPattern
        return bits &>> 63 != 0 ? ~bits : bits | 1 &<< 63
    }

    @inline(__always)
    private static func textKey(_ cell: Cell, _ level: Int) -> UInt64 {
        if level == 0, !Text.isBlock(cell) {
            return cell.low.bigEndian & ~0xFF | UInt64(min(Text.count(cell), 8))
        }
        return Text.withBytes(cell) { bytes in
            let start = level &* 7
            let left = bytes.count &- start
            guard left > 0, let base = bytes.baseAddress else { return 0 }
            if left >= 8 {
                return UInt64(bigEndian: base.loadUnaligned(fromByteOffset: start, as: UInt64.self)) & ~0xFF | 8
            }
            var key: UInt64 = 0
            for i in 0..<min(left, 7) { key |= UInt64(bytes[start &+ i]) &<< UInt64(56 &- i &* 8) }
            return key | UInt64(left)
        }
    }
}
