/// What is wrong with a payload, without the place. The decoder knows the place, and makes a `BanyanError` of both.
struct PayloadFault: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// Reads the fields of a payload that may be anything. It never runs past the end, and no count it returns exceeds what the
/// bytes left could hold.
///
/// It holds plain pointers so that a field costs a comparison and a load; they come from `[UInt8].withUnsafeBytes`, and no
/// reader outlives the closure it was made in.
struct PayloadReader {
    private(set) var position: UnsafeRawPointer
    let end: UnsafeRawPointer

    private static let nothing: StaticString = ""

    init(_ bytes: UnsafeRawBufferPointer) {
        position = bytes.baseAddress ?? UnsafeRawPointer(Self.nothing.utf8Start)
        end = position + bytes.count
    }

    @inline(__always)
    var remaining: Int { end - position }
    var isAtEnd: Bool { position == end }

    @inline(__always)
    mutating func byte() throws(PayloadFault) -> UInt8 {
        guard position < end else { throw Self.short() }
        defer { position += 1 }
        return position.load(as: UInt8.self)
    }

    @inline(__always)
    mutating func varint() throws(PayloadFault) -> UInt64 {
        guard position < end else { throw Self.short() }
        let first = position.load(as: UInt8.self)
        if first < 0x80 {
            position += 1
            return UInt64(first)
        }
        return try longVarint()
    }

    private mutating func longVarint() throws(PayloadFault) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let next = try byte()
            guard shift < 63 || next <= 1 else { throw PayloadFault("a number is longer than 64 bits") }
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 {
                // One encoding a number, so that what decodes equal is equal.
                guard next != 0 || shift == 0 else { throw PayloadFault("a number is written longer than need be") }
                return value
            }
            shift += 7
        }
    }

    @inline(__always)
    mutating func zigzag() throws(PayloadFault) -> Int64 {
        let value = try varint()
        return Int64(bitPattern: value &>> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// A number below `limit`.
    @inline(__always)
    mutating func number(below limit: Int, _ what: StaticString) throws(PayloadFault) -> Int {
        let value = try varint()
        guard value < UInt64(limit) else { throw PayloadFault("\(what) \(value) is not below \(limit)") }
        return Int(truncatingIfNeeded: value)
    }

    /// How many items follow, each of which takes `size` bytes at least.
    @inline(__always)
    mutating func count(ofItemsOf size: Int = 1) throws(PayloadFault) -> Int {
        let value = try varint()
        guard value <= UInt64(remaining / size) else {
            throw PayloadFault("\(value) items are announced, and \(remaining) bytes are left")
        }
        return Int(truncatingIfNeeded: value)
    }

    mutating func u16() throws(PayloadFault) -> UInt16 { UInt16(littleEndian: try fixed()) }
    mutating func u32() throws(PayloadFault) -> UInt32 { UInt32(littleEndian: try fixed()) }
    @inline(__always)
    mutating func u64() throws(PayloadFault) -> UInt64 { UInt64(littleEndian: try fixed()) }

    @inline(__always)
    private mutating func fixed<Word: FixedWidthInteger & BitwiseCopyable>() throws(PayloadFault) -> Word {
        guard remaining >= MemoryLayout<Word>.size else { throw Self.short() }
        defer { position += MemoryLayout<Word>.size }
        return position.loadUnaligned(as: Word.self)
    }

    /// The next bytes, where they are.
    @inline(__always)
    mutating func bytes(_ count: Int) throws(PayloadFault) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= remaining else { throw Self.short() }
        defer { position += count }
        return UnsafeRawBufferPointer(start: position, count: count)
    }

    /// A counted run of bytes.
    mutating func data() throws(PayloadFault) -> UnsafeRawBufferPointer {
        try bytes(try count())
    }

    /// A counted run of bytes that is UTF-8.
    mutating func text() throws(PayloadFault) -> UnsafeRawBufferPointer {
        let bytes = try data()
        guard UTF8Check.isValid(bytes) else { throw PayloadFault("a text is not UTF-8") }
        return bytes
    }

    mutating func string() throws(PayloadFault) -> String {
        String(decoding: try text(), as: UTF8.self)
    }

    /// The last thing to be read.
    func finish() throws(PayloadFault) {
        guard isAtEnd else { throw PayloadFault("\(remaining) bytes follow the end") }
    }

    static func short() -> PayloadFault { PayloadFault("it ends too early") }
}
