import BanyanCore
import CLZ4

/// LZ4: blocks for journal records, whole frames for snapshots.
enum Compression {
    /// What no LZ4 data can exceed: a claim above it is hostile or damaged, and is refused before anything is allocated.
    static let maximumExpansion = 255

    /// The block, or nil when it would not be smaller by at least an eighth.
    static func block(_ raw: borrowing RawSpan) -> [UInt8]? {
        let limit = raw.byteCount - raw.byteCount / 8
        guard limit > 0, raw.byteCount <= Int(LZ4_MAX_INPUT_SIZE) else { return nil }
        var size: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
            size = raw.withUnsafeBytes { source in
                LZ4_compress_default(
                    source.bindMemory(to: CChar.self).baseAddress, bufferAsChars(buffer), Int32(source.count),
                    Int32(limit))
            }
            filled = Int(max(size, 0))
        }
        return size > 0 ? bytes : nil
    }

    /// The raw bytes of a block, or nil unless it decodes to exactly `rawLength` bytes.
    static func unblock(_ stored: borrowing RawSpan, rawLength: Int) -> [UInt8]? {
        guard rawLength >= 0, rawLength <= Int(Int32.max), stored.byteCount <= Int(Int32.max),
            rawLength <= stored.byteCount * maximumExpansion
        else { return nil }
        // All empty arrays share one storage, which filling from C would write to.
        if rawLength == 0 { return [] }
        var size: Int32 = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: rawLength) { buffer, filled in
            size = stored.withUnsafeBytes { source in
                LZ4_decompress_safe(
                    source.bindMemory(to: CChar.self).baseAddress, bufferAsChars(buffer), Int32(source.count),
                    Int32(rawLength))
            }
            filled = Int(max(size, 0))
        }
        return size == Int32(rawLength) ? bytes : nil
    }

    /// One standard LZ4 frame: independent blocks, content size, a checksum of the content. It replaces what `target` holds.
    ///
    /// The checksum is for the `lz4` tool; Banyan's own hash of the frame is another. (Checksums of blocks alone would be
    /// cheaper, but then `lz4` 1.9.4 loses the frames that follow.)
    static func frame(_ raw: UnsafeRawBufferPointer, into target: Scratch) throws(BanyanError) {
        var preferences = LZ4F_preferences_t()
        preferences.frameInfo.blockSizeID = LZ4F_max1MB
        preferences.frameInfo.blockMode = LZ4F_blockIndependent
        preferences.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled
        preferences.frameInfo.contentSize = UInt64(raw.count)
        let bound = LZ4F_compressFrameBound(raw.count, &preferences)
        target.count = 0
        target.reserve(bound)
        let result = LZ4F_compressFrame(target.base, bound, raw.baseAddress, raw.count, &preferences)
        guard LZ4F_isError(result) == 0 else {
            throw BanyanError(
                .limit, "A snapshot frame of \(raw.count) bytes could not be compressed",
                cause: String(cString: LZ4F_getErrorName(result)))
        }
        target.count = result
    }

    /// The raw bytes of exactly one frame, or the reason why it is none. The stored bytes are those that were written: the
    /// caller has compared their hash.
    static func unframe(_ stored: [UInt8], rawLength: Int) -> Result<[UInt8], Failure> {
        guard rawLength >= 0, rawLength / maximumExpansion <= stored.count else {
            return .failure(Failure("claims more than LZ4 can hold"))
        }
        var context: OpaquePointer?
        let created = LZ4F_createDecompressionContext(&context, UInt32(LZ4F_VERSION))
        guard LZ4F_isError(created) == 0 else { return .failure(Failure(String(cString: LZ4F_getErrorName(created)))) }
        defer { LZ4F_freeDecompressionContext(context) }
        var consumed = 0
        var produced = 0
        var failure: Failure?
        // LZ4 writes into the array's uninitialised storage, never beyond the room it is told of. (At least one byte of
        // it: all empty arrays share theirs.)
        let raw = [UInt8](unsafeUninitializedCapacity: max(rawLength, 1)) { buffer, filled in
            stored.withUnsafeBytes { source in
                while failure == nil {
                    var room = rawLength - produced
                    var given = source.count - consumed
                    let hint = CLZ4_decompress_checked(
                        context, buffer.baseAddress.map { $0 + produced }, &room,
                        source.baseAddress.map { $0 + consumed }, &given)
                    consumed += given
                    produced += room
                    if LZ4F_isError(hint) != 0 {
                        failure = Failure(String(cString: LZ4F_getErrorName(hint)))
                    } else if hint == 0 {
                        break
                    } else if given == 0 && room == 0 {
                        failure = Failure("ends early")
                    }
                }
            }
            filled = produced
        }
        if let failure { return .failure(failure) }
        guard consumed == stored.count, produced == rawLength else {
            return .failure(Failure("holds \(produced) bytes in \(consumed), not \(rawLength) in \(stored.count)"))
        }
        return .success(raw)
    }

    struct Failure: Error {
        var reason: String
        init(_ reason: String) { self.reason = reason }
    }

    private static func bufferAsChars(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> UnsafeMutablePointer<CChar>? {
        UnsafeMutableRawBufferPointer(buffer).bindMemory(to: CChar.self).baseAddress
    }
}
