import CXXHash

/// XXH3-64: fast, well mixed, not cryptographic. It tells accident, not malice; malice is what encryption is for.
enum Checksum {
    static func hash(_ bytes: borrowing RawSpan, seed: UInt64 = 0) -> UInt64 {
        bytes.withUnsafeBytes { XXH_INLINE_XXH3_64bits_withSeed($0.baseAddress, $0.count, seed) }
    }

    static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 { hash(RawSpan(_unsafeBytes: bytes)) }

    static func hash(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 { hash(bytes.span.bytes, seed: seed) }
}

/// Hashes bytes that come one run after another; the hash is that of all of them in one run.
final class ChecksumStream {
    /// Sound because it is made and freed here alone, and the library's functions are given nothing else.
    private let state: OpaquePointer

    init(seed: UInt64) {
        guard let state = XXH_INLINE_XXH3_createState() else { fatalError("no memory for a checksum") }
        self.state = state
        XXH_INLINE_XXH3_64bits_reset_withSeed(state, seed)
    }

    deinit { XXH_INLINE_XXH3_freeState(state) }

    func add(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { _ = XXH_INLINE_XXH3_64bits_update(state, $0.baseAddress, $0.count) }
    }

    var hash: UInt64 { XXH_INLINE_XXH3_64bits_digest(state) }
}
