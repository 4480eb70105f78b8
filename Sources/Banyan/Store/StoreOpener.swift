import BanyanCore
import BanyanPersistence

/// Turns a configuration into a running store.
struct StoreOpener: Sendable {
    private let configuration: Store.Configuration

    init(_ configuration: Store.Configuration) { self.configuration = configuration }

    func openInMemory() throws(BanyanError) -> StoreCore {
        guard let base = configuration.base else {
            let binding = try ModelBinding(configuration.models, version: configuration.schemaVersion)
            return core(binding, .empty(binding.layout), nil)
        }
        return try openBase(base)
    }

    func open() async throws -> StoreCore {
        guard let directory = configuration.directory else { return try openInMemory() }
        return try await withCheckedThrowingContinuation { continuation in
            // Reading files blocks; a thread of the cooperative pool is not for that.
            DispatchQueue(label: "banyan.open").async {
                continuation.resume(with: Result { try self.openDirectory(directory) })
            }
        }
    }

    private func openDirectory(_ directory: String) throws -> StoreCore {
        var options = configuration.files
        options.durability = configuration.durability.files
        options.keepSnapshots = configuration.keepSnapshots
        let mode: StoreFiles.Mode =
            configuration.readOnly ? .readOnly : .readWrite(createIfMissing: configuration.createIfMissing)
        let fresh = try ModelBinding(configuration.models, version: configuration.schemaVersion)
        let files = try StoreFiles.open(
            at: directory, on: configuration.disk, options: options, mode: mode,
            schema: SchemaCodec.encode(fresh.layout.schema), base: base)
        do {
            var binding = fresh
            let progress = configuration.progress
            let (version, report) = try GraphRecovery.recover(
                files,
                layout: { stored throws(BanyanError) in
                    guard let stored else { return fresh.layout }
                    binding = try bind(to: stored, file: directory)
                    return binding.layout
                },
                progress: progress.map { tell in
                    { phase, done, total in
                        tell(.init(phase: phase == .snapshot ? .snapshot : .journal, done: done, total: total))
                    }
                })
            // The types keep the order of the files, whatever that of the models: so must what is written from now on.
            if !configuration.readOnly { try files.setSchema(SchemaCodec.encode(binding.layout.schema)) }
            return core(binding, version, files, report)
        } catch {
            // What stopped the opening is what counts; the lock must go either way.
            _ = Result { try files.close() }
            throw error
        }
    }

    /// The snapshot that a new store begins with; it must fit the models before anything is made of it.
    private func base() throws(BanyanError) -> SnapshotReader? {
        guard let path = configuration.base else { return nil }
        let reader = try SnapshotReader.open(path, on: configuration.disk)
        _ = try bind(to: try SchemaCodec.decode(reader.header.schema), file: path)
        return reader
    }

    private func openBase(_ path: String) throws(BanyanError) -> StoreCore {
        let reader = try SnapshotReader.open(path, on: configuration.disk)
        let binding = try bind(to: try SchemaCodec.decode(reader.header.schema), file: path)
        return core(binding, try SnapshotLoader.load(reader, layout: binding.layout), nil)
    }

    /// The models in the table order of a file, which must have been written with the same schema.
    private func bind(to stored: BanyanCore.Schema, file: String) throws(BanyanError) -> ModelBinding {
        let binding = try ModelBinding(
            configuration.models, version: configuration.schemaVersion, order: stored.types.map(\.name))
        guard binding.layout.schema == stored else {
            throw binding.layout.schema.mismatch(withStored: stored, file: file)
        }
        return binding
    }

    private func core(
        _ binding: ModelBinding, _ version: Version, _ files: StoreFiles?,
        _ report: BanyanPersistence.RecoveryReport? = nil
    ) -> StoreCore {
        StoreCore(
            binding, version: version, files: files, readOnly: configuration.readOnly, clock: configuration.clock,
            disk: configuration.disk, recovery: report.map(Store.RecoveryReport.init),
            checkpointFailed: configuration.checkpointFailed)
    }
}

import Dispatch

extension Store.Durability {
    var files: Durability {
        switch self {
        case .everyCommit: .everyCommit
        case .interval(let interval): .interval(interval)
        case .onClose: .onClose
        }
    }
}
