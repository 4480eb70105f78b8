@testable import Banyan
import BanyanCore
import BanyanPersistence
import BanyanTesting
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite("Stores and their files")
struct StoreFilesTests {
    private func configuration(_ disk: any Disk, _ durability: Store.Durability = .everyCommit) -> Store.Configuration {
        var configuration = Store.Configuration(directory: "/store", models: kinfolk)
        configuration.disk = disk
        configuration.durability = durability
        configuration.files.freeSpaceReserve = 0
        return configuration
    }

    private func ids(_ store: Store) -> [Int] { store.read { $0.objects(Owner.self).map(\.id).sorted() } }

    // MARK: Closing

    @Test("A cancelled task closes a store in full", arguments: [Store.Durability.everyCommit, .onClose])
    func closingCancelled(_ durability: Store.Durability) async throws {
        let disk = SimulatedDisk()
        let store = try await Store.open(configuration(disk, durability))
        try await store.write { try $0.add(Owner(1)) }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            #expect(Task.isCancelled)
            try await store.close()
        }
        try await task.value
        let error = await #expect(throws: BanyanError.self) { try await store.write { try $0.add(Owner(2)) } }
        #expect(error?.code == .closed)
        // Not even what the process had not written would be missing.
        let again = try await Store.open(configuration(disk.afterPowerCut(seed: 3), durability))
        #expect(ids(again) == [1])
        #expect(again.recovery?.isUneventful == true)
        try await again.close()
    }

    @Test("A cancelled task closes a store behind a write that is under way")
    func closingCancelledBehindAWrite() async throws {
        let disk = SimulatedDisk()
        let store = try await Store.open(configuration(disk, .onClose))
        let (started, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let written = DispatchSemaphore(value: 0)
        DispatchQueue(label: "writer").async {
            let graph = Graph(store)
            let outcome = Result {
                try graph.write { graph in
                    try graph.add(Owner(1))
                    started.signal()
                    goOn.wait()
                }
            }
            #expect(throws: Never.self) { try outcome.get() }
            written.signal()
        }
        started.wait()
        let closing = Task { try await store.close() }
        closing.cancel()
        let second = Task { try await store.close() }
        goOn.signal()
        try await closing.value
        // The second call has waited for the first.
        try await second.value
        let again = try await Store.open(configuration(disk, .onClose))
        #expect(ids(again) == [1])
        try await again.close()
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                written.wait()
                continuation.resume()
            }
        }
    }

    // MARK: Whether there is a store

    @Test("A store that must exist is not made", arguments: [false, true])
    func mustExist(_ directoryExists: Bool) async throws {
        let scratch = ScratchDirectory()
        let path = scratch.file("app")
        if directoryExists { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }
        var configuration = Store.Configuration(directory: path, models: kinfolk)
        configuration.createIfMissing = false
        let strict = configuration
        let error = await #expect(throws: BanyanError.self) { _ = try await Store.open(strict) }
        #expect(error?.code == .notAStore)
        #expect(error?.location.file == path)
        #expect(FileManager.default.fileExists(atPath: path) == directoryExists)
        if directoryExists { #expect(try FileManager.default.contentsOfDirectory(atPath: path) == []) }
        try await Store.open(.init(directory: path, models: kinfolk)).close()
        try await Store.open(strict).close()
    }

    @Test("What an interrupted restore left is neither an empty store nor lost")
    func halfARestore() async throws {
        let scratch = ScratchDirectory()
        let source = try await Store.open(.init(directory: scratch.file("source"), models: kinfolk))
        try await source.write { try $0.add(Owner(1)) }
        try await source.checkpoint()
        try await source.close()
        let snapshot = "00000000000000000001.bsn"
        for (left, code) in [(snapshot + ".tmp", BanyanError.Code.notAStore), (snapshot, .damaged)] {
            let path = scratch.file("half \(left)")
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try Data().write(to: URL(fileURLWithPath: path + "/LOCK"))
            try FileManager.default.copyItem(atPath: scratch.file("source/" + snapshot), toPath: path + "/" + left)
            let error = await #expect(throws: BanyanError.self) {
                _ = try await Store.open(.init(directory: path, models: kinfolk))
            }
            #expect(error?.code == code)
            #expect(error?.location.file == path + "/" + left)
            #expect(error?.remedy != nil)
            #expect(try Set(FileManager.default.contentsOfDirectory(atPath: path)) == ["LOCK", left])
        }
    }

    // MARK: Beginning as a snapshot

    @Test("A new durable store begins as a snapshot, and goes on as itself")
    func base() async throws {
        let scratch = ScratchDirectory()
        let origin = try Store(.init(models: kinfolk))
        try await origin.write { graph in
            let owner = Owner(1, "Ada")
            owner.hounds.append(Hound("Rex"))
            try graph.add(owner)
        }
        try await origin.write { try $0.add(Owner(2)) }
        let file = scratch.file("base.bsn")
        try await origin.snapshot(to: file)
        var configuration = Store.Configuration(base: file, models: [Hound.self, Owner.self])
        configuration.directory = scratch.file("app")
        let first = try await Store.open(configuration)
        #expect(first.sequence == 2)
        #expect(first.recovery?.snapshotSequence == 2)
        #expect(ids(first) == [1, 2])
        #expect(first.read { $0.object(ofType: Owner.self, forPrimaryKey: 1)?.hounds.first?.name } == "Rex")
        try await first.write { try $0.add(Owner(3)) }
        #expect(first.sequence == 3)
        try await first.close()
        // The directory wins from now on.
        try await origin.write { try $0.add(Owner(4)) }
        try FileManager.default.removeItem(atPath: file)
        try await origin.snapshot(to: file)
        let second = try await Store.open(configuration)
        #expect(ids(second) == [1, 2, 3])
        try await second.close()
        try FileManager.default.removeItem(atPath: file)
        let third = try await Store.open(configuration)
        #expect(ids(third) == [1, 2, 3])
        try await third.close()
    }

    @Test("A base that is missing, or of other models, makes no store")
    func wrongBase() async throws {
        let scratch = ScratchDirectory()
        let path = scratch.file("app")
        var configuration = Store.Configuration(base: scratch.file("none.bsn"), models: kinfolk)
        configuration.directory = path
        let missing = configuration
        let error = await #expect(throws: BanyanError.self) { _ = try await Store.open(missing) }
        #expect(error?.code == .notAStore)
        #expect(!FileManager.default.fileExists(atPath: path))
        let origin = try Store(.init(models: [Stranger.self]))
        try await origin.write { try $0.add(Stranger()) }
        try await origin.snapshot(to: scratch.file("other.bsn"))
        configuration.base = scratch.file("other.bsn")
        let other = configuration
        let mismatch = await #expect(throws: BanyanError.self) { _ = try await Store.open(other) }
        #expect(mismatch?.code == .schemaMismatch)
        #expect(!FileManager.default.fileExists(atPath: path))
        // Nor is one made where none may be made.
        configuration.base = scratch.file("other.bsn")
        configuration.models = [Stranger.self]
        configuration.createIfMissing = false
        let forbidden = configuration
        let refused = await #expect(throws: BanyanError.self) { _ = try await Store.open(forbidden) }
        #expect(refused?.code == .notAStore)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    // MARK: What opening found

    @Test("A segment that names the types in another order leaves every model its table")
    func otherOrder() async throws {
        let disk = SimulatedDisk()
        let store = try await Store.open(configuration(disk))
        try await store.write { try $0.add(Owner(1)) }
        try await store.close()
        let stored = try GraphRecovery.newestSchema(of: StoreInspection.open("/store", on: disk))
        var schema = try #require(stored)
        schema.types.reverse()
        let files = try StoreFiles.open(
            at: "/store", on: disk, options: configuration(disk).files, mode: .readWrite(createIfMissing: false),
            schema: SchemaCodec.encode(schema))
        let version = try GraphRecovery.recover(files, layout: GraphRecovery.plainLayout).version
        // A commit that changes nothing.
        try files.checkWritable()
        files.append([1, 0, 3, 0, 0, 0], sequence: 2, time: version.time + 1)
        try await files.flush(through: 2)
        try files.close()
        let again = try await Store.open(configuration(disk))
        #expect(ids(again) == [1] && again.recovery?.lastSequence == 2)
        try await again.write { try $0.add(Owner(2)) }
        #expect(ids(again) == [1, 2])
        try await again.close()
    }

    @Test("Opening tells what it found")
    func recovery() async throws {
        let disk = SimulatedDisk()
        let store = try await Store.open(configuration(disk))
        #expect(store.recovery?.isUneventful == true && store.recovery?.lastSequence == 0)
        for id in 1...3 { try await store.write { try $0.add(Owner(id)) } }
        try await store.checkpoint()
        for id in 4...6 { try await store.write { try $0.add(Owner(id)) } }
        // The process is killed: nothing is missing, and nobody has said where the journal ends.
        let killed = try await Store.open(configuration(disk.afterProcessDeath()))
        var report = try #require(killed.recovery)
        #expect(report.snapshotSequence == 3 && report.lastSequence == 6 && report.replayedCommits == 3)
        #expect(report.replayedBytes > 0 && !report.endIsSealed && !report.isUneventful)
        #expect(report.tornTail == nil && report.skippedSnapshots == [])
        // The record of commit 6 was written when 5 was on the device.
        #expect(report.witnessedSequence == 5)
        try await killed.close()
        // It was killed while it wrote.
        let torn = disk.afterProcessDeath()
        let segment = try #require(torn.names(in: "/store").last { $0.hasSuffix(".bjl") })
        let bytes = try #require(torn.content(of: "/store/" + segment))
        torn.place(bytes + Array("half a record".utf8), at: "/store/" + segment)
        let mended = try await Store.open(configuration(torn))
        report = try #require(mended.recovery)
        let tail = try #require(report.tornTail)
        #expect(tail.file == "/store/" + segment && tail.offset == UInt64(bytes.count) && tail.length == 13)
        #expect(tail.afterSequence == 6)
        #expect(torn.content(of: try #require(tail.quarantine)) == Array("half a record".utf8))
        try await mended.close()
        let closed = try await Store.open(configuration(torn))
        #expect(closed.recovery?.endIsSealed == true && closed.recovery?.witnessedSequence == 6)
        try await closed.checkpoint()
        try await closed.close()
        // The newest snapshot has gone bad: an older one and the journal give the same.
        let name = try #require(torn.names(in: "/store").last { $0.hasSuffix(".bsn") })
        torn.place([1, 2, 3], at: "/store/" + name)
        let older = try await Store.open(configuration(torn))
        report = try #require(older.recovery)
        #expect(report.skippedSnapshots.map(\.file) == ["/store/" + name] && report.lastSequence == 6)
        #expect(ids(older) == Array(1...6))
        #expect(older.fork().recovery == nil)
        try await older.close()
        #expect(try Store(.init(models: kinfolk)).recovery == nil)
    }

    // MARK: A disk that refuses for a while

    @Test("Writers beside a segment that cannot be made are refused before they begin, or acknowledged")
    func refusedCommits() async throws {
        let memory = SimulatedDisk()
        let disk = ObstructedDisk(memory)
        var configuration = configuration(disk)
        configuration.files.segmentSize = 4_000
        let store = try await Store.open(configuration)
        let asked = Atomic<Int>(0)
        // Two of three attempts to make a segment find no descriptor.
        disk.obstruct { call in
            guard call.kind == .create, call.name.hasSuffix(".bjl.tmp") else { return nil }
            return asked.add(1, ordering: .relaxed).newValue % 3 == 0 ? nil : 24  // EMFILE
        }
        let tally = Tally()
        let failedCheckpoints = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<16 {
                group.addTask {
                    for i in 0..<25 {
                        let id = writer * 1_000 + i
                        do {
                            try await store.write { graph in
                                try graph.add(Owner(id))
                                // Whatever it stands on, it is what was acknowledged, or will be.
                                #expect(graph.objects(Owner.self).where { $0.id == id }.count == 1)
                            }
                            tally.done.withLock { $0.append(id) }
                        } catch let error as BanyanError where error.code == .io {
                            tally.refused.next()
                        }
                        // Somebody else's, which closes the segment.
                        if i % 5 == 0 {
                            do { try await store.checkpoint() } catch let error as BanyanError {
                                #expect([.inUse, .io].contains(error.code), "\(error)")
                                if error.code == .io { failedCheckpoints.next() }
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let acknowledged = tally.done.withLock { $0.sorted() }
        // Only those before the first segment are refused: later ones have the one that could not be closed.
        #expect(tally.refused.value == 2 && acknowledged.count == 398)
        #expect(failedCheckpoints.value > 0)
        #expect(ids(store) == acknowledged)
        #expect(store.sequence == UInt64(acknowledged.count))
        disk.obstruct(nil)
        try await store.write { try $0.add(Owner(999_999)) }
        try await store.close()
        let again = try await Store.open(self.configuration(memory))
        #expect(ids(again) == (acknowledged + [999_999]).sorted())
        try await again.close()
    }

    @Test("A graph that could not begin to write stands at what is there, and writes later")
    func refusedGraph() async throws {
        let memory = SimulatedDisk()
        let disk = ObstructedDisk(memory)
        let store = try await Store.open(configuration(disk))
        let graph = Graph(store)
        let isFull: @Sendable (ObstructedDisk.Call) -> Int32? = {
            $0.kind == .create && $0.name.hasSuffix(".bjl.tmp") ? 24 : nil  // EMFILE
        }
        disk.obstruct(isFull)
        for _ in 0..<3 {
            let error = #expect(throws: BanyanError.self) {
                try graph.write { Issue.record("the body of a write that cannot be kept has run") }
            }
            #expect(error?.code == .io && error?.remedy != nil)
            #expect(graph.objects(Owner.self).isEmpty)
        }
        disk.obstruct(nil)
        try graph.write { try graph.add(Owner(1)) }
        // A checkpoint cannot close the segment; what is written goes there.
        disk.obstruct(isFull)
        for id in 2...4 {
            await #expect(throws: BanyanError.self) { try await store.checkpoint() }
            try graph.write { try graph.add(Owner(id)) }
        }
        disk.obstruct(nil)
        try await store.checkpoint()
        #expect(store.checkpointFailure == nil)
        #expect(graph.objects(Owner.self).map(\.id).sorted() == [1, 2, 3, 4])
        #expect(store.sequence == 4)
        try await store.close()
        let again = try await Store.open(configuration(memory))
        #expect(ids(again) == [1, 2, 3, 4])
        try await again.close()
    }

    @Test("What was acknowledged before the journal failed is read from then on")
    func poisonedReads() async throws {
        let memory = SimulatedDisk()
        let disk = ObstructedDisk(memory)
        let store = try await Store.open(configuration(disk))
        let held = HeldExecutor()
        let task = Task(executorPreference: held) {
            let graph = Graph(store)
            try await graph.asyncWrite { try $0.add(Owner(1)) }
            return graph.objects(Owner.self).count
        }
        failBetween(held, disk, store)
        #expect(try await task.value == 1)
        #expect(ids(store) == [1])
        #expect(store.sequence == 1)
        await #expect(throws: BanyanError.self) { try await store.close() }
        let again = try await Store.open(configuration(memory.afterPowerCut(seed: 4)))
        #expect(Set(ids(again)).isSuperset(of: [1]))
        try await again.close()
    }

    /// The commit of the held task is on the device, but the task has not heard of it when the next commit ends the journal.
    private func failBetween(_ held: HeldExecutor, _ disk: ObstructedDisk, _ store: Store) {
        // As far as to wait for the disk.
        held.runNext()
        // It is to go on: its commit is acknowledged.
        held.waitForNext()
        disk.obstruct { $0.kind == .sync && $0.name.contains(".bjl") ? 5 : nil }  // EIO
        let graph = Graph(store)
        let error = #expect(throws: BanyanError.self) { try graph.write { try graph.add(Owner(2)) } }
        #expect(error?.code == .poisoned)
        #expect(ids(store) == [])
        held.release()
    }

    // MARK: Checkpoints that fail

    @Test("Automatic checkpoints that fail are told, and not tried with every commit")
    func failingCheckpoints() async throws {
        let disk = ObstructedDisk(SimulatedDisk())
        let told = Mutex<[Store.CheckpointFailure]>([])
        var configuration = configuration(disk)
        configuration.files.checkpointMinimum = 20_000
        configuration.files.checkpointShare = 0
        configuration.checkpointFailed = { failure in told.withLock { $0.append(failure) } }
        let store = try await Store.open(configuration)
        #expect(store.checkpointFailure == nil)
        disk.obstruct { $0.kind == .create && $0.name.hasSuffix(".bsn.tmp") ? 28 : nil }  // ENOSPC
        for id in 0..<1_500 { try await store.write { try $0.add(Owner(id, "a name of some length")) } }
        // What the store's own queue has begun is done when this is.
        await #expect(throws: BanyanError.self) { try await store.checkpoint() }
        let failures = told.withLock { $0 }
        #expect(failures.count > 1 && failures.count < 12, "\(failures.count)")
        #expect(failures.map(\.attempts) == Array(1...failures.count))
        #expect(failures.allSatisfy { ($0.error as? BanyanError)?.code == .diskFull && $0.sequence > 0 })
        #expect(store.checkpointFailure?.attempts == failures.count + 1)
        disk.obstruct(nil)
        try await store.checkpoint()
        #expect(store.checkpointFailure == nil)
        #expect(ids(store).count == 1_500)
        try await store.close()
    }
}

/// Runs what its tasks have to do when it is told to.
private final class HeldExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isReleased = false
    }

    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isReleased = state.withLock { state in
            if !state.isReleased { state.jobs.append(job) }
            return state.isReleased
        }
        if isReleased { run(job) } else { arrived.signal() }
    }

    private func run(_ job: UnownedJob) {
        DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs the next thing there is to do, on this thread, as soon as it is there.
    func runNext() {
        arrived.wait()
        let job = state.withLock { $0.jobs.removeFirst() }
        job.runSynchronously(on: asUnownedTaskExecutor())
    }

    /// Returns when there is something to do, and leaves it.
    func waitForNext() {
        arrived.wait()
        arrived.signal()
    }

    /// From now on everything is done at once.
    func release() {
        let jobs = state.withLock { state in
            state.isReleased = true
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { run(job) }
    }
}

/// What became of writes by several tasks.
private final class Tally: Sendable {
    let done = Mutex<[Int]>([])
    let refused = Counter()
}

@Model class Stranger: Object { @Persisted var name = "" }
