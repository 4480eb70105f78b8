package import BanyanCore

/// Makes a graph of a store's files: the newest snapshot that can be read, then every journal record behind it.
///
/// It knows no models. The schema stands in the files, so that the command line opens any store; a program that has models
/// checks the stored schema against its own when it is asked for a layout.
package enum GraphRecovery {
    package enum Phase: Sendable, Hashable { case snapshot, journal }

    /// How far it has come in a phase, in bytes of files.
    package typealias Progress = (_ phase: Phase, _ done: UInt64, _ total: UInt64) -> Void

    /// What recovery made of a store's files.
    package struct Recovered<Binding: GraphBinding> {
        package var version: Version
        /// What the caller made of the schema by which the graph is laid out.
        package var binding: Binding
        package var report: RecoveryReport
    }

    /// Recovers an opened store: loads, replays, repairs a torn tail as `files.mode` allows, and leaves `files` ready for
    /// `append`. O(size of the snapshot and of the journal after it).
    ///
    /// - Parameter layout: makes a layout of the schema that the files hold; the schema is nil when there is none yet.
    ///   Types must keep their order. It is asked again when a damaged snapshot makes an older one the start, and where the
    ///   journal goes on under another version of the schema: it throws where that must not be opened.
    /// - Throws: `damaged` with file, offset and sequence as far as known, having changed nothing on disk;
    ///   `unsupportedFormat`, `schemaMismatch`, `io`; what `layout` throws. The store can then only be closed.
    package static func recover<Binding: GraphBinding>(
        _ files: StoreFiles, layout: @escaping (_ stored: Schema?) throws -> Binding, progress: Progress? = nil
    ) throws -> Recovered<Binding> {
        let (graph, read) = try graph(of: files.recoverableFiles(), through: .end, layout, progress)
        let report = try files.endRecovery(read)
        return Recovered(version: graph.version, binding: graph.binding, report: report)
    }

    /// The graph right after the last commit that `target` takes in: the newest snapshot at or before it that can be read,
    /// and the records from there on.
    static func graph<Binding: GraphBinding>(
        of files: ListedFiles, through target: StoreInspection.Target,
        _ layout: @escaping (_ stored: Schema?) throws -> Binding, _ progress: Progress?
    ) throws -> (graph: (version: Version, binding: Binding), read: ListedFiles.JournalRead) {
        var start = try files.start(through: target) { snapshot in try replayBase(snapshot, layout, progress) }
        // The version of the snapshot is not kept: its pages go as the replay replaces them.
        let replay = GraphReplay(from: start.base.take(), layout: layout)
        let read = try files.records(
            after: start, through: target, progress: progress.map { tell in { tell(.journal, $0.done, $0.total) } }
        ) { located in
            try replay.apply(
                located.record, schema: located.schema,
                at: .init(file: located.file, offset: located.offset, sequence: located.record.sequence))
            return true
        }
        return (try replay.finish(), read)
    }

    /// The graph of a snapshot, as a replay starts from it.
    static func replayBase<Binding: GraphBinding>(
        _ snapshot: SnapshotReader, _ layout: (_ stored: Schema?) throws -> Binding, _ progress: Progress?
    ) throws -> GraphReplay<Binding>.Base {
        let binding = try layout(schema(snapshot.header.schema, in: snapshot.path))
        let version = try SnapshotLoader.load(
            snapshot, layout: binding.layout, progress: progress.map { tell in { tell(.snapshot, $0.done, $0.total) } })
        return .init(version: version, binding: binding, schema: snapshot.header.schema)
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
