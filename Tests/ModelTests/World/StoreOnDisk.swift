import BanyanCore
import BanyanPersistence
import BanyanTesting

/// The store's files, on a simulated disk.
final class StoreOnDisk {
    private static let path = "/store"

    private var disk: SimulatedDisk
    private var files: StoreFiles

    private static var options: StoreFiles.Options {
        var options = StoreFiles.Options()
        options.newStoreID = StoreID(high: 1, low: 2)
        options.freeSpaceReserve = 0
        options.segmentSize = 64 << 10
        return options
    }

    private init(_ files: StoreFiles, _ disk: SimulatedDisk) {
        self.files = files
        self.disk = disk
    }

    /// A new store, and what it starts with. The caller alone holds the version: memory is accounted for.
    static func make() throws -> (StoreOnDisk, Version) {
        let disk = SimulatedDisk()
        let (files, version) = try open(disk)
        return (StoreOnDisk(files, disk), version)
    }

    private static func open(_ disk: SimulatedDisk) throws -> (StoreFiles, Version) {
        let files = try StoreFiles.open(
            at: path, on: disk, options: options, mode: .readWrite(createIfMissing: true),
            schema: SchemaCodec.encode(RichSchema.schema))
        return (files, try GraphRecovery.recover(files, layout: layout).version)
    }

    private static func layout(_ stored: Schema?) throws -> StoreLayout {
        try require(stored.map { $0 == RichSchema.schema } ?? true, "the files hold another schema")
        return RichSchema.layout
    }

    /// Acknowledges a commit: from here on it must survive.
    func append(_ payload: [UInt8], _ version: Version) throws {
        try files.checkWritable()
        files.append(payload, sequence: version.sequence, time: version.time)
        try files.flush(through: version.sequence)
    }

    func checkpoint(_ version: Version) throws {
        // A snapshot of the empty graph before the first commit would be no start for anything.
        guard version.sequence > 0 else { return }
        try files.checkpoint(
            sequence: version.sequence, time: version.time, schema: SchemaCodec.encode(RichSchema.schema)
        ) { writer in
            try SnapshotCodec.write(version: version, to: writer)
        }
    }

    /// What recovery makes of the files after such an end.
    func reopen(_ ending: Step.Ending) throws -> Version {
        switch ending {
        case .closed: try files.close()
        case .killed: disk = disk.afterProcessDeath()
        case .powerCut(let seed): disk = disk.afterPowerCut(seed: seed)
        }
        let report = try StoreVerification.verify(Self.path, on: disk)
        try require(report.isSound, "verification finds \(report.findings)")
        let version: Version
        (files, version) = try Self.open(disk)
        return version
    }

    /// The state after an earlier commit; nil when the files do not go back so far.
    func read(commit sequence: UInt64) throws -> Version? {
        let inspection = try StoreInspection.open(Self.path, on: disk)
        guard sequence >= GraphRecovery.oldest(inspection) else { return nil }
        return try GraphRecovery.read(inspection, through: .sequence(sequence), layout: Self.layout).version
    }
}
