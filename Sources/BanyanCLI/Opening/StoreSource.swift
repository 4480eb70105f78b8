import BanyanCore
import BanyanPersistence

/// What a path on the command line names: a store's directory, or a single snapshot file.
enum StoreSource {
    case store(StoreInspection)
    case snapshot(SnapshotReader)

    static let disk = KernelDisk()

    /// Reads the manifest, or a snapshot's header and table, and nothing else.
    ///
    /// - Throws: `notAStore`, `damaged`, `unsupportedFormat`, `permission`, `io`.
    static func open(_ path: String) throws(BanyanError) -> StoreSource {
        let kind: DiskEntry.Kind?
        do throws(DiskFault) {
            kind = try disk.kind(of: path)
        } catch {
            throw error.error()
        }
        switch kind {
        case nil:
            throw BanyanError(
                .notAStore, "There is nothing at this path",
                remedy: "Name the directory of a store, or a snapshot file (.bsn)", at: .init(file: path))
        case .file:
            if path.hasSuffix(".bjl") {
                throw BanyanError(
                    .notAStore, "This is a segment of a journal, which says nothing without its store",
                    remedy: "Name the directory it is in", at: .init(file: path))
            }
            return .snapshot(try SnapshotReader.open(path, on: disk))
        case .other:
            throw BanyanError(
                .notAStore, "This is a pipe, a socket or a device",
                remedy: "Name the directory of a store, or a snapshot file (.bsn)", at: .init(file: path))
        case .directory, .symbolicLink:
            return .store(try StoreInspection.open(path, on: disk))
        }
    }

    var path: String {
        switch self {
        case .store(let store): store.path
        case .snapshot(let reader): reader.path
        }
    }

    /// Found without loading anything; nil for a store nothing was written to.
    func schema() throws(BanyanError) -> Schema? {
        switch self {
        case .store(let store): try GraphRecovery.newestSchema(of: store)
        case .snapshot(let reader): try GraphRecovery.schema(reader.header.schema, in: reader.path)
        }
    }

    /// The graph at a commit, the newest unless another is asked for.
    ///
    /// - Throws: `limit` for a moment that the files do not reach; `damaged`, `unsupportedFormat`, `io`.
    func graph(at moment: Moment? = nil, _ messages: MessageOptions) throws -> OpenedGraph {
        let progress = messages.progressLine()
        defer { progress.clear() }
        switch self {
        case .snapshot(let reader):
            try Self.check(moment, reader)
            let version = try GraphRecovery.read(reader, progress: progress.recovery)
            return OpenedGraph(version: version, storeID: reader.header.storeID, path: reader.path)
        case .store(let store):
            return try Self.whileStanding(store) { store in
                let found = try moment?.found(in: store, progress: progress.recovery) ?? .newest
                let (version, report) = try GraphRecovery.read(
                    store, through: found.target, progress: progress.recovery)
                progress.clear()
                found.tell(messages)
                Self.tell(report, messages)
                return OpenedGraph(
                    version: version, storeID: store.storeID, path: store.path, laterCount: found.laterCount)
            }
        }
    }

    /// Runs `body`, again when it failed only because the store's own process replaced files under it.
    static func whileStanding<T>(_ store: StoreInspection, _ body: (StoreInspection) throws -> T) throws -> T {
        var store = store
        var attempts = 5
        while true {
            do {
                return try body(store)
            } catch let error as BanyanError {
                attempts -= 1
                guard attempts > 0, store.owner != nil, error.code != .limit else { throw error }
                let now = try StoreInspection.open(store.path, on: disk)
                guard now.generation != store.generation else { throw error }
                store = now
            }
        }
    }

    /// A snapshot is of one commit, and of no other.
    private static func check(_ moment: Moment?, _ reader: SnapshotReader) throws(BanyanError) {
        let header = reader.header
        let isItself =
            switch moment {
            case nil: true
            case .sequence(let sequence): sequence == header.sequence
            case .time(let time): time >= header.time
            }
        guard isItself else {
            throw BanyanError(
                .limit, "The snapshot is of commit \(header.sequence), \(Moment.text(header.time)), and knows no other",
                remedy: "Name the store's directory, which has a journal", at: .init(file: reader.path))
        }
    }

    /// What a reader should know of how the graph came about.
    static func tell(_ report: RecoveryReport, _ messages: MessageOptions) {
        for snapshot in report.skippedSnapshots {
            messages.note(
                "warning: a damaged snapshot was passed over for an older one: \(Shown.plain(snapshot.reason))")
        }
        if let tail = report.tornTail {
            messages.note(
                "the journal ends in an interrupted write of \(tail.length) bytes behind commit \(tail.afterSequence), "
                    + "which is left out")
        }
    }
}

extension GraphView {
    /// Objects of all types that somebody declared.
    var objectCount: Int { layout.tables.reduce(0) { $1.type.isInternal ? $0 : $0 + count($1.table) } }
}

/// A graph in memory, and where it came from.
struct OpenedGraph {
    let version: Version
    let storeID: StoreID
    let path: String
    /// Where a time was asked for: how many commits before the one it means carry a later time.
    var laterCount: UInt64?

    var view: GraphView { version.view }
    var layout: StoreLayout { version.lineage.layout }
    var point: CommitPoint { CommitPoint(sequence: version.sequence, time: version.sequence > 0 ? version.time : nil) }

    /// - Throws: `unknownType`, naming those there are.
    func table(named name: String) throws(BanyanError) -> TableLayout {
        if let table = layout.table(named: name), !table.type.isInternal { return table }
        throw Self.unknownType(name, layout.schema)
    }

    static func unknownType(_ name: String, _ schema: Schema) -> BanyanError {
        let names = schema.declaredTypes.map(\.name)
        let sameButCase = names.first { $0.lowercased() == name.lowercased() }
        return BanyanError(
            .unknownType, "There is no type '\(name)' in the store",
            remedy: sameButCase.map { "Write '\($0)'" }
                ?? (names.isEmpty ? "The store has no types yet" : "Its types are: \(names.joined(separator: ", "))"))
    }
}

extension JSONText {
    /// Only where a time was asked for.
    mutating func laterCount(of graph: OpenedGraph) {
        if let count = graph.laterCount { member("commitsWithLaterTime", count) }
    }
}
