import BanyanCore

/// Runs of values of one kind, as they stand in memory at a fixed stride, to and from snapshots: what columns of pages and
/// elements of collections have in common.
final class ValueColumnEncoder {
    private let words = Scratch()
    private let packed = Scratch()
    private let texts = Scratch()

    /// - Parameters:
    ///   - least: see `PayloadWriter.put(packed:least:scratch:)`.
    ///   - apart: texts of more bytes are written as empty; their numbers come back.
    func put(
        _ kind: ValueKind, _ base: UnsafeRawPointer, stride: Int, count: Int, least: Int = 0, apart: Int = .max,
        to out: inout PayloadWriter
    ) -> [Int] {
        switch kind.form {
        case .text, .any:
            return putTexts(base, stride, count, least, apart, to: &out)
        case .bytes12, .bytes16:
            let width = kind.width
            if stride == width {
                out.bytes.append(contentsOf: UnsafeRawBufferPointer(start: base, count: count * width))
            } else {
                for i in 0..<count {
                    out.bytes.append(contentsOf: UnsafeRawBufferPointer(start: base + i * stride, count: width))
                }
            }
            return []
        case .int64, .float64, .link, .bit, .int8, .int16, .int32, .float32:
            if kind.width == 8 && stride == 8 {
                let words = base.assumingMemoryBound(to: UInt64.self)
                out.put(packed: UnsafeBufferPointer(start: words, count: count), least: least, scratch: packed)
                return []
            }
            let words = reserveWords(count)
            switch kind.form {
            case .bit: widen(UInt8.self, base, stride, count, words)
            case .int8: widen(Int8.self, base, stride, count, words)
            case .int16: widen(Int16.self, base, stride, count, words)
            case .int32: widen(Int32.self, base, stride, count, words)
            case .float32: widen(UInt32.self, base, stride, count, words)
            case .int64, .float64, .link, .text, .any, .bytes12, .bytes16:
                widen(UInt64.self, base, stride, count, words)
            }
            out.put(packed: UnsafeBufferPointer(start: words, count: count), least: least, scratch: packed)
            return []
        }
    }

    /// Words that the caller computes itself.
    func put(words source: [UInt64], least: Int = 0, to out: inout PayloadWriter) {
        source.withUnsafeBufferPointer { out.put(packed: $0, least: least, scratch: packed) }
    }

    private func reserveWords(_ count: Int) -> UnsafeMutablePointer<UInt64> {
        words.reserve(count * 8)
        return words.base.bindMemory(to: UInt64.self, capacity: count)
    }

    @inline(__always)
    private func widen<Word: FixedWidthInteger & BitwiseCopyable>(
        _ type: Word.Type, _ base: UnsafeRawPointer, _ stride: Int, _ count: Int, _ words: UnsafeMutablePointer<UInt64>
    ) {
        if stride == MemoryLayout<Word>.size {
            for i in 0..<count {
                words[i] = UInt64(
                    truncatingIfNeeded: base.load(fromByteOffset: i &* MemoryLayout<Word>.size, as: Word.self))
            }
        } else {
            for i in 0..<count {
                words[i] = UInt64(truncatingIfNeeded: base.loadUnaligned(fromByteOffset: i &* stride, as: Word.self))
            }
        }
    }

    private func putTexts(
        _ base: UnsafeRawPointer, _ stride: Int, _ count: Int, _ least: Int, _ apart: Int, to out: inout PayloadWriter
    ) -> [Int] {
        let lengths = reserveWords(count)
        texts.count = 0
        texts.reserve(count &* 16)
        var target = texts.base
        var end = target + texts.capacity
        var numbers: [Int] = []
        for i in 0..<count {
            let low = base.loadUnaligned(fromByteOffset: i &* stride, as: UInt64.self)
            let high = base.loadUnaligned(fromByteOffset: i &* stride &+ 8, as: UInt64.self)
            let cell = Cell(low: low, high: high)
            // There is always room for the sixteen bytes of each cell to come.
            if !Text.isBlock(cell) {
                target.storeBytes(of: low, as: UInt64.self)
                target.storeBytes(of: high, toByteOffset: 8, as: UInt64.self)
                let length = Int(truncatingIfNeeded: high &>> 56)
                lengths[i] = UInt64(truncatingIfNeeded: length)
                target += length
                continue
            }
            let length = Text.count(cell)
            guard length <= apart else {
                numbers.append(i)
                lengths[i] = 0
                continue
            }
            lengths[i] = UInt64(truncatingIfNeeded: length)
            let needed = length &+ (count &- i) &* 16
            if needed > end - target {
                texts.count = target - texts.base
                texts.reserve(texts.count &+ needed)
                target = texts.base + texts.count
                end = texts.base + texts.capacity
            }
            Self.copyText(Text.block(cell), length, to: target)
            target += length
        }
        texts.count = target - texts.base
        out.put(packed: UnsafeBufferPointer(start: lengths, count: count), least: least, scratch: packed)
        out.put(text: texts.bytes)
        return numbers
    }

    /// Most texts outside their cells are short: two words that overlap cost less than a call.
    @inline(__always)
    private static func copyText(_ source: UnsafeRawPointer, _ length: Int, to target: UnsafeMutableRawPointer) {
        guard length >= 16 && length <= 32 else {
            target.copyMemory(from: source, byteCount: length)
            return
        }
        let head = source.loadUnaligned(as: SIMD2<UInt64>.self)
        let tail = source.loadUnaligned(fromByteOffset: length &- 16, as: SIMD2<UInt64>.self)
        target.storeBytes(of: head, as: SIMD2<UInt64>.self)
        target.storeBytes(of: tail, toByteOffset: length &- 16, as: SIMD2<UInt64>.self)
    }
}

/// The way back: see `ValueColumnEncoder`. Values come to stand at a fixed stride in memory that has room for them.
final class ValueColumnDecoder {
    private let words = Scratch()

    /// - Parameter target: for links, the table they must lead to; nil links (of map entries) are let through as 0.
    func take(
        _ kind: ValueKind, target: Int, into base: UnsafeMutableRawPointer, stride: Int, count: Int, least: Int = 0,
        _ memory: TransactionMemory, from reader: inout PayloadReader
    ) throws(PayloadFault) {
        switch kind.form {
        case .text, .any:
            try takeTexts(kind, base, stride, count, least, memory, from: &reader)
        case .bytes12, .bytes16:
            let width = kind.width
            guard count <= reader.remaining / width else { throw PayloadReader.short() }
            guard let source = try reader.bytes(count * width).baseAddress else { return }
            if stride == width {
                base.copyMemory(from: source, byteCount: count * width)
            } else {
                for i in 0..<count { (base + i * stride).copyMemory(from: source + i * width, byteCount: width) }
            }
        case .int64, .float64, .link, .bit, .int8, .int16, .int32, .float32:
            let words = try takeWords(count, least: least, from: &reader)
            switch kind.form {
            case .bit:
                try narrow(UInt8.self, words, count, base, stride, largest: 1)
            case .int8: try narrow(Int8.self, words, count, base, stride)
            case .int16: try narrow(Int16.self, words, count, base, stride)
            case .int32: try narrow(Int32.self, words, count, base, stride)
            case .float32: try narrow(UInt32.self, words, count, base, stride)
            case .link:
                // Where there are several tables, the code that follows the links checks them.
                let wanted = UInt64(max(target, 0) + 1)
                for i in 0..<count where words[i] >> 32 != wanted && words[i] != 0 && target >= 0 {
                    throw PayloadFault("a link leads to another type")
                }
                try narrow(UInt64.self, words, count, base, stride)
            case .int64, .float64, .text, .any, .bytes12, .bytes16: try narrow(UInt64.self, words, count, base, stride)
            }
        }
    }

    /// Words for the caller to interpret, valid until the next call.
    func takeWords(
        _ count: Int, least: Int = 0, from reader: inout PayloadReader
    ) throws(PayloadFault) -> UnsafeMutablePointer<UInt64> {
        words.reserve(count * 8)
        let target = words.base.bindMemory(to: UInt64.self, capacity: count)
        try reader.packed(count, least: least, into: target)
        return target
    }

    @inline(__always)
    private func narrow<Word: FixedWidthInteger & BitwiseCopyable>(
        _ type: Word.Type, _ words: UnsafeMutablePointer<UInt64>, _ count: Int, _ base: UnsafeMutableRawPointer,
        _ stride: Int, largest: Word = .max
    ) throws(PayloadFault) {
        var isExact = true
        for i in 0..<count {
            let word = Word(truncatingIfNeeded: words[i])
            isExact = isExact && UInt64(truncatingIfNeeded: word) == words[i] && word <= largest
            base.storeBytes(of: word, toByteOffset: i &* stride, as: Word.self)
        }
        guard isExact else { throw PayloadFault("a value is out of range for its property") }
    }

    private func takeTexts(
        _ kind: ValueKind, _ base: UnsafeMutableRawPointer, _ stride: Int, _ count: Int, _ least: Int,
        _ memory: TransactionMemory, from reader: inout PayloadReader
    ) throws(PayloadFault) {
        let lengths = try takeWords(count, least: least, from: &reader)
        let bytes = try reader.data()
        var sum = 0
        for i in 0..<count {
            guard lengths[i] <= UInt64(kind.maximumTextCount) else { throw PayloadFault("a text is over the limit") }
            sum &+= Int(truncatingIfNeeded: lengths[i])
        }
        guard sum == bytes.count else { throw PayloadFault("texts are \(bytes.count) bytes long instead of \(sum)") }
        guard let start = bytes.baseAddress else {
            for i in 0..<count { store(Cell(), base + i &* stride) }
            return
        }
        if kind.isUnicode, !UTF8Check.isASCII(bytes) {
            try checkUnicode(bytes, lengths, count)
        }
        if kind.form == .any { try checkAnyValues(bytes, lengths, count) }
        var offset = 0
        for i in 0..<count {
            let length = Int(truncatingIfNeeded: lengths[i])
            if length <= Text.inlineCapacity {
                store(inlineCell(start + offset, length, available: bytes.count &- offset), base + i &* stride)
            } else {
                store(memory.makeText(start + offset, count: length), base + i &* stride)
            }
            offset &+= length
        }
    }

    /// All of it must be UTF-8, and no text may begin inside a character.
    private func checkUnicode(
        _ bytes: UnsafeRawBufferPointer, _ lengths: UnsafeMutablePointer<UInt64>, _ count: Int
    ) throws(PayloadFault) {
        var isValid = UTF8Check.isValid(bytes)
        var offset = 0
        for i in 0..<count where lengths[i] > 0 {
            if bytes[offset] & 0xC0 == 0x80 { isValid = false }
            offset &+= Int(truncatingIfNeeded: lengths[i])
        }
        guard isValid else { throw PayloadFault("a text is not UTF-8") }
    }

    private func checkAnyValues(
        _ bytes: UnsafeRawBufferPointer, _ lengths: UnsafeMutablePointer<UInt64>, _ count: Int
    ) throws(PayloadFault) {
        var offset = 0
        for i in 0..<count {
            let end = offset + Int(truncatingIfNeeded: lengths[i])
            guard AnyCell.isValid(UnsafeRawBufferPointer(rebasing: bytes[offset..<end])) else {
                throw PayloadFault("an AnyValue is none")
            }
            offset = end
        }
    }

    @inline(__always)
    private func store(_ cell: Cell, _ place: UnsafeMutableRawPointer) {
        place.storeBytes(of: cell.low, as: UInt64.self)
        place.storeBytes(of: cell.high, toByteOffset: 8, as: UInt64.self)
    }

    @inline(__always)
    private func inlineCell(_ source: UnsafeRawPointer, _ length: Int, available: Int) -> Cell {
        guard available >= 16 else {
            return Text.inlineCell(UnsafeRawBufferPointer(start: source, count: length))
        }
        var low = source.loadUnaligned(as: UInt64.self)
        var high = source.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        if length < 8 {
            low &= (1 &<< UInt64(truncatingIfNeeded: length &* 8)) &- 1
            high = 0
        } else {
            high &= (1 &<< UInt64(truncatingIfNeeded: (length &- 8) &* 8)) &- 1
        }
        return Cell(low: low, high: high | UInt64(truncatingIfNeeded: length) &<< 56)
    }
}
