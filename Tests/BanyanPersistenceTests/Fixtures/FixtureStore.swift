import BanyanCore
import BanyanPersistence
import Foundation
import Testing

/// A store of the file system, opened as a program opens it, but with the schema that its files hold.
final class FixtureStore {
    let files: StoreFiles
    let report: RecoveryReport
    private let schema: Schema
    private let workspace: Workspace

    init(_ path: String, schema: Schema? = nil, _ configure: (inout StoreFiles.Options) -> Void = { _ in }) throws {
        var options = StoreFiles.Options()
        options.newStoreID = StoreID(high: 0x0123_4567_89AB_4DEF, low: 0x8123_4567_89AB_CDEF)
        options.freeSpaceReserve = 0
        configure(&options)
        let stored = try schema ?? GraphRecovery.newestSchema(of: StoreInspection.open(path, on: KernelDisk()))
        guard let stored else { throw FixtureRecipe.Missing(what: "a schema in \(path)") }
        self.schema = stored
        files = try StoreFiles.open(
            at: path, on: KernelDisk(), options: options, mode: .readWrite(createIfMissing: schema != nil),
            schema: SchemaCodec.encode(stored))
        let recovered = try GraphRecovery.recover(files, layout: { _ in try StoreLayout(stored) })
        report = recovered.report
        workspace = Workspace(recovered.version)
    }

    var version: Version { workspace.version }

    func commit(_ metadata: CommitMetadata = CommitMetadata(), _ body: (FixtureRecipe) throws -> Void) throws {
        try files.checkWritable()
        let before = workspace.version
        let transaction = workspace.begin()
        do {
            try body(FixtureRecipe(transaction: transaction))
            if let fault = transaction.fault { throw fault }
            if transaction.isDoubtful, let violation = transaction.takeViolation() { throw violation }
        } catch {
            workspace.rollback()
            throw error
        }
        let sequence = before.sequence + 1
        let time = 1_772_366_400_000_000_000 + Int64(sequence) * 1_000_000_000
        guard let version = workspace.commit(sequence: sequence, time: time) else {
            throw FixtureRecipe.Missing(what: "a change in commit \(sequence)")
        }
        for changes in before.changeSets(to: version) {
            files.append(ChangeSetCodec.encode(changes, metadata: metadata), sequence: sequence, time: time)
        }
        try files.flush(through: sequence)
    }

    @discardableResult
    func checkpoint() throws -> SnapshotInfo {
        let version = workspace.version
        return try files.checkpoint(
            sequence: version.sequence, time: version.time, schema: SchemaCodec.encode(schema)
        ) { try SnapshotCodec.write(version: version, to: $0) }
    }
}

/// A store as one generation of the code wrote it, with what it held.
struct FixtureForm: Sendable, CustomTestStringConvertible {
    /// What it is called in its generation's folder.
    var name: String
    /// Commits behind which the content is kept as text. All forms have the same commits, and so the same texts.
    var kept: [UInt64]
    var checkpoints: Set<UInt64> = []
    var isClosed: Bool
    var configure: @Sendable (inout StoreFiles.Options) -> Void = { _ in }
    /// The snapshot of this store is kept instead of its directory.
    var isLoneSnapshot = false

    var testDescription: String { name }

    static let all = [
        FixtureForm(name: "journal", kept: [9, 40], isClosed: false),
        FixtureForm(
            name: "snapshots", kept: [20, 40], checkpoints: [10, 25], isClosed: true,
            configure: { options in
                options.segmentSize = 4 << 10
                options.maxRecordSize = 8 << 10
            }),
        FixtureForm(name: "lone", kept: [40], checkpoints: [40], isClosed: true, isLoneSnapshot: true),
    ]

    /// Writes it into a folder, and its texts.
    func write(into folder: String) throws {
        let path = folder + "/" + name
        let copy = path + ".open"
        let store = try FixtureStore(path, schema: FixtureSchema.schema, configure)
        for (index, step) in FixtureRecipe.steps.enumerated() {
            let number = UInt64(index + 1)
            let metadata = CommitMetadata(
                author: number % 2 == 0 ? "ada" : nil, reason: number % 3 == 0 ? "step \(number)" : nil,
                requestID: number % 5 == 0 ? "request-\(number)" : nil)
            try store.commit(metadata) { try step($0) }
            if checkpoints.contains(number) { try store.checkpoint() }
            guard kept.contains(number) else { continue }
            let text = FixtureText.lines(store.version).joined(separator: "\n") + "\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/commit-\(number).txt"))
        }
        // As a process leaves it that is killed: the files of the open store.
        if !isClosed { try FileManager.default.copyItem(atPath: path, toPath: copy) }
        try store.files.close()
        if !isClosed {
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: copy, toPath: path)
        }
        try FileManager.default.removeItem(atPath: path + "/LOCK")
        guard isLoneSnapshot else { return }
        for file in try FileManager.default.contentsOfDirectory(atPath: path) where file.hasSuffix(".bsn") {
            try FileManager.default.moveItem(atPath: path + "/" + file, toPath: path + ".bsn")
        }
        try FileManager.default.removeItem(atPath: path)
    }
}
