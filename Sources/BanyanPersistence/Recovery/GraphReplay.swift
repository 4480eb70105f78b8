import BanyanCore

/// Applies journal records to a graph, many to one transaction.
///
/// Replaying each commit as a commit would make a version for each, with its page copies and its retired pages, only to
/// throw it away. So commits are applied one after another to one open transaction, which becomes a version every few
/// thousand records or megabytes: often enough that memory for replaced pages stays small. Whoever needs the state right
/// after one commit stops feeding records there; `finish` makes exactly that version.
final class GraphReplay {
    private static let recordLimit = 65_536
    private static let byteLimit = 16 << 20

    private let makeLayout: (Schema?) throws -> StoreLayout
    private var workspace: Workspace?
    /// What applies records to the workspace's open transaction; nil while none is open.
    @exclusivity(unchecked) private var open: CommitReplay?
    /// The schema the graph was laid out by, as its file holds it; nil while there is no graph.
    private var schema: [UInt8]?
    private var pendingRecords = 0
    private var pendingBytes = 0
    private var last: (sequence: UInt64, time: Int64) = (0, 0)

    /// - Parameter start: the graph before the first record and the schema bytes of the file it came from; nil when the
    ///   records begin with the first commit, so that theirs is the schema to begin with.
    init(from start: (version: Version, schema: [UInt8])?, layout: @escaping (Schema?) throws -> StoreLayout) {
        makeLayout = layout
        workspace = start.map { Workspace($0.version) }
        schema = start?.schema
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
        if open == nil { open = CommitReplay(workspace.begin()) }
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
    func finish() throws -> Version {
        commit()
        return try workspace?.version ?? Version.empty(makeLayout(nil))
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
        let made = Workspace(Version.empty(try makeLayout(stored)))
        workspace = made
        schema = recordSchema
        return made
    }

    /// The schema may change its version within a journal, and nothing else: what converts a graph to other types is a
    /// snapshot made after a migration, and that is where a replay of the records behind it must start.
    private func accept(_ bytes: [UInt8], after old: [UInt8], at place: BanyanError.Location) throws {
        let before = try GraphRecovery.schema(old, in: place.file)
        let now = try GraphRecovery.schema(bytes, in: place.file)
        // The order of the types is that of the graph. A segment may name them in another one all the same: those that a
        // program began, before this was mended, whose models stood in another order than the store's.
        let isSame = before.types.count == now.types.count && before.types.allSatisfy(now.types.contains)
        guard isSame else {
            throw BanyanError(
                .schemaMismatch,
                "From commit \(place.sequence ?? 0) on the journal is written with another schema (version \(now.version) "
                    + "after \(before.version)): " + now.differences(fromStored: before).joined(separator: "; "),
                remedy: "Start from the snapshot that was made after the migration", at: place)
        }
        // The types are those the graph has; whether it may be opened under this version is not for the replay to say.
        _ = try makeLayout(now)
        schema = bytes
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
