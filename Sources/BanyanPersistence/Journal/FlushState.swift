import BanyanCore
import Dispatch

// Group commit as a value: what is queued, how far the disk has come, who waits for what, and who has the turn. Its
// functions decide and hand back what is to be done; `JournalEngine` holds it under a lock for the moment of a decision
// and does the work outside.
//
// The turn is the `JournalWriter` itself. The thread that took it out of `writer` alone touches the journal and
// the manifest until it is put back. A committing thread that finds it there takes it, with everything queued so far;
// everyone who arrives meanwhile queues and waits, and the next turn serves them all at once. So a lone committer does
// its own write and flush on its own thread, and many share one flush. Only a `GroupCommitWindow` delays a flush, for as
// long as all of them take to join it.

struct FlushState: Sendable {
    /// How safe a record must be before its waiter goes on.
    enum Goal: Sendable {
        case written, durable
    }

    enum Awaiter: Sendable {
        case thread(DispatchSemaphore)
        case task(CheckedContinuation<Result<Void, BanyanError>, Never>)
    }

    struct Waiter: Sendable {
        var sequence: UInt64
        var goal: Goal
        var awaiter: Awaiter
    }

    /// The right to write, and what to write with it.
    struct Turn: Sendable {
        var writer: JournalWriter
        var batch: [JournalRecord]
        /// What is known to be on disk: every frame of the batch says so.
        var durableSequence: UInt64
        var flushes: Bool
    }

    /// The waiters to tell after a decision.
    struct Release: Sendable {
        var resumed: [(Awaiter, Result<Void, BanyanError>)] = []
        var next: DispatchSemaphore?
        var rings = false
        /// Nothing will be written any more: the lock may go.
        var isLast = false
        /// It may not go yet: somebody has the turn.
        var lingers = false
    }

    enum Approach: Sendable {
        case done
        case failed(BanyanError)
        case lead(Turn)
        case wait(DispatchSemaphore)
    }

    /// Under `Durability.onClose` this much may wait in memory.
    static let lazyLimit = 1 << 20

    let durability: Durability
    /// nil while someone has the turn.
    private(set) var writer: JournalWriter?
    private(set) var queue: [JournalRecord] = []
    private(set) var queuedBytes = 0
    private(set) var appended: UInt64
    private(set) var written: UInt64
    private(set) var durable: UInt64
    private(set) var waiters: [Waiter] = []
    /// Those who need the turn for something other than the queue, and go first.
    private var seekers: [DispatchSemaphore] = []
    private var seeking = 0
    /// Why nothing is written any more.
    private(set) var end: BanyanError?
    private(set) var isPoisoned = false
    /// Whether there is a segment to write records to. Once there is one there always is, until the journal is closed.
    private(set) var hasSegment: Bool
    /// The engine takes no more turns: the one that is out is the last.
    private var isRetired = false
    private var hasToldLast = false
    /// When something was written that no flush has followed yet (interval durability), in uptime nanoseconds.
    private(set) var dirtySince: UInt64?
    private var window = GroupCommitWindow()
    var flusherSleeps = false
    var flusherStarted = false
    var meter = JournalMeter()
    private(set) var bytesSinceSnapshot: UInt64
    private(set) var segmentsSinceSnapshot: Int

    init(writer: JournalWriter, durability: Durability) {
        self.durability = durability
        appended = writer.written
        written = writer.written
        durable = writer.durable
        hasSegment = writer.segment != nil
        bytesSinceSnapshot = writer.bytesSinceSnapshot
        segmentsSinceSnapshot = writer.segmentsSinceSnapshot
        self.writer = writer
    }

    private static func size(_ record: JournalRecord) -> Int { record.payload.count + JournalFrame.prefixLength }

    // MARK: Queueing

    /// Queues a record. There must be a segment for it.
    mutating func append(_ record: JournalRecord) -> Release {
        if end != nil { return Release() }
        guard hasSegment, record.sequence == appended + 1 else {
            let complaint = hasSegment ? "after commit \(appended)" : "before it had a segment"
            poison(
                BanyanError(
                    .poisoned, "Commit \(record.sequence) was handed to the journal \(complaint)",
                    remedy: "Close the store and open it again", at: .init(sequence: record.sequence)))
            return release()
        }
        appended = record.sequence
        queue.append(record)
        queuedBytes += Self.size(record)
        return Release(rings: isOverLazyLimit)
    }

    private var isOverLazyLimit: Bool { durability == .onClose && queuedBytes >= Self.lazyLimit }

    /// What became of a record, or nil while that is open.
    func outcome(of sequence: UInt64, goal: Goal) -> Result<Void, BanyanError>? {
        if reached(goal) >= sequence { return .success(()) }
        if let end { return .failure(end) }
        if sequence > appended {
            return .failure(
                BanyanError(
                    .invalidValue, "Commit \(sequence) was never handed to the journal",
                    at: .init(sequence: sequence)))
        }
        return nil
    }

    private func reached(_ goal: Goal) -> UInt64 { goal == .durable ? durable : written }

    // MARK: Turns

    /// What a thread that needs `sequence` to be safe does next.
    mutating func approach(_ sequence: UInt64, goal: Goal) -> Approach {
        switch outcome(of: sequence, goal: goal) {
        case .success: return .done
        case .failure(let error): return .failed(error)
        case nil: break
        }
        if writer != nil, seeking == 0, !window.isIncomplete(with: waiters.count + 1) {
            return .lead(claim(flushes: goal == .durable, leaders: 1)!)
        }
        let gate = DispatchSemaphore(value: 0)
        waiters.append(Waiter(sequence: sequence, goal: goal, awaiter: .thread(gate)))
        return .wait(gate)
    }

    /// Whether the flusher should look at who waits: not while it sleeps until more have come.
    var needsFlusher: Bool { !window.isIncomplete(with: waiters.count) }

    /// Registers a task; nil when its outcome is known already.
    mutating func enlist(
        _ continuation: CheckedContinuation<Result<Void, BanyanError>, Never>, sequence: UInt64, goal: Goal
    ) -> Result<Void, BanyanError>? {
        if let result = outcome(of: sequence, goal: goal) { return result }
        waiters.append(Waiter(sequence: sequence, goal: goal, awaiter: .task(continuation)))
        return nil
    }

    /// Takes the turn and everything queued; nil when another has it.
    ///
    /// - Parameter leaders: 1 for a thread that does so for a commit of its own.
    private mutating func claim(flushes: Bool, leaders: Int = 0) -> Turn? {
        guard let taken = writer.take() else { return nil }
        if seeking > 0 { window.abandon() } else { window.end(with: waiters.count + leaders) }
        let batch = queue
        queue = []
        queuedBytes = 0
        let wanted = flushes || durability == .everyCommit || waiters.contains { $0.goal == .durable }
        return Turn(writer: taken, batch: batch, durableSequence: durable, flushes: wanted)
    }

    /// For a checkpoint, a change of schema, closing: the turn, or something to wait on before asking again.
    mutating func seek(again: Bool) -> Result<Turn, Queued> {
        if !again { seeking += 1 }
        if let turn = claim(flushes: false) {
            seeking -= 1
            return .success(turn)
        }
        let gate = DispatchSemaphore(value: 0)
        seekers.append(gate)
        return .failure(Queued(gate: gate))
    }

    struct Queued: Error {
        var gate: DispatchSemaphore
    }

    /// Puts the turn back.
    ///
    /// - Parameters:
    ///   - poison: what ended all writing in this turn.
    ///   - leaders: 1 when a thread had it for a commit of its own.
    mutating func finish(
        _ writer: JournalWriter, poison: BanyanError? = nil, leaders: Int = 0, now: UInt64
    ) -> Release {
        self.writer = writer
        hasSegment = writer.segment != nil
        bytesSinceSnapshot = writer.bytesSinceSnapshot
        segmentsSinceSnapshot = writer.segmentsSinceSnapshot
        if let poison { self.poison(poison) }
        if !isPoisoned {
            written = writer.written
            durable = writer.durable
            if written > durable {
                if dirtySince == nil { dirtySince = now }
            } else {
                dirtySince = nil
            }
        }
        var release = release()
        if durability == .everyCommit, seeking == 0, end == nil {
            window.flushed(
                served: release.resumed.count + leaders, waiting: waiters.count, took: meter.lastSync, now: now)
            // Someone must wake up when it has taken long enough.
            if window.goal != nil { release.rings = true }
        }
        return release
    }

    /// Ends everything; what was not written is refused with `error`.
    mutating func poison(_ error: BanyanError) {
        guard end == nil else { return }
        end = error
        isPoisoned = true
        queue = []
        queuedBytes = 0
    }

    /// No record is taken from now on. When somebody has the turn, that one is the last.
    mutating func close() -> Release {
        if end == nil {
            end = BanyanError(.closed, "The store is closed", remedy: "Open it again")
        }
        isRetired = true
        var release = release()
        release.lingers = writer == nil
        return release
    }

    private mutating func release() -> Release {
        var release = Release()
        if isRetired, writer != nil, !hasToldLast {
            hasToldLast = true
            release.isLast = true
        }
        var rest: [Waiter] = []
        for waiter in waiters {
            if let result = outcome(of: waiter.sequence, goal: waiter.goal) {
                release.resumed.append((waiter.awaiter, result))
            } else {
                rest.append(waiter)
            }
        }
        waiters = rest
        if seeking > 0 {
            if !seekers.isEmpty { release.next = seekers.removeFirst() }
        } else {
            release.rings = flusherHasWork || (dirtySince != nil && timed)
        }
        return release
    }

    // MARK: The flusher

    private var timed: Bool {
        if case .interval = durability { return true }
        return false
    }

    private var flusherHasWork: Bool {
        end == nil && (!waiters.isEmpty || isOverLazyLimit)
    }

    enum FlusherStep: Sendable {
        case lead(Turn)
        /// Until woken, or this uptime.
        case sleep(until: UInt64?)
        case stop
    }

    mutating func flusherStep(now: UInt64) -> FlusherStep {
        flusherSleeps = false
        if end != nil {
            flusherStarted = false
            return .stop
        }
        if writer != nil, seeking == 0, window.goal != nil {
            if let deadline = window.deadline(waiting: waiters.count, now: now) {
                flusherSleeps = true
                return .sleep(until: deadline)
            }
            if waiters.isEmpty { window.end(with: 0) }
        }
        var deadline: UInt64?
        if case .interval(let interval) = durability, let dirtySince {
            deadline = dirtySince + interval.nanosecondsClamped
        }
        let due = deadline.map { $0 <= now } ?? false
        if writer != nil, seeking == 0, flusherHasWork || due, let turn = claim(flushes: due) { return .lead(turn) }
        flusherSleeps = true
        // When it is due but another has the turn, giving that back rings.
        return .sleep(until: due ? nil : deadline)
    }
}

extension Duration {
    /// Whole nanoseconds, between none and what fits.
    var nanosecondsClamped: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0 else { return 0 }
        let whole = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        if whole.overflow { return .max / 2 }
        return min(whole.partialValue, .max / 2) + UInt64(max(attoseconds, 0) / 1_000_000_000)
    }
}
