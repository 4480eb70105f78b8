import BanyanCore
import Dispatch
import Synchronization

/// Runs the journal of an open store: the lock around `FlushState`, the threads, and the rule that the first failure of
/// a write or a flush is the last.
///
/// It also has the lock of the store's directory, because it knows when the last byte is written: that is when the lock
/// goes, however the store ends.
final class JournalEngine: Sendable {
    private let state: Mutex<FlushState>
    private let bell = DispatchSemaphore(value: 0)
    private let durability: Durability
    private let lock: StoreLock?

    init(writer: JournalWriter, durability: Durability, lock: StoreLock?) {
        self.durability = durability
        self.lock = lock
        state = Mutex(FlushState(writer: writer, durability: durability))
    }

    // MARK: Committing

    func append(_ record: JournalRecord) {
        let (release, wake) = state.withLock { state in
            let release = state.append(record)
            return (release, release.rings ? Self.wake(&state) : (false, false))
        }
        perform(release)
        wakeFlusher(wake.0, wake.1)
    }

    private func checkRunning() throws(BanyanError) {
        if let end { throw end }
    }

    /// What `flush` waits for; nil when it does not wait.
    private var goal: FlushState.Goal? {
        switch durability {
        case .everyCommit: .durable
        case .interval: .written
        case .onClose: nil
        }
    }

    /// Blocks the thread until the record is as safe as the durability promises.
    func flush(through sequence: UInt64) throws(BanyanError) {
        guard let goal else { return try checkRunning() }
        try flush(through: sequence, goal: goal)
    }

    func flush(through sequence: UInt64, goal: FlushState.Goal) throws(BanyanError) {
        while true {
            switch state.withLock({ $0.approach(sequence, goal: goal) }) {
            case .done: return
            case .failed(let error): throw error
            case .lead(let turn): lead(turn, leaders: 1)
            case .wait(let gate): gate.wait()
            }
        }
    }

    func flush(through sequence: UInt64) async throws(BanyanError) {
        guard let goal else { return try checkRunning() }
        if let known = state.withLock({ $0.outcome(of: sequence, goal: goal) }) { return try known.get() }
        let result = await withCheckedContinuation { continuation in
            let (known, wake) = state.withLock { state in
                let known = state.enlist(continuation, sequence: sequence, goal: goal)
                return (known, known == nil && state.needsFlusher ? Self.wake(&state) : (false, false))
            }
            if let known { return continuation.resume(returning: known) }
            wakeFlusher(wake.0, wake.1)
        }
        try result.get()
    }

    // MARK: Turns

    /// Writes what is queued.
    private func lead(_ turn: FlushState.Turn, leaders: Int = 0) {
        var writer = turn.writer
        do throws(DiskFault) {
            try serve(turn, with: &writer)
            finish(writer, leaders: leaders)
        } catch {
            finish(writer, poison: Self.poison(error, in: turn), leaders: leaders)
        }
    }

    private func serve(_ turn: FlushState.Turn, with writer: inout JournalWriter) throws(DiskFault) {
        let written = try writer.write(turn.batch, durableSequence: turn.durableSequence)
        var syncTime: UInt64?
        if turn.flushes {
            let start = DispatchTime.now().uptimeNanoseconds
            try writer.sync()
            syncTime = DispatchTime.now().uptimeNanoseconds - start
        }
        state.withLock { state in
            if written.frames > 0 { state.meter.writes += 1 }
            state.meter.commits += UInt64(turn.batch.count)
            state.meter.frames += UInt64(written.frames)
            state.meter.bytesWritten += written.bytes
            if let syncTime { state.meter.noteSync(syncTime) }
        }
    }

    private func finish(_ writer: JournalWriter, poison: BanyanError? = nil, leaders: Int = 0) {
        let now = DispatchTime.now().uptimeNanoseconds
        let (release, wake) = state.withLock { state in
            let release = state.finish(writer, poison: poison, leaders: leaders, now: now)
            return (release, release.rings ? Self.wake(&state) : (false, false))
        }
        perform(release)
        wakeFlusher(wake.0, wake.1)
    }

    private func perform(_ release: FlushState.Release) {
        if release.isLast { lock?.release() }
        for (awaiter, result) in release.resumed {
            switch awaiter {
            case .thread(let gate): gate.signal()
            case .task(let continuation): continuation.resume(returning: result)
            }
        }
        release.next?.signal()
    }

    /// What the holder of a turn can report.
    enum TurnFailure: Error {
        /// Nothing happened to the journal.
        case refused(BanyanError)
        /// The journal or the manifest is in a state only recovery can assess.
        case poisoned(DiskFault)
    }

    /// Writes what is queued, then runs `body` with the turn. Waits for it as long as it takes.
    func withTurn<Value>(
        _ body: (inout JournalWriter) throws(TurnFailure) -> Value
    ) throws(BanyanError) -> Value {
        let turn = seekTurn()
        var writer = turn.writer
        if let end {
            finish(writer)
            throw end
        }
        do throws(TurnFailure) {
            do throws(DiskFault) { try serve(turn, with: &writer) } catch { throw .poisoned(error) }
            let value = try body(&writer)
            finish(writer)
            return value
        } catch {
            switch error {
            case .refused(let reason):
                finish(writer)
                throw reason
            case .poisoned(let fault):
                let poison = Self.poison(fault, in: turn)
                finish(writer, poison: poison)
                throw poison
            }
        }
    }

    /// Makes the segment that the next transaction needs.
    func beginSegment() throws(BanyanError) {
        try withTurn { writer throws(TurnFailure) in
            do throws(Manifest.WriteFailure) { try writer.open() } catch {
                throw error.reported("A new journal segment could not be made, so the write did not begin")
            }
        }
    }

    /// Writes what is queued, closes the journal, and ends the engine, all in one turn: nobody has another between the last
    /// byte and the end of the lock.
    ///
    /// - Throws: the poison; or that the manifest could not be told, which nothing is lost by.
    func close() throws(BanyanError) {
        let turn = seekTurn()
        var writer = turn.writer
        if let end {
            finish(writer)
            shutDown()
            throw end
        }
        var poison: BanyanError?
        var failure: BanyanError?
        do throws(Manifest.WriteFailure) {
            do throws(DiskFault) { try serve(turn, with: &writer) } catch { throw .unknown(error) }
            try writer.close()
        } catch {
            switch error {
            case .before(let fault):
                failure = fault.error(
                    "The journal is closed, but the manifest could not be told",
                    remedy: "Nothing is lost: the next opening reads the journal to its end")
            case .unknown(let fault):
                poison = Self.poison(fault, in: turn)
                failure = poison
            }
        }
        let now = DispatchTime.now().uptimeNanoseconds
        let (told, release) = state.withLock { state in
            (state.finish(writer, poison: poison, now: now), state.close())
        }
        perform(told)
        retire(release)
        if let failure { throw failure }
    }

    private func seekTurn() -> FlushState.Turn {
        var again = false
        while true {
            switch state.withLock({ $0.seek(again: again) }) {
            case .success(let turn): return turn
            case .failure(let queued): queued.gate.wait()
            }
            again = true
        }
    }

    private static func poison(_ fault: DiskFault, in turn: FlushState.Turn) -> BanyanError {
        BanyanError(
            .poisoned, "The journal could not be written, so the outcome of commits not yet acknowledged is unknown",
            remedy: "Close the store and open it again; recovery keeps what reached the disk",
            at: .init(file: fault.path, sequence: turn.batch.first?.sequence), cause: fault.reason)
    }

    // MARK: The flusher

    /// Whether the flusher must be started or rung; called under the lock.
    private static func wake(_ state: inout FlushState) -> (starting: Bool, ringing: Bool) {
        if !state.flusherStarted {
            state.flusherStarted = true
            return (true, false)
        }
        defer { state.flusherSleeps = false }
        return (false, state.flusherSleeps)
    }

    private func wakeFlusher(_ isStarting: Bool, _ isRinging: Bool) {
        if isRinging { bell.signal() }
        guard isStarting else { return }
        // A serial queue of its own is a thread of its own: such queues are given one even when the shared pool is
        // exhausted, so a flush never waits for unrelated work.
        DispatchQueue(label: "banyan.journal").async { self.runFlusher() }
    }

    private func runFlusher() {
        while true {
            switch state.withLock({ $0.flusherStep(now: DispatchTime.now().uptimeNanoseconds) }) {
            case .lead(let turn): lead(turn)
            case .sleep(nil): bell.wait()
            case .sleep(let deadline?):
                _ = bell.wait(timeout: DispatchTime(uptimeNanoseconds: deadline))
            case .stop: return
            }
        }
    }

    // MARK: State

    var durableSequence: UInt64 { state.withLock { $0.durable } }
    var appendedSequence: UInt64 { state.withLock { $0.appended } }
    var poisoned: BanyanError? { state.withLock { $0.isPoisoned ? $0.end : nil } }
    var end: BanyanError? { state.withLock { $0.end } }
    /// What a recovery would have to read now.
    var sinceSnapshot: (bytes: UInt64, segments: Int) {
        state.withLock { ($0.bytesSinceSnapshot, $0.segmentsSinceSnapshot) }
    }

    /// Whether a commit has a chance.
    var standing: (end: BanyanError?, hasSegment: Bool, bytesWritten: UInt64) {
        state.withLock { ($0.end, $0.hasSegment, $0.meter.bytesWritten) }
    }

    var counters: JournalCounters {
        state.withLock { state in
            state.meter.counters(
                queueDepth: state.queue.count, queuedBytes: state.queuedBytes,
                bytesSinceSnapshot: state.bytesSinceSnapshot)
        }
    }

    /// Ends the engine: no record is taken any more, waiters are told, the flusher stops. While that one has the turn it
    /// still writes, as a process that is killed a moment later would have; the lock goes when it has done so.
    func shutDown() {
        let release = state.withLock { state in
            let release = state.close()
            if release.lingers { lock?.linger() }
            return release
        }
        retire(release)
    }

    private func retire(_ release: FlushState.Release) {
        perform(release)
        if state.withLock({ $0.flusherStarted && $0.flusherSleeps }) { bell.signal() }
    }
}

extension Manifest.WriteFailure {
    /// What the holder of a turn reports; `message` says what was not done where nothing has changed.
    func reported(_ message: String) -> JournalEngine.TurnFailure {
        switch self {
        case .before(let fault):
            .refused(
                fault.error(
                    message, remedy: "Nothing is lost, and the store goes on: try again when the cause has passed"))
        case .unknown(let fault): .poisoned(fault)
        }
    }
}
