/// Whether bytes are UTF-8: eight at a time while they are ASCII.
enum UTF8Check {
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isASCII(bytes) || isValidUnicode(bytes)
    }

    static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        var offset = 0
        var seen: UInt64 = 0
        while offset &+ 32 <= bytes.count {
            seen |= base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            seen |= base.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self)
            seen |= base.loadUnaligned(fromByteOffset: offset &+ 16, as: UInt64.self)
            seen |= base.loadUnaligned(fromByteOffset: offset &+ 24, as: UInt64.self)
            if seen & 0x8080_8080_8080_8080 != 0 { return false }
            offset &+= 32
        }
        while offset &+ 8 <= bytes.count {
            seen |= base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        while offset < bytes.count {
            seen |= UInt64(base.load(fromByteOffset: offset, as: UInt8.self))
            offset &+= 1
        }
        return seen & 0x8080_8080_8080_8080 == 0
    }

    private static func isValidUnicode(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.withMemoryRebound(to: UInt8.self) { buffer in
            do throws(UTF8.ValidationError) {
                _ = try UTF8Span(validating: Span(_unsafeElements: buffer))
                return true
            } catch {
                return false
            }
        }
    }
}
