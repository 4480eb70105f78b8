import BanyanCore

// A segment begins with who it belongs to and what it follows, so that a lost manifest can be rebuilt from the segments
// alone, and a file of another store is known at once. The link of its first frame is the hash of this header, which
// covers the link at the end of the segment before: the chain runs through the whole journal.
//
//      0  8 bytes "BANYANJL"
//      8  u16  version     10  u16  zero     12  u32  length of the header
//     16  store (16 bytes)
//     32  u64  number of the segment, never used twice
//     40  u64  first sequence
//     48  u64  link at the end of the segment before
//     56  u32  epoch       60  u32  length of the schema
//     64  schema
//      …  u64  hash of all before

struct SegmentHeader: Hashable, Sendable {
    static let magic = Array("BANYANJL".utf8)
    static let version: UInt16 = 1
    static let fixedLength = 64
    static let maximumSchemaLength = 64 << 20

    var storeID: StoreID
    var number: UInt64
    var firstSequence: UInt64
    var previousLink: UInt64
    var epoch: UInt32
    var schema: [UInt8]

    var length: Int { Self.fixedLength + schema.count + 8 }

    /// The header's bytes and its hash, which is the link its first frame carries.
    func encoded() -> (bytes: [UInt8], link: UInt64) {
        var writer = ByteWriter(bytes: Self.magic)
        writer.put(Self.version)
        writer.put(UInt16(0))
        writer.put(UInt32(length))
        writer.put(storeID)
        writer.put(number)
        writer.put(firstSequence)
        writer.put(previousLink)
        writer.put(epoch)
        writer.put(counted: schema)
        let link = Checksum.hash(writer.bytes)
        writer.put(link)
        return (writer.bytes, link)
    }

    /// Reads and checks the header of a file of `size` bytes.
    static func read(
        from file: any DiskFile, path: String, size: UInt64
    ) throws(BanyanError) -> (header: SegmentHeader, link: UInt64) {
        func damaged(_ what: String) -> BanyanError {
            BanyanError(
                .damaged, "The header of a journal segment \(what)",
                remedy: "Run `banyan verify`, then restore from a snapshot or a copy", at: .init(file: path, offset: 0))
        }
        let start = try onDisk { () throws(DiskFault) in try file.readUpTo(fixedLength, at: 0) }
        guard start.count == fixedLength else { throw damaged("is cut short") }
        var reader = ByteReader(start, from: 8)
        guard Array(start[..<8]) == magic, let version = reader.take(UInt16.self), let zero = reader.take(UInt16.self),
            let length = reader.take(UInt32.self)
        else {
            throw BanyanError(
                .damaged, "The file does not begin as a journal segment does",
                remedy: "Run `banyan verify`, then restore from a snapshot or a copy", at: .init(file: path, offset: 0))
        }
        guard UInt64(length) <= size, length >= fixedLength + 8, Int(length) <= fixedLength + maximumSchemaLength + 8
        else { throw damaged("claims a length the file does not have") }
        let bytes = try onDisk { () throws(DiskFault) in try file.readUpTo(Int(length), at: 0) }
        guard bytes.count == Int(length) else { throw damaged("is cut short") }
        let hash = Checksum.hash(bytes.span.bytes.extracting(..<(bytes.count - 8)))
        var tail = ByteReader(bytes, from: bytes.count - 8)
        let expected = tail.take(UInt64.self)
        guard expected == hash else {
            throw damaged("fails its hash (expected \(hex(expected ?? 0)), found \(hex(hash)))")
        }
        guard version == Self.version, zero == 0 else {
            throw BanyanError(
                .unsupportedFormat, "The journal segment has format \(version), newer than this program reads",
                remedy: "Use a newer version of Banyan", at: .init(file: path))
        }
        reader = ByteReader(bytes, from: 16, to: bytes.count - 8)
        guard let store = reader.takeID(), let number = reader.take(UInt64.self), let first = reader.take(UInt64.self),
            let previous = reader.take(UInt64.self), let epoch = reader.take(UInt32.self),
            let schema = reader.takeCounted(), reader.remaining == 0, first > 0, Limits.allow(first, number),
            epoch <= Limits.epoch
        else { throw damaged("has fields that do not fit it") }
        let header = SegmentHeader(
            storeID: store, number: number, firstSequence: first, previousLink: previous, epoch: epoch, schema: schema)
        return (header, hash)
    }
}

/// A hash or link as messages show it.
func hex(_ value: UInt64) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
}
