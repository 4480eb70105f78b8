import CXXHash

/// XXH3-64: fast, well mixed, not cryptographic. It tells accident, not malice; malice is what encryption is for.
enum Checksum {
    static func hash(_ bytes: borrowing RawSpan, seed: UInt64 = 0) -> UInt64 {
        bytes.withUnsafeBytes { XXH_INLINE_XXH3_64bits_withSeed($0.baseAddress, $0.count, seed) }
    }

    static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 { hash(RawSpan(_unsafeBytes: bytes)) }

    static func hash(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 { hash(bytes.span.bytes, seed: seed) }
}
