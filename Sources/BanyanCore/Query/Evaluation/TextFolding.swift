import Foundation

/// What is left of a text when case or diacritics do not count. ASCII, which nearly all compared texts are, is folded byte
/// by byte; the rest by Foundation, with all of Unicode.
enum TextFolding {
    static func folded(_ text: String, _ options: TextOptions) -> [UInt8] {
        var text = text
        return text.withUTF8 { bytes in withFolded(UnsafeRawBufferPointer(bytes), options) { [UInt8]($0) } }
    }

    /// Calls `body` with the folded text, which is valid only inside it.
    static func withFolded<R>(
        _ bytes: UnsafeRawBufferPointer, _ options: TextOptions, _ body: (UnsafeRawBufferPointer) -> R
    ) -> R {
        if options.isEmpty { return body(bytes) }
        if isASCII(bytes) {
            // ASCII has no diacritics, but for marks that stand alone and stay.
            guard options.contains(.caseInsensitive) else { return body(bytes) }
            return withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 1) { copy in
                for i in 0..<bytes.count {
                    let byte = bytes[i]
                    copy[i] = byte &- 0x41 < 26 ? byte | 0x20 : byte
                }
                return body(UnsafeRawBufferPointer(copy))
            }
        }
        var compare: String.CompareOptions = []
        if options.contains(.caseInsensitive) { compare.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { compare.insert(.diacriticInsensitive) }
        var folded = String(decoding: bytes, as: UTF8.self).folding(options: compare, locale: nil)
        return folded.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var bits: UInt8 = 0
        for byte in bytes { bits |= byte }
        return bits < 0x80
    }
}
