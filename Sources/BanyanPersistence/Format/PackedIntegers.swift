// Runs of 64-bit words in as few whole bytes each as the largest needs, less the smallest: a column of sequential ids takes
// two bytes an object, ages one, links among a million three. Then: u8 width (0 to 8) · u64 base · count times width bytes.

extension PayloadWriter {
    /// - Parameter least: the least width; 1 where nothing but these bytes limits the count that a reader will believe.
    mutating func put(packed words: UnsafeBufferPointer<UInt64>, least: Int = 0, scratch: Scratch) {
        guard let (low, high) = Self.bounds(words) else {
            put(byte: UInt8(least))
            put(u64: 0)
            return
        }
        let range = UInt64(bitPattern: high &- low)
        let width = max(least, (64 - range.leadingZeroBitCount + 7) / 8)
        put(byte: UInt8(width))
        put(u64: UInt64(bitPattern: low))
        guard width > 0 else { return }
        let base = UInt64(bitPattern: low)
        scratch.count = 0
        scratch.reserve(words.count * width)
        switch width {
        case 1: Self.pack(UInt8.self, words, base, scratch.base)
        case 2: Self.pack(UInt16.self, words, base, scratch.base)
        case 4: Self.pack(UInt32.self, words, base, scratch.base)
        case 8: Self.pack(UInt64.self, words, base, scratch.base)
        default:
            // Each write overshoots into the place of the next.
            var target = scratch.base
            for word in words {
                target.storeBytes(of: (word &- base).littleEndian, as: UInt64.self)
                target += width
            }
        }
        scratch.count = words.count * width
        bytes.append(contentsOf: scratch.bytes)
    }

    /// The smallest and the largest as signed numbers; their distance fits an unsigned word. Four at a time, because each
    /// comparison waits for the one before it.
    private static func bounds(_ words: UnsafeBufferPointer<UInt64>) -> (low: Int64, high: Int64)? {
        guard let first = words.first.map({ Int64(bitPattern: $0) }) else { return nil }
        var (low0, low1, low2, low3) = (first, first, first, first)
        var (high0, high1, high2, high3) = (first, first, first, first)
        var i = 0
        while i &+ 4 <= words.count {
            let (a, b) = (Int64(bitPattern: words[i]), Int64(bitPattern: words[i &+ 1]))
            let (c, d) = (Int64(bitPattern: words[i &+ 2]), Int64(bitPattern: words[i &+ 3]))
            (low0, high0) = (min(low0, a), max(high0, a))
            (low1, high1) = (min(low1, b), max(high1, b))
            (low2, high2) = (min(low2, c), max(high2, c))
            (low3, high3) = (min(low3, d), max(high3, d))
            i &+= 4
        }
        while i < words.count {
            let value = Int64(bitPattern: words[i])
            (low0, high0) = (min(low0, value), max(high0, value))
            i &+= 1
        }
        return (min(min(low0, low1), min(low2, low3)), max(max(high0, high1), max(high2, high3)))
    }

    @inline(__always)
    private static func pack<Word: FixedWidthInteger & BitwiseCopyable>(
        _ type: Word.Type, _ words: UnsafeBufferPointer<UInt64>, _ base: UInt64, _ target: UnsafeMutableRawPointer
    ) {
        let size = MemoryLayout<Word>.size
        for i in 0..<words.count {
            target.storeBytes(
                of: Word(truncatingIfNeeded: words[i] &- base).littleEndian, toByteOffset: i &* size, as: Word.self)
        }
    }
}

extension PayloadReader {
    /// Reads `count` words into memory that has room for them.
    mutating func packed(
        _ count: Int, least: Int = 0, into target: UnsafeMutablePointer<UInt64>
    ) throws(PayloadFault) {
        let width = try packedWidth(count, least: least)
        let base = try u64()
        let size = count * width
        let source = try bytes(size).baseAddress ?? UnsafeRawPointer(target)
        switch width {
        case 0: target.update(repeating: base, count: count)
        case 1: Self.unpack(UInt8.self, count, base, source, target)
        case 2: Self.unpack(UInt16.self, count, base, source, target)
        case 4: Self.unpack(UInt32.self, count, base, source, target)
        case 8: Self.unpack(UInt64.self, count, base, source, target)
        default:
            let mask = UInt64.max >> UInt64(64 - 8 * width)
            // Whole words while they do not reach past the end, then byte by byte.
            let whole = max(0, min(count, (size + remaining - 8) / width))
            for i in 0..<whole {
                let word = UInt64(littleEndian: source.loadUnaligned(fromByteOffset: i &* width, as: UInt64.self))
                target[i] = base &+ (word & mask)
            }
            for i in whole..<count {
                var word: UInt64 = 0
                for byte in 0..<width {
                    word |= UInt64(source.load(fromByteOffset: i * width + byte, as: UInt8.self)) << UInt64(8 * byte)
                }
                target[i] = base &+ word
            }
        }
    }

    /// The width of the run that follows, which is known to be there. The caller reserves memory for it.
    private mutating func packedWidth(_ count: Int, least: Int) throws(PayloadFault) -> Int {
        let width = Int(try byte())
        guard width >= least, width <= 8 else { throw PayloadFault("a width of \(width) bytes") }
        let (size, overflow) = count.multipliedReportingOverflow(by: width)
        guard !overflow, size <= remaining - 8 else { throw Self.short() }
        return width
    }

    @inline(__always)
    private static func unpack<Word: FixedWidthInteger & BitwiseCopyable>(
        _ type: Word.Type, _ count: Int, _ base: UInt64, _ source: UnsafeRawPointer,
        _ target: UnsafeMutablePointer<UInt64>
    ) {
        let size = MemoryLayout<Word>.size
        for i in 0..<count {
            let word = source.loadUnaligned(fromByteOffset: i &* size, as: Word.self)
            target[i] = base &+ UInt64(truncatingIfNeeded: Word(littleEndian: word))
        }
    }
}
