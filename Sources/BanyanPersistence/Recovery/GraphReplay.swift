import BanyanCore

/// Applies journal records to a graph, many to one transaction.
///
/// A version for each commit would cost its page copies and its retired pages, and nobody would read it. Commits are
/// therefore applied one after another to one open transaction, which becomes a version every few thousand records or
/// megabytes. That is often enough to keep the memory for replaced pages small. `finish` makes the version right after the
/// last record that was applied.
final class GraphReplay<Binding: GraphBinding> {
    /// The graph before the first record.
    struct Base {
        var version: Version
        var binding: Binding
        /// The schema bytes of the file it came from.
        var schema: [UInt8]
    }

    private static var recordLimit: Int { 65_536 }
    private static var byteLimit: Int { 16 << 20 }

    private var workspace: Workspace?
    /// What applies records to the workspace's open transaction; nil while none is open.
    @exclusivity(unchecked) private var open: ChangeSetApplier?
    /// The schema the graph was laid out by, as its file holds it; nil while there is no graph.
    private var schema: [UInt8]?
    private var pendingRecords = 0
    private var pendingBytes = 0
    private var last: (sequence: UInt64, time: Int64) = (0, 0)

    private let makeBinding: (Schema?) throws -> Binding
    /// nil while there is no graph.
    private var binding: Binding?

    /// - Parameter base: nil when the records begin with the first commit, so that theirs is the schema to begin with.
    init(from base: Base?, layout: @escaping (Schema?) throws -> Binding) {
        makeBinding = layout
        workspace = base.map { Workspace($0.version) }
        binding = base?.binding
        schema = base?.schema
    }

    /// Applies the record that follows. When it throws, the replay is over.
    ///
    /// - Throws: `damaged` with the record's place for one that does not fit the graph, `unsupportedFormat`, what `layout`
    ///   throws.
    func apply(
        _ record: JournalRecord, schema recordSchema: [UInt8], at place: @autoclosure () -> BanyanError.Location
    ) throws {
        guard record.kind == JournalRecord.commitKind else {
            throw BanyanError(
                .unsupportedFormat,
                "The journal holds a record of kind \(record.kind), which this program does not know",
                remedy: "Use a newer version of Banyan", at: place())
        }
        let workspace = try workspace(for: recordSchema, at: place())
        if open == nil { open = ChangeSetApplier(workspace.begin()) }
        do throws(BanyanError) {
            try ChangeSetCodec.apply(record.payload, &open!)
            if let fault = workspace.transaction?.fault { throw fault }
        } catch {
            open = nil
            workspace.rollback()
            throw Self.located(error, at: place())
        }
        last = (record.sequence, record.time)
        pendingRecords += 1
        pendingBytes += record.payload.count
        if pendingRecords >= Self.recordLimit || pendingBytes >= Self.byteLimit { commit() }
    }

    /// The version after the last record applied; the one at the start, or an empty graph, when there was none.
    func finish() throws -> (version: Version, binding: Binding) {
        commit()
        if let workspace, let binding { return (workspace.version, binding) }
        let binding = try makeBinding(nil)
        return (Version.empty(binding.layout), binding)
    }

    private func commit() {
        guard pendingRecords > 0, let workspace else { return }
        open = nil
        _ = workspace.commit(sequence: last.sequence, time: last.time)
        pendingRecords = 0
        pendingBytes = 0
    }

    private func workspace(for recordSchema: [UInt8], at place: BanyanError.Location) throws -> Workspace {
        if let workspace, let schema {
            if schema != recordSchema { try accept(recordSchema, after: schema, at: place) }
            return workspace
        }
        let stored = try GraphRecovery.schema(recordSchema, in: place.file)
        let binding = try bind(stored, at: place)
        let made = Workspace(Version.empty(binding.layout))
        workspace = made
        self.binding = binding
        schema = recordSchema
        return made
    }

    /// The schema may change its version within a journal, and nothing else: what converts a graph to other types is a
    /// snapshot made after a migration, and that is where a replay of the records behind it must start.
    private func accept(_ bytes: [UInt8], after old: [UInt8], at place: BanyanError.Location) throws {
        let before = try GraphRecovery.schema(old, in: place.file)
        let now = try GraphRecovery.schema(bytes, in: place.file)
        // The order of the types is that of the graph. Segments that an early version of Banyan began may name them in the
        // order of the program's models instead.
        let isSame = before.types.count == now.types.count && before.types.allSatisfy(now.types.contains)
        guard isSame else {
            throw BanyanError(
                .schemaMismatch,
                "From commit \(place.sequence ?? 0) on the journal is written with another schema (version \(now.version) "
                    + "after \(before.version)): " + now.differences(fromStored: before).joined(separator: "; "),
                remedy: "Start from the snapshot that was made after the migration", at: place)
        }
        // The types are those of the graph. The caller decides whether this version of them may be opened.
        _ = try bind(now, at: place)
        schema = bytes
    }

    private func bind(_ stored: Schema, at place: BanyanError.Location) throws -> Binding {
        do {
            return try makeBinding(stored)
        } catch var error as BanyanError {
            error.location.file = place.file
            error.location.offset = place.offset
            throw error
        }
    }

    private static func located(_ error: BanyanError, at place: BanyanError.Location) -> BanyanError {
        if error.code == .unsupportedFormat {
            var error = error
            error.location = place
            return error
        }
        let causes = [error.code == .damaged ? nil : error.message, error.cause].compactMap(\.self)
        return BanyanError(
            .damaged, "Commit \(place.sequence ?? 0) of the journal does not fit the graph it is to change",
            remedy: "Nothing was changed. `banyan restore --at \((place.sequence ?? 1) - 1)` gives the state before it",
            at: BanyanError.Location(
                type: error.location.type, object: error.location.object, property: error.location.property,
                file: place.file, offset: place.offset, sequence: place.sequence),
            cause: causes.isEmpty ? nil : causes.joined(separator: ": "))
    }
}
