public import BanyanCore

/// The actor that owns a graph and its files.
///
/// ```swift
/// let store = try Store(.init(models: [Person.self]))                                     // in memory
/// let store = try await Store.open(.init(directory: "data/app", models: [Person.self]))   // durable
/// ```
/// Writes are serialised; reads run on any thread beside them and never wait.
public actor Store {
    @usableFromInline nonisolated let core: StoreCore

    init(core: StoreCore) { self.core = core }

    /// An empty store in memory, or one with the contents of `configuration.base`.
    ///
    /// - Throws: `invalidSchema`; for a base file also `damaged`, `schemaMismatch`, `io`.
    public init(_ configuration: Configuration) throws(BanyanError) {
        guard configuration.directory == nil else {
            throw BanyanError(
                .invalidValue, "a store with a directory is opened, not made",
                remedy: "Use `try await Store.open(…)`", at: .init(file: configuration.directory))
        }
        self.init(core: try StoreOpener(configuration).openInMemory())
    }

    /// Opens a durable store, recovering what an earlier process acknowledged; makes it when there is none, if the
    /// configuration allows that. Without a directory, a store in memory. `recovery` says what was found.
    ///
    /// - Throws: `inUse`, `damaged`, `foreignFile`, `schemaMismatch`, `notAStore`, `io`, … as a `BanyanError`.
    public static func open(_ configuration: Configuration) async throws -> Store {
        Store(core: try await StoreOpener(configuration).open())
    }

    // MARK: - Reading

    /// Runs `body` on the newest version, at once, on this thread. It sees one version and never waits for a writer.
    @inlinable
    nonisolated public func read<T, E: Error>(_ body: (Graph) throws(E) -> T) throws(E) -> T {
        let graph = core.beginRead()
        defer { core.endRead(graph) }
        return try body(graph)
    }

    /// The newest version, for good.
    nonisolated public func freeze() -> Graph { Graph(frozen: core.newest, core.binding, home: core) }

    /// The number of the newest commit.
    nonisolated public var sequence: UInt64 { core.newest.sequence }

    // MARK: - Writing

    /// Runs `body` in a transaction. It is atomic, and durable on return as the configuration says; a throw, and any misuse
    /// inside, rolls everything back. Waits its turn, first come first served, without blocking a thread.
    ///
    /// - Throws: what `body` throws; the first fault of the transaction; `CancellationError` if the task is cancelled before
    ///   `body` starts, which then never runs; `poisoned` or `diskFull` when the journal cannot take it.
    public func write<T: Sendable>(
        _ metadata: CommitMetadata = CommitMetadata(), _ body: @Sendable (Graph) throws -> T
    ) async throws -> T {
        // A graph of its own for each write: one that was kept would hold its version, and with it all that is replaced since.
        try await Graph(core: core).asyncWrite(metadata, body)
    }

    // MARK: - Files

    /// What opening the store found in its files; nil for a store in memory.
    nonisolated public var recovery: RecoveryReport? { core.recovery }

    /// The last checkpoint, if it failed, whoever asked for it; nil when it succeeded, and when there was none.
    nonisolated public var checkpointFailure: CheckpointFailure? { core.checkpointFailure }

    // MARK: - Copies

    /// A store of its own that starts with this one's newest contents, in memory. O(1): it shares pages, and nothing else.
    nonisolated public func fork() -> Store {
        Store(
            core: StoreCore(
                core.binding, version: core.newest.fork(), files: nil, readOnly: false, clock: core.clock,
                disk: core.disk))
    }

    /// Writes a snapshot of the newest version into the store's directory now, while writers go on.
    public func checkpoint() async throws {
        try await core.onQueue { [core] in _ = try core.checkpointNow() }
    }

    /// Writes a snapshot of the newest version to a file of its own.
    nonisolated public func snapshot(to path: String) async throws {
        let version = core.newest
        try await core.onQueue { [core] in try core.writeSnapshot(of: version, to: path) }
    }

    /// Flushes and closes the files and gives up the lock. Reads go on; writes throw `closed`. It is done in full even when
    /// the task is cancelled. A second call waits for the first.
    ///
    /// - Throws: what kept the last commits from the disk (`poisoned`); `io` or `diskFull` when they are on the disk, but the
    ///   manifest could not be told that the journal is closed, which nothing is lost by.
    public func close() async throws {
        try await core.close()
    }
}
