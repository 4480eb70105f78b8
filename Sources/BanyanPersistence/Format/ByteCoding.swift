// Little-endian fields in byte arrays. The reader never runs past what is there: a field that is not there is nil, and
// the caller says which file and offset that concerns.

struct ByteWriter {
    var bytes: [UInt8] = []

    mutating func put<Value: FixedWidthInteger>(_ value: Value) {
        var rest = value.littleEndian
        withUnsafeBytes(of: &rest) { bytes.append(contentsOf: $0) }
    }

    /// Overwrites bytes that are there.
    mutating func set<Value: FixedWidthInteger>(_ value: Value, at offset: Int) {
        var rest = value.littleEndian
        withUnsafeBytes(of: &rest) { bytes.replaceSubrange(offset..<offset + $0.count, with: $0) }
    }

    mutating func put(_ id: StoreID) {
        put(id.high)
        put(id.low)
    }

    mutating func put(counted text: String) {
        put(UInt32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func put(counted blob: [UInt8]) {
        put(UInt32(blob.count))
        bytes.append(contentsOf: blob)
    }
}

struct ByteReader {
    private(set) var offset = 0
    private let bytes: [UInt8]
    private let end: Int

    init(_ bytes: [UInt8], from start: Int = 0, to end: Int? = nil) {
        self.bytes = bytes
        self.offset = start
        self.end = min(end ?? bytes.count, bytes.count)
    }

    var remaining: Int { max(end - offset, 0) }

    mutating func take<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type = Value.self) -> Value? {
        let size = MemoryLayout<Value>.size
        guard remaining >= size else { return nil }
        let value = bytes.span.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: type)
        offset += size
        return Value(littleEndian: value)
    }

    mutating func takeID() -> StoreID? {
        guard let high = take(UInt64.self), let low = take(UInt64.self) else { return nil }
        return StoreID(high: high, low: low)
    }

    mutating func take(_ count: Int) -> [UInt8]? {
        guard count >= 0, remaining >= count else { return nil }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    mutating func takeCounted() -> [UInt8]? {
        guard let count = take(UInt32.self) else { return nil }
        return take(Int(count))
    }
}

/// Bounds on what a file may claim, far above what is ever reached and far below where arithmetic on it overflows.
enum Limits {
    /// Sequences, generations, numbers of segments.
    static let counter: UInt64 = 1 << 62
    static let epoch: UInt32 = 1 << 31
    static let fileLength: UInt64 = 1 << 46

    static func allow(_ one: UInt64, _ two: UInt64 = 0, _ three: UInt64 = 0, _ four: UInt64 = 0) -> Bool {
        one < counter && two < counter && three < counter && four < counter
    }
}
