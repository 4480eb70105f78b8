/// Finds bytes within bytes.
///
/// Texts are mostly short: a window as wide as the needle, up to a word, slides over the text and is compared at once with
/// the needle's first bytes. In long texts `memchr` finds the places worth a look.
struct ContainsMatcher: Sendable {
    let needle: Needle
    private let first: UInt64
    private let width: Int

    init(needle: Needle) {
        self.needle = needle
        width = needle.count >= 8 ? 8 : needle.count >= 4 ? 4 : needle.count >= 2 ? 2 : 1
        let word = needle.start.load(as: UInt64.self)
        first = width == 8 ? word : UInt64(littleEndian: word) & (1 &<< UInt64(width * 8) &- 1)
    }

    @inline(__always)
    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let last = bytes.count &- needle.count
        guard last >= 0, let start = bytes.baseAddress else { return needle.count == 0 }
        if needle.count == 0 { return true }
        if bytes.count > 96 { return find(start, last) }
        switch width {
        case 8: return slide(start, last, UInt64.self)
        case 4: return slide(start, last, UInt32.self)
        case 2: return slide(start, last, UInt16.self)
        default: return slide(start, last, UInt8.self)
        }
    }

    @inline(__always)
    private func slide<T: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ start: UnsafeRawPointer, _ last: Int, _ type: T.Type
    ) -> Bool {
        let wanted = T(truncatingIfNeeded: first)
        let width = MemoryLayout<T>.size
        var position = 0
        while position <= last {
            if T(littleEndian: start.loadUnaligned(fromByteOffset: position, as: T.self)) == wanted,
                needle.count == width
                    || bytesCompare(start + (position &+ width), needle.start + width, needle.count &- width) == 0
            {
                return true
            }
            position &+= 1
        }
        return false
    }

    private func find(_ start: UnsafeRawPointer, _ last: Int) -> Bool {
        let byte = needle.start.load(as: UInt8.self)
        var position = 0
        while position <= last {
            guard let offset = firstByte(byte, start + position, last - position + 1) else { return false }
            position += offset
            if bytesCompare(start + position, needle.start, needle.count) == 0 { return true }
            position += 1
        }
        return false
    }
}
