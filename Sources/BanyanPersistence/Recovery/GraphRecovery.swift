package import BanyanCore
import Synchronization

/// Makes a graph of a store's files: the newest snapshot that can be read, then every journal record behind it.
///
/// It knows no models. The schema stands in the files, so that the command line opens any store; a program that has models
/// checks the stored schema against its own when it is asked for a layout.
package enum GraphRecovery {
    package enum Phase: Sendable, Hashable { case snapshot, journal }

    /// How far it has come in a phase, in bytes of files.
    package typealias Progress = (_ phase: Phase, _ done: UInt64, _ total: UInt64) -> Void

    /// Recovers an opened store: loads, replays, repairs a torn tail as `files.mode` allows, and leaves `files` ready for
    /// `append`. O(size of the snapshot and of the journal after it).
    ///
    /// - Parameter layout: asked for the layout of a graph with the schema that the files hold; nil when there is none
    ///   yet. Types must keep their order. It is asked again when a damaged snapshot makes an older one the start, and where
    ///   the journal goes on under another version of the schema: it throws where that must not be opened.
    /// - Throws: `damaged` with file, offset and sequence as far as known, having changed nothing on disk;
    ///   `unsupportedFormat`, `schemaMismatch`, `io`; what `layout` throws. The store can then only be closed.
    package static func recover(
        _ files: StoreFiles, layout: @escaping (_ stored: Schema?) throws -> StoreLayout, progress: Progress? = nil
    ) throws -> (version: Version, report: RecoveryReport) {
        var start: (version: Version, schema: [UInt8])?
        var candidate = files.snapshot
        while let snapshot = candidate, start == nil {
            do {
                start = (try load(snapshot, layout, progress), snapshot.header.schema)
            } catch let error as BanyanError where error.code == .damaged {
                candidate = try files.olderSnapshot(because: error)
            }
        }
        let replay = GraphReplay(from: start, layout: layout)
        let report = try files.replay(progress: progress.map { tell in { tell(.journal, $0.done, $0.total) } }) {
            record, schema in
            do {
                try replay.apply(record, schema: schema, at: .init(file: files.path, sequence: record.sequence))
            } catch var error as BanyanError {
                if let place = place(of: record.sequence, in: files) {
                    error.location.file = place.file
                    error.location.offset = place.offset
                }
                throw error
            }
        }
        return (try replay.finish(), report)
    }

    /// Where a commit stands in the journal. Looked up only for messages, so that replay need not carry it along; nil when
    /// the files do not tell any more.
    private static func place(of sequence: UInt64, in files: StoreFiles) -> (file: String, offset: UInt64)? {
        var found: (file: String, offset: UInt64)?
        _ = Result {
            let store = try StoreInspection(files.directory, files.state.withLock { $0.manifest })
            try store.records(after: sequence - 1, through: .sequence(sequence)) { located, _ in
                found = (located.file, located.offset)
                return false
            }
        }
        return found
    }

    /// Loads one snapshot.
    ///
    /// - Throws: `damaged`, `unsupportedFormat`, `limit`, `io`; what `layout` throws.
    package static func load(
        _ snapshot: SnapshotReader, _ layout: (_ stored: Schema?) throws -> StoreLayout, _ progress: Progress? = nil
    ) throws -> Version {
        let layout = try layout(schema(snapshot.header.schema, in: snapshot.path))
        return try SnapshotLoader.load(
            snapshot, layout: layout, progress: progress.map { tell in { tell(.snapshot, $0.done, $0.total) } })
    }

    /// The schema in a file's header.
    package static func schema(_ bytes: [UInt8], in file: String?) throws(BanyanError) -> Schema {
        do throws(BanyanError) {
            return try SchemaCodec.decode(bytes)
        } catch {
            var error = error
            error.location.file = file
            throw error
        }
    }
}
