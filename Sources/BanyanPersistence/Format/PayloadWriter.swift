// What payloads are made of: variable-length integers (seven bits a byte, low bits first), fixed-width little-endian words,
// and texts as their length and bytes. FileFormat-Payloads.md names them varint, zigzag, u64 and text.

struct PayloadWriter {
    var bytes: [UInt8] = []

    init(capacity: Int = 64) { bytes.reserveCapacity(capacity) }

    @inline(__always)
    mutating func put(byte: UInt8) { bytes.append(byte) }

    @inline(__always)
    mutating func put(varint value: UInt64) {
        if value < 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value))
        } else {
            putLong(value)
        }
    }

    private mutating func putLong(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    @inline(__always)
    mutating func put(count value: Int) { put(varint: UInt64(value)) }

    @inline(__always)
    mutating func put(zigzag value: Int64) {
        put(varint: UInt64(bitPattern: value &<< 1 ^ value &>> 63))
    }

    mutating func put(u16 value: UInt16) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
    mutating func put(u32 value: UInt32) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
    mutating func put(u64 value: UInt64) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }

    mutating func put(text: UnsafeRawBufferPointer) {
        put(count: text.count)
        bytes.append(contentsOf: text)
    }

    mutating func put(text: String) {
        var text = text
        text.withUTF8 { put(text: UnsafeRawBufferPointer($0)) }
    }
}
