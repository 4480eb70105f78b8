/// Finds bytes within bytes.
///
/// Eight places are looked at with one word: where the needle's first two bytes, compared with the text and with the
/// text shifted by one, both agree, a byte of the difference is zero. Only those places are compared in full.
struct ContainsMatcher: Sendable {
    let needle: Needle
    /// The needle's first and second byte, eight times each.
    private let first: UInt64
    private let second: UInt64
    /// 1, or 0 for a needle of one byte, whose first byte is then also looked for as the second.
    private let shift: Int

    init(needle: Needle) {
        self.needle = needle
        shift = needle.count > 1 ? 1 : 0
        first = UInt64(needle.start.load(as: UInt8.self)) &* Self.ones
        second = UInt64(needle.start.load(fromByteOffset: shift, as: UInt8.self)) &* Self.ones
    }

    private static var ones: UInt64 { 0x0101_0101_0101_0101 }
    private static var tops: UInt64 { 0x8080_8080_8080_8080 }

    @inline(__always)
    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let last = bytes.count &- needle.count
        guard last >= 0, let start = bytes.baseAddress else { return needle.count == 0 }
        if needle.count == 0 { return true }
        let lastWindow = bytes.count &- 8 &- shift
        if lastWindow < 0 { return matchesShort(start, last) }
        var window = 0
        while true {
            var places = places(start, window)
            while places != 0 {
                let place = window &+ places.trailingZeroBitCount &>> 3
                if place > last { return false }
                if isEqual(start + place, needle.start, needle.count) { return true }
                places &= places &- 1
            }
            if window == lastWindow { return false }
            // The last window ends with the text and may look at some places again.
            window = min(window &+ 8, lastWindow)
        }
    }

    /// Whether a text of up to 15 bytes, in the words of its cell, may contain a needle of two bytes or more.
    @inline(__always)
    func mayMatch(_ low: UInt64, _ high: UInt64) -> Bool {
        let a = (low ^ first) | ((low &>> 8 | high &<< 56) ^ second)
        let b = (high ^ first) | (high &>> 8 ^ second)
        return ((a &- Self.ones) & ~a | (b &- Self.ones) & ~b) & Self.tops != 0
    }

    /// The top bits of the bytes where a match may begin: all where one does, and perhaps some after such a byte.
    @inline(__always)
    private func places(_ start: UnsafeRawPointer, _ window: Int) -> UInt64 {
        let text = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: window, as: UInt64.self))
        let shifted = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: window &+ shift, as: UInt64.self))
        let difference = (text ^ first) | (shifted ^ second)
        return (difference &- Self.ones) & ~difference & Self.tops
    }

    private func matchesShort(_ start: UnsafeRawPointer, _ last: Int) -> Bool {
        let byte = needle.start.load(as: UInt8.self)
        for place in 0...last where start.load(fromByteOffset: place, as: UInt8.self) == byte {
            if isEqual(start + place, needle.start, needle.count) { return true }
        }
        return false
    }
}
