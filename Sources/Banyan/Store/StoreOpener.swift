import BanyanCore
import BanyanPersistence

/// Turns a configuration into a running store.
struct StoreOpener: Sendable {
    private let configuration: Store.Configuration

    init(_ configuration: Store.Configuration) { self.configuration = configuration }

    func openInMemory() throws(BanyanError) -> StoreCore {
        guard let base = configuration.base else {
            let binding = try configuration.modelBinding()
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
        let fresh = try configuration.modelBinding()
        let files = try StoreFiles.open(
            at: directory, on: configuration.disk, options: options, mode: mode,
            schema: SchemaCodec.encode(fresh.layout.schema), base: base)
        do {
            let progress = configuration.progress
            let recovered = try GraphRecovery.recover(
                files,
                layout: { stored throws(BanyanError) in
                    guard let stored else { return fresh }
                    return try bind(to: stored, file: directory)
                },
                progress: progress.map { tell in
                    { phase, done, total in
                        tell(.init(phase: phase == .snapshot ? .snapshot : .journal, done: done, total: total))
                    }
                })
            let binding = recovered.binding
            // From now on headers say what these records are written with: the tables in the order of the files, whatever
            // the order of the models, and the version, which may have been raised.
            if !configuration.readOnly { try files.setSchema(SchemaCodec.encode(binding.layout.schema)) }
            return core(binding, recovered.version, files, recovered.report)
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

    /// The models in the table order of a file, which must have been written with the same types, under this version of the
    /// schema or a lower one.
    private func bind(to stored: BanyanCore.Schema, file: String) throws(BanyanError) -> ModelBinding {
        let binding = try ModelBinding(
            configuration.models, version: configuration.schemaVersion, order: stored.types.map(\.name))
        let schema = binding.layout.schema
        guard schema.types == stored.types else { throw schema.mismatch(withStored: stored, file: file) }
        guard schema.version >= stored.version else { throw schema.isOlder(thanStored: stored, file: file) }
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

extension ModelBinding: GraphBinding {}

extension Store.Durability {
    var files: Durability {
        switch self {
        case .everyCommit: .everyCommit
        case .interval(let interval): .interval(interval)
        case .onClose: .onClose
        }
    }
}

extension Store.Configuration {
    /// Its classes, bound to tables in the order they are met.
    fileprivate func modelBinding() throws(BanyanError) -> ModelBinding {
        guard !models.isEmpty else {
            throw BanyanError(
                .invalidSchema, "a store needs a class whose objects it holds",
                remedy: "Give `Configuration.models` at least one")
        }
        return try ModelBinding(models, version: schemaVersion)
    }
}
