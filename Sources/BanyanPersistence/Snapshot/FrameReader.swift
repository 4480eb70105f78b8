import BanyanCore

/// Reads frames of a snapshot's file and checks them, on any thread.
struct FrameReader: Sendable {
    let file: any DiskFile
    let path: String
    let sequence: UInt64
    /// A frame of more raw bytes is refused.
    let maxFrameSize: Int

    /// The raw bytes of a frame.
    ///
    /// - Parameter index: its number, for messages.
    func read(_ frame: SnapshotReader.FrameInfo, _ index: Int) throws(BanyanError) -> [UInt8] {
        func damaged(_ what: String) -> BanyanError {
            BanyanError(
                .damaged, "Frame \(index) of the snapshot \(what)",
                remedy: "Use an older snapshot with the journal after it, or a copy",
                at: .init(file: path, offset: frame.offset, sequence: sequence))
        }
        guard frame.rawLength <= UInt64(maxFrameSize) else {
            throw BanyanError(
                .limit, "Frame \(index) of the snapshot holds \(frame.rawLength) bytes, more than is accepted",
                at: .init(file: path, offset: frame.offset))
        }
        let stored = try onDisk { () throws(DiskFault) in
            try file.readUpTo(Int(frame.storedLength), at: frame.offset)
        }
        guard stored.count == Int(frame.storedLength) else { throw damaged("is cut short") }
        let hash = Checksum.hash(stored)
        guard hash == frame.storedHash else {
            throw damaged("fails its hash (expected \(hex(frame.storedHash)), found \(hex(hash)))")
        }
        switch Compression.unframe(stored, rawLength: Int(frame.rawLength)) {
        case .failure(let failure): throw damaged("is no proper LZ4 frame: it \(failure.reason)")
        case .success(let raw):
            let rawHash = Checksum.hash(raw)
            guard rawHash == frame.rawHash else {
                throw damaged("decompresses to other bytes (expected \(hex(frame.rawHash)), found \(hex(rawHash)))")
            }
            return raw
        }
    }
}
