/// The identity of a store: 128 random bits, made once and kept by every file of the store.
package struct StoreID: Sendable, Hashable, CustomStringConvertible {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A new random identity (a version 4 UUID).
    package init() {
        self.init(
            high: .random(in: .min ... .max) & ~0xF000 | 0x4000,
            low: .random(in: .min ... .max) & (.max >> 2) | 1 << 63)
    }

    /// The UUID in its usual form, in capitals.
    package var description: String {
        let digits = Array("0123456789ABCDEF")
        var text = ""
        for (index, nibble) in (0..<32).enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            let word = nibble < 16 ? high : low
            text.append(digits[Int(word >> UInt64(60 - 4 * (nibble % 16)) & 15)])
        }
        return text
    }
}
