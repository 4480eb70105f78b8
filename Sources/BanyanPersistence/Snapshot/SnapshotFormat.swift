import BanyanCore

// A snapshot is a file that the `lz4` tool understands: a row of standard LZ4 frames, with what is ours around them in
// skippable frames, which LZ4 readers pass over.
//
//     header    skippable 0: whose snapshot, of which commit, the schema
//     frames    LZ4 frames, one per piece of data, each independent of the others
//     table     skippable 1: of each frame what it is, where it is, and two hashes, of its raw and its stored bytes
//     footer    skippable 2, of fixed size: where the table is, the hashes of table and header, the root hash
//
// The end is found from the file's length, so it is written in one pass and read from the back. Every byte of the file
// is under some hash of ours (LZ4's own 32-bit checksums are there for its tools), and the parts must adjoin without a
// gap. The root hash is taken over what the frames are and over the hashes of their raw content: two snapshots with the
// same root hash hold the same data, however it was compressed. All numbers are little-endian.

enum SnapshotFormat {
    static let version: UInt16 = 1
    static let headerMagic: UInt32 = 0x184D_2A50
    static let tableMagic: UInt32 = 0x184D_2A51
    static let footerMagic: UInt32 = 0x184D_2A52
    static let headerSignature = Array("BANYANSN".utf8)
    static let tableSignature = Array("BANYANTC".utf8)
    static let footerSignature = Array("BANYANFT".utf8)
    static let headerFixedLength = 8 + 8 + 8 + 16 + 16 + 4
    static let maximumSchemaLength = SegmentHeader.maximumSchemaLength
    static let entryLength = 56
    static let tableFixedLength = 8 + 8
    static let footerLength = 8 + 8 + 8 + 16 + 16 + 9 * 8 + 8

    // MARK: Header

    /// The header's frame, and its hash.
    static func encode(_ header: SnapshotHeader) -> (bytes: [UInt8], hash: UInt64) {
        var writer = ByteWriter()
        writer.put(headerMagic)
        writer.put(UInt32(headerFixedLength + header.schema.count + 8 - 8))
        writer.bytes += headerSignature
        writer.put(version)
        writer.put(UInt16(0))
        writer.put(header.epoch)
        writer.put(header.storeID)
        writer.put(header.sequence)
        writer.put(header.time)
        writer.put(counted: header.schema)
        let hash = Checksum.hash(writer.bytes)
        writer.put(hash)
        return (writer.bytes, hash)
    }

    static func decodeHeader(_ bytes: [UInt8]) -> (header: SnapshotHeader, hash: UInt64)? {
        guard bytes.count >= headerFixedLength + 8 else { return nil }
        let hash = Checksum.hash(bytes.span.bytes.extracting(..<(bytes.count - 8)))
        var tail = ByteReader(bytes, from: bytes.count - 8)
        var reader = ByteReader(bytes, to: bytes.count - 8)
        guard tail.take(UInt64.self) == hash, reader.take(UInt32.self) == headerMagic,
            reader.take(UInt32.self).map({ Int($0) + 8 }) == bytes.count, reader.take(8) == headerSignature,
            let version = reader.take(UInt16.self), reader.take(UInt16.self) == 0,
            let epoch = reader.take(UInt32.self), let store = reader.takeID(), let sequence = reader.take(UInt64.self),
            let time = reader.take(Int64.self), let schema = reader.takeCounted(), reader.remaining == 0,
            Limits.allow(sequence), epoch <= Limits.epoch
        else { return nil }
        let header = SnapshotHeader(
            storeID: store, epoch: epoch, sequence: sequence, time: time, schema: schema, version: version)
        return (header, hash)
    }

    // MARK: Table

    static func encodeTable(_ frames: [SnapshotReader.FrameInfo]) -> (bytes: [UInt8], hash: UInt64)? {
        let length = tableFixedLength + frames.count * entryLength + 8
        guard let size = UInt32(exactly: length - 8) else { return nil }
        var writer = ByteWriter()
        writer.bytes.reserveCapacity(length)
        writer.put(tableMagic)
        writer.put(size)
        writer.bytes += tableSignature
        for frame in frames {
            writer.put(UInt32(frame.kind))
            writer.put(frame.table)
            writer.put(frame.rows)
            writer.put(frame.offset)
            writer.put(frame.storedLength)
            writer.put(frame.rawLength)
            writer.put(frame.rawHash)
            writer.put(frame.storedHash)
        }
        let hash = Checksum.hash(writer.bytes)
        writer.put(hash)
        return (writer.bytes, hash)
    }

    static func decodeTable(_ bytes: [UInt8], count: Int) -> (frames: [SnapshotReader.FrameInfo], hash: UInt64)? {
        guard bytes.count == tableFixedLength + count * entryLength + 8 else { return nil }
        let hash = Checksum.hash(bytes.span.bytes.extracting(..<(bytes.count - 8)))
        var tail = ByteReader(bytes, from: bytes.count - 8)
        var reader = ByteReader(bytes, to: bytes.count - 8)
        guard tail.take(UInt64.self) == hash, reader.take(UInt32.self) == tableMagic,
            reader.take(UInt32.self).map({ Int($0) + 8 }) == bytes.count, reader.take(8) == tableSignature
        else { return nil }
        var frames: [SnapshotReader.FrameInfo] = []
        frames.reserveCapacity(count)
        for _ in 0..<count {
            guard let kind = reader.take(UInt32.self), kind <= UInt8.max, let table = reader.take(UInt32.self),
                let rows = reader.take(UInt64.self), let offset = reader.take(UInt64.self),
                let stored = reader.take(UInt64.self), let raw = reader.take(UInt64.self),
                let rawHash = reader.take(UInt64.self), let storedHash = reader.take(UInt64.self)
            else { return nil }
            frames.append(
                SnapshotReader.FrameInfo(
                    kind: UInt8(kind), table: table, rows: rows, offset: offset, storedLength: stored, rawLength: raw,
                    rawHash: rawHash, storedHash: storedHash))
        }
        return (frames, hash)
    }

    static func rootHash(of frames: [SnapshotReader.FrameInfo]) -> UInt64 {
        var writer = ByteWriter()
        for frame in frames {
            writer.put(UInt32(frame.kind))
            writer.put(frame.table)
            writer.put(frame.rows)
            writer.put(frame.rawLength)
            writer.put(frame.rawHash)
        }
        return Checksum.hash(writer.bytes)
    }

    // MARK: Footer

    struct Footer: Hashable {
        var header: SnapshotHeader
        var tableOffset: UInt64
        var tableLength: UInt64
        var tableHash: UInt64
        var headerHash: UInt64
        var rootHash: UInt64
        var frames: UInt64
        var rows: UInt64
        var rawBytes: UInt64
        var fileLength: UInt64
    }

    static func encode(_ footer: Footer) -> [UInt8] {
        var writer = ByteWriter()
        writer.put(footerMagic)
        writer.put(UInt32(footerLength - 8))
        writer.bytes += footerSignature
        writer.put(version)
        writer.put(UInt16(0))
        writer.put(footer.header.epoch)
        writer.put(footer.header.storeID)
        writer.put(footer.header.sequence)
        writer.put(footer.header.time)
        for value in [
            footer.tableOffset, footer.tableLength, footer.tableHash, footer.headerHash, footer.rootHash, footer.frames,
            footer.rows, footer.rawBytes, footer.fileLength,
        ] {
            writer.put(value)
        }
        writer.put(Checksum.hash(writer.bytes))
        return writer.bytes
    }

    /// The footer, without the schema, which only the header has.
    static func decodeFooter(_ bytes: [UInt8]) -> Footer? {
        guard bytes.count == footerLength else { return nil }
        let hash = Checksum.hash(bytes.span.bytes.extracting(..<(bytes.count - 8)))
        var tail = ByteReader(bytes, from: bytes.count - 8)
        var reader = ByteReader(bytes, to: bytes.count - 8)
        guard tail.take(UInt64.self) == hash, reader.take(UInt32.self) == footerMagic,
            reader.take(UInt32.self).map({ Int($0) + 8 }) == footerLength, reader.take(8) == footerSignature,
            let version = reader.take(UInt16.self), reader.take(UInt16.self) == 0,
            let epoch = reader.take(UInt32.self), let store = reader.takeID(), let sequence = reader.take(UInt64.self),
            let time = reader.take(Int64.self)
        else { return nil }
        var values: [UInt64] = []
        while let value = reader.take(UInt64.self) { values.append(value) }
        guard values.count == 9 else { return nil }
        return Footer(
            header: SnapshotHeader(
                storeID: store, epoch: epoch, sequence: sequence, time: time, schema: [], version: version),
            tableOffset: values[0], tableLength: values[1], tableHash: values[2], headerHash: values[3],
            rootHash: values[4], frames: values[5], rows: values[6], rawBytes: values[7], fileLength: values[8])
    }
}
