import BanyanCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

// The manifest is the list of what counts. A snapshot or segment that is not in it does not exist for the store, so
// replacing the manifest is what makes a checkpoint, a new segment or a pruning happen, all at once. It is small, is
// replaced as a whole by rename, and carries one hash over all of it.
//
//      0  8 bytes "BANYANMF"
//      8  u16  version     10  u16  zero     12  u32  length of the whole
//     16  store (16)       32  parent store (16)       48  u64  parent's sequence
//     56  u64  generation  64  u64  next number of a segment   72  u64  durable sequence
//     80  u64  link at the journal's end
//     88  u32  epoch       92  u32  snapshots   96  u32  segments   100  u32  zero
//    104  snapshots, newest first: u64 sequence, u64 mark, i64 time, u64 length, u64 root hash
//      …  segments, oldest first: u64 number, u64 mark, u32 epoch, u32 sealed, u64 first, u64 last, u64 link before,
//         u64 link at the end, u64 length
//      …  u64  hash of all before

struct Manifest: Hashable, Sendable {
    static let magic = Array("BANYANMF".utf8)
    static let version: UInt16 = 1
    static let maximumLength = 4 << 20
    private static let fixedLength = 104
    private static let snapshotLength = 40
    private static let segmentLength = 64

    struct Snapshot: Hashable, Sendable {
        var sequence: UInt64
        var mark: UInt64
        var time: Int64
        var length: UInt64
        var rootHash: UInt64

        var name: String { FileNames.snapshot(sequence: sequence, mark: mark) }
    }

    struct Segment: Hashable, Sendable {
        var number: UInt64
        var mark: UInt64
        var epoch: UInt32
        /// Closed for good: what follows is exact. While false (only ever of the last one) `last`, `link` and `length`
        /// say how it was when the manifest was written.
        var sealed: Bool
        var first: UInt64
        /// One less than `first` when it holds no record.
        var last: UInt64
        var previousLink: UInt64
        var link: UInt64
        var length: UInt64

        var name: String { FileNames.segment(first: first, mark: mark) }
    }

    var storeID: StoreID
    var parent: StoreParent?
    var generation: UInt64 = 0
    var epoch: UInt32 = 0
    var nextSegment: UInt64 = 1
    /// The last sequence known to be on disk when this was written.
    var durableSequence: UInt64 = 0
    /// The link the next segment follows.
    var tailLink: UInt64 = 0
    var snapshots: [Snapshot] = []
    var segments: [Segment] = []

    init(storeID: StoreID, parent: StoreParent? = nil) {
        self.storeID = storeID
        self.parent = parent
    }

    func encoded() -> [UInt8] {
        var writer = ByteWriter(bytes: Self.magic)
        writer.put(Self.version)
        writer.put(UInt16(0))
        writer.put(UInt32(encodedLength))
        writer.put(storeID)
        writer.put(parent?.storeID ?? StoreID(high: 0, low: 0))
        writer.put(parent?.sequence ?? 0)
        writer.put(generation)
        writer.put(nextSegment)
        writer.put(durableSequence)
        writer.put(tailLink)
        writer.put(epoch)
        writer.put(UInt32(snapshots.count))
        writer.put(UInt32(segments.count))
        writer.put(UInt32(0))
        for snapshot in snapshots {
            writer.put(snapshot.sequence)
            writer.put(snapshot.mark)
            writer.put(snapshot.time)
            writer.put(snapshot.length)
            writer.put(snapshot.rootHash)
        }
        for segment in segments {
            writer.put(segment.number)
            writer.put(segment.mark)
            writer.put(segment.epoch)
            writer.put(UInt32(segment.sealed ? 1 : 0))
            writer.put(segment.first)
            writer.put(segment.last)
            writer.put(segment.previousLink)
            writer.put(segment.link)
            writer.put(segment.length)
        }
        writer.put(Checksum.hash(writer.bytes))
        return writer.bytes
    }

    var encodedLength: Int {
        Self.fixedLength + snapshots.count * Self.snapshotLength + segments.count * Self.segmentLength + 8
    }

    init(decoding bytes: [UInt8], path: String) throws(BanyanError) {
        func damaged(_ what: String) -> BanyanError {
            BanyanError(
                .damaged, "The manifest \(what)",
                remedy: "Run `banyan salvage`, which can rebuild it from the other files",
                at: .init(file: path, offset: 0))
        }
        var reader = ByteReader(bytes)
        guard bytes.count >= Self.fixedLength + 8, reader.take(8) == Self.magic else {
            throw damaged("does not begin as one does")
        }
        let hash = Checksum.hash(bytes.span.bytes.extracting(..<(bytes.count - 8)))
        var tail = ByteReader(bytes, from: bytes.count - 8)
        let expected = tail.take(UInt64.self) ?? 0
        guard expected == hash else {
            throw damaged("fails its hash (expected \(hex(expected)), found \(hex(hash)))")
        }
        let version = reader.take(UInt16.self)
        guard version == Self.version, reader.take(UInt16.self) == 0 else {
            throw BanyanError(
                .unsupportedFormat, "The store has format \(version ?? 0), newer than this program reads",
                remedy: "Use a newer version of Banyan", at: .init(file: path))
        }
        guard reader.take(UInt32.self).map(Int.init) == bytes.count, let store = reader.takeID(),
            let parentStore = reader.takeID(), let parentSequence = reader.take(UInt64.self),
            let generation = reader.take(UInt64.self), let nextSegment = reader.take(UInt64.self),
            let durableSequence = reader.take(UInt64.self), let tailLink = reader.take(UInt64.self),
            let epoch = reader.take(UInt32.self), let snapshotCount = reader.take(UInt32.self),
            let segmentCount = reader.take(UInt32.self), reader.take(UInt32.self) == 0,
            reader.remaining - 8 == Int(snapshotCount) * Self.snapshotLength + Int(segmentCount) * Self.segmentLength
        else { throw damaged("has fields that do not fit it") }
        let hasParent = parentStore != StoreID(high: 0, low: 0)
        self.init(storeID: store, parent: hasParent ? StoreParent(storeID: parentStore, sequence: parentSequence) : nil)
        self.generation = generation
        self.epoch = epoch
        self.nextSegment = nextSegment
        self.durableSequence = durableSequence
        self.tailLink = tailLink
        for _ in 0..<snapshotCount {
            guard let sequence = reader.take(UInt64.self), let mark = reader.take(UInt64.self),
                let time = reader.take(Int64.self), let length = reader.take(UInt64.self),
                let root = reader.take(UInt64.self)
            else { throw damaged("ends amid its snapshots") }
            snapshots.append(
                Snapshot(sequence: sequence, mark: mark, time: time, length: length, rootHash: root))
        }
        for _ in 0..<segmentCount {
            guard let number = reader.take(UInt64.self), let mark = reader.take(UInt64.self),
                let epoch = reader.take(UInt32.self), let sealed = reader.take(UInt32.self),
                let first = reader.take(UInt64.self), let last = reader.take(UInt64.self),
                let previous = reader.take(UInt64.self), let link = reader.take(UInt64.self),
                let length = reader.take(UInt64.self)
            else { throw damaged("ends amid its segments") }
            segments.append(
                Segment(
                    number: number, mark: mark, epoch: epoch, sealed: sealed == 1, first: first, last: last,
                    previousLink: previous, link: link, length: length))
        }
        if let complaint = inconsistency { throw damaged(complaint) }
    }

    /// What in the list cannot be, or nil.
    private var inconsistency: String? {
        guard Limits.allow(generation, nextSegment, durableSequence, parent?.sequence ?? 0), epoch <= Limits.epoch
        else {
            return "has a counter beyond all bounds"
        }
        for snapshot in snapshots {
            guard Limits.allow(snapshot.sequence, snapshot.mark), snapshot.length <= Limits.fileLength else {
                return "lists a snapshot that cannot be"
            }
        }
        for (newer, older) in zip(snapshots, snapshots.dropFirst()) where newer.sequence < older.sequence {
            return "lists its snapshots out of order"
        }
        for segment in segments {
            guard segment.first > 0, Limits.allow(segment.first, segment.last, segment.mark),
                segment.last >= segment.first - 1, segment.number < nextSegment, segment.epoch <= Limits.epoch,
                segment.length <= Limits.fileLength
            else {
                return "lists a segment that cannot be"
            }
        }
        for (one, next) in zip(segments, segments.dropFirst()) {
            guard one.sealed, next.first == one.last + 1, next.previousLink == one.link, next.number > one.number
            else { return "lists segments that do not follow one another" }
        }
        return nil
    }
}

extension Manifest {
    /// The manifest of a directory; nil when there is none.
    static func read(in directory: any DiskDirectory, name: String = FileNames.manifest) throws(BanyanError)
        -> Manifest?
    {
        let path = directory.pathOf(name)
        let found = try onDisk { () throws(DiskFault) -> [UInt8]? in
            guard let file = try directory.openIfPresent(name, .read) else { return nil }
            defer { file.close() }
            return try file.readUpTo(maximumLength + 1, at: 0)
        }
        guard let bytes = found else { return nil }
        guard bytes.count <= maximumLength else {
            throw BanyanError(.damaged, "The manifest is larger than one can be", at: .init(file: path))
        }
        return try Manifest(decoding: bytes, path: path)
    }

    /// What to say instead of `error`, met while reading a store that another process has open: when that has changed
    /// its manifest meanwhile, the file may only have been pruned.
    static func excuse(
        for error: BanyanError, in directory: any DiskDirectory, since generation: UInt64
    ) throws(BanyanError) -> BanyanError? {
        guard let now = try read(in: directory), now.generation != generation else { return nil }
        return BanyanError(
            .inUse, "The store was changed by its own process while it was read", remedy: "Try again",
            at: .init(file: directory.path), cause: error.description)
    }

    /// The state of the directory that holds after a failure to replace the manifest.
    enum WriteFailure: Error {
        /// Nothing changed: the manifest on disk is the one before.
        case before(DiskFault)
        /// The old one or the new one, nobody knows: the rename or the flush of the directory failed.
        case unknown(DiskFault)

        var fault: DiskFault {
            switch self {
            case .before(let fault), .unknown(let fault): fault
            }
        }
    }

    /// Replaces the manifest on disk, keeping the one before under its second name.
    func write(in directory: any DiskDirectory) throws(WriteFailure) {
        do throws(DiskFault) {
            try prepare(in: directory)
        } catch {
            Self.discardPrepared(in: directory)
            throw .before(error)
        }
        do throws(DiskFault) { try Self.swapPrepared(in: directory) } catch { throw .unknown(error) }
    }

    private static let temporary = FileNames.manifest + FileNames.temporarySuffix

    /// Puts it on disk under a temporary name, and gives the manifest that holds its second name. Whatever fails, that one
    /// holds as before.
    func prepare(in directory: any DiskDirectory) throws(DiskFault) {
        // It could not be read again.
        guard encodedLength <= Self.maximumLength else {
            throw DiskFault("write \(segments.count) segments into", directory.pathOf(Self.temporary), errno: EFBIG)
        }
        try directory.removeIfPresent(Self.temporary)
        let file = try directory.open(Self.temporary, .create)
        defer { file.close() }
        try file.writeAll(encoded().span.bytes, at: 0, name: directory.pathOf(Self.temporary))
        try file.sync()
        try directory.removeIfPresent(FileNames.previousManifest)
        do throws(DiskFault) {
            try directory.link(FileNames.manifest, to: FileNames.previousManifest)
        } catch {
            // The second name is a help for rebuilding, no more: the first manifest has none, and some file systems have no
            // links.
            if !error.isMissing && !error.isUnsupported { throw error }
        }
    }

    /// Removes what `prepare` has made; if that fails, the next attempt does it.
    static func discardPrepared(in directory: any DiskDirectory) { directory.discard(temporary) }

    /// Makes the prepared one hold. Whether it does is unknown when this fails.
    static func swapPrepared(in directory: any DiskDirectory) throws(DiskFault) {
        try directory.rename(temporary, to: FileNames.manifest)
        try directory.sync()
    }
}
