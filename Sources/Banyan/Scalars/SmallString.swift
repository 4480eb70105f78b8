public import BanyanCore

/// Strings of up to 15 bytes, made from a cell without a call.
///
/// Such a string holds its bytes itself: eight in the first word, seven in the second, whose last byte is the count with two
/// marks, "small" and "all ASCII". A cell has the same bytes in the same places, so a string takes a few instructions. The
/// layout is part of Swift's binary interface where that is stable, and the same on every 64-bit system since Swift 5; so it is
/// not left to trust but tried out when the first model is made.
@usableFromInline
enum SmallString {
    @inlinable
    @inline(__always)
    static func string(_ cell: Cell) -> String {
        #if _pointerBitWidth(_64) && _endian(little)
            if Text.isBlock(cell) { return copy(cell) }
            let others = cell.low & 0x8080_8080_8080_8080 | cell.high & 0x0080_8080_8080_8080
            let marks: UInt64 = others == 0 ? 0xE0 << 56 : 0xA0 << 56
            return unsafeBitCast((cell.low, cell.high | marks), to: String.self)
        #else
            return copy(cell)
        #endif
    }

    @usableFromInline
    @_effects(releasenone)
    static func copy(_ cell: Cell) -> String {
        Text.withBytes(cell) { bytes in
            // The bytes were valid UTF-8 when they were stored, and files are checked when they are read.
            String(unsafeUninitializedCapacity: bytes.count) { target in
                UnsafeMutableRawBufferPointer(target).copyMemory(from: bytes)
                return bytes.count
            }
        }
    }

    /// Traps where strings are not laid out as `string` has it. Evaluated once.
    static let isChecked: Void = {
        #if _pointerBitWidth(_64) && _endian(little)
            precondition(MemoryLayout<String>.size == 16, "Banyan does not know this Swift's strings: please report it")
            for text in ["", "a", "ä", "abcdefgh", "abcdefgä", "zwölf Bytes", "fifteen bytes !", "fifteen byt\u{E9}s"] {
                // From bytes, for a literal may stand elsewhere as it is.
                var made = String(decoding: Array(text.utf8), as: UTF8.self)
                let cell = made.withUTF8 { Text.inlineCell(UnsafeRawBufferPointer($0)) }
                precondition(
                    unsafeBitCast(made, to: (UInt64, UInt64).self)
                        == unsafeBitCast(string(cell), to: (UInt64, UInt64).self),
                    "Banyan does not know this Swift's strings: please report it")
            }
        #endif
    }()
}
