import Foundation

/// What is left of a text when case or diacritics do not count. ASCII, which nearly all compared texts are, is folded
/// byte by byte; the rest by Foundation, with all of Unicode.
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
            return withLowercased(bytes, body)
        }
        var compare: String.CompareOptions = []
        if options.contains(.caseInsensitive) { compare.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { compare.insert(.diacriticInsensitive) }
        var folded = String(decoding: bytes, as: UTF8.self).folding(options: compare, locale: nil)
        return folded.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    /// A word at a time: bit 5 is set in every byte from A to Z.
    @inline(__always)
    private static func withLowercased<R>(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> R
    ) -> R {
        guard bytes.count > 0 else { return body(bytes) }
        let padded = (bytes.count &+ 7) & ~7
        return withUnsafeTemporaryAllocation(byteCount: padded, alignment: 8) { copy in
            guard let target = copy.baseAddress, let source = bytes.baseAddress else { return body(bytes) }
            (target + (padded &- 8)).storeBytes(of: 0, as: UInt64.self)
            target.copyMemory(from: source, byteCount: bytes.count)
            for offset in stride(from: 0, to: padded, by: 8) {
                let word = target.load(fromByteOffset: offset, as: UInt64.self)
                let fromA = word &+ each(0x80 - 0x41)
                let beyondZ = word &+ each(0x80 - 0x5B)
                let upper = (fromA ^ beyondZ) & each(0x80)
                target.storeBytes(of: word | upper &>> 2, toByteOffset: offset, as: UInt64.self)
            }
            return body(UnsafeRawBufferPointer(start: target, count: bytes.count))
        }
    }

    private static func each(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }

    private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        var offset = 0
        while offset &+ 8 <= bytes.count {
            if start.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & each(0x80) != 0 { return false }
            offset &+= 8
        }
        while offset < bytes.count {
            if start.load(fromByteOffset: offset, as: UInt8.self) >= 0x80 { return false }
            offset &+= 1
        }
        return true
    }
}
