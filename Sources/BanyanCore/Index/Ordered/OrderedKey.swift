/// The keys of ordered indexes: what a value, or the values of several properties, are in 8 or 16 bytes that order as they do.
///
/// A key is *whole* when no other value has the same one; then nothing but keys is ever compared.
/// - Numbers and dates take 8 bytes. Nil has the key 0, which is whole only where nothing else can have it.
/// - UUIDs and ObjectIds take 16 bytes.
/// - A text's key is its first 15 bytes and one more that says how many there are: 0 for nil, above 16 for those to come.
/// - Several properties are written one after the other into 16 bytes, each so that it ends by itself: see `KeyBytes`.
enum OrderedKey {
    /// Whether one property of this kind takes 16 bytes.
    static func isWide(_ kind: ValueKind) -> Bool {
        switch kind.form {
        case .text, .bytes12, .bytes16, .any: true
        case .bit, .int8, .int16, .int32, .int64, .float32, .float64, .link: false
        }
    }

    @inline(__always)
    static func narrow(_ cell: Cell, _ kind: ValueKind) -> UInt64 {
        cell.isNull ? 0 : SortLevel.key(cell, kind, 0)
    }

    @inline(__always)
    static func wide(_ cell: Cell, _ kind: ValueKind) -> UInt128 {
        if cell.isNull { return 0 }
        guard kind.isText else { return WideKey.key(cell, kind) }
        if !Text.isBlock(cell) {
            // Bytes, zeros, and last the count.
            return UInt128(cell.low.bigEndian) << 64 | UInt128(cell.high.bigEndian &+ 1)
        }
        let start = Text.block(cell)
        let low = start.loadUnaligned(as: UInt64.self)
        let high = start.loadUnaligned(fromByteOffset: 7, as: UInt64.self)
        return UInt128(low.bigEndian) << 64 | UInt128(high.bigEndian &<< 8 | 17)
    }

    @inline(__always)
    static func isWhole(_ key: UInt128, _ kind: ValueKind, isOptional: Bool) -> Bool {
        kind.isText ? key & 0xFF <= 16 : key != 0 || !isOptional
    }

    /// The key that texts which begin with these bytes share behind the mask. `isWhole` says that no others do.
    static func prefix(_ bytes: UnsafeRawBufferPointer) -> (key: UInt128, mask: UInt128, isWhole: Bool) {
        var key = KeyBytes()
        for byte in bytes.prefix(15) { key.append(UInt64(byte), bytes: 1) }
        // A zero at the end of a prefix may also be none at all.
        return (key.value, key.mask, bytes.count <= 15 && bytes.last.map { $0 != 0 } ?? false)
    }
}

/// The first 16 bytes of values written one after the other so that their bytes order as they do.
///
/// Numbers and the like are of one length. A text is its bytes, each 0 followed by 255, and two zeros at the end; so no text
/// begins with another. In front of a value that may be nil stands a byte that says whether it is.
struct KeyBytes {
    private(set) var value: UInt128 = 0
    private(set) var count = 0
    /// Whether there were more bytes.
    private(set) var isCut = false

    /// The bytes that are there.
    var mask: UInt128 { count == 0 ? 0 : ~0 << UInt128(128 - 8 * count) }

    /// Adds the lowest bytes of a word, the highest of them first.
    mutating func append(_ word: UInt64, bytes: Int) {
        let room = 16 - count
        if bytes <= room {
            value |= UInt128(word) << UInt128(8 * (room - bytes))
            count += bytes
        } else {
            if room > 0 { value |= UInt128(word >> UInt64(8 * (bytes - room))) }
            count = 16
            isCut = true
        }
    }

    mutating func append(_ cell: Cell, _ part: IndexPart) {
        if part.isOptional {
            append(cell.isNull ? 0 : 1, bytes: 1)
            if cell.isNull { return }
        }
        switch part.kind.form {
        case .bit: append(cell.low & 1, bytes: 1)
        case .int8, .int16, .int32:
            let bits = UInt64(part.kind.width * 8)
            append((cell.low ^ 1 << (bits - 1)) & (1 << bits - 1), bytes: part.kind.width)
        case .int64, .float32, .float64, .link: append(SortLevel.key(cell, part.kind, 0), bytes: 8)
        case .bytes12, .bytes16:
            let wide = WideKey.key(cell, part.kind)
            append(UInt64(truncatingIfNeeded: wide >> 64), bytes: 8)
            append(UInt64(truncatingIfNeeded: wide), bytes: 8)
        // No ordered index has AnyValues.
        case .text, .any:
            append(text: cell)
            append(0, bytes: 2)
        }
    }

    /// The bytes of a text without its end.
    mutating func append(text cell: Cell) {
        Text.withBytes(cell) { bytes in
            for byte in bytes {
                if isCut { return }
                append(UInt64(byte), bytes: 1)
                if byte == 0 { append(0xFF, bytes: 1) }
            }
        }
    }
}
