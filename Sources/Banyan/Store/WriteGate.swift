import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Lets one writer in at a time.
///
/// Tasks wait without a thread, first come first served. Synchronous writers block theirs, so they come first: ownership is
/// handed to one directly, because its thread is there to run. A task is only woken and then tries for itself; were it handed
/// the gate before a thread is free for it, threads blocked in synchronous writes could wait for it for ever.
final class WriteGate: Sendable {
    private struct State {
        var isHeld = false
        var threads: [DispatchSemaphore] = []
        /// In the order of their tickets; they are told whether they were cancelled. While somebody waits here and the gate is
        /// free, one of them has been woken.
        var tasks: [(ticket: UInt64, wake: CheckedContinuation<Bool, Never>)] = []
        var nextTicket: UInt64 = 0
        /// The task that was woken and has not tried yet. Tasks that came after it do not pass it.
        var woken: UInt64?

        func isFirst(_ ticket: UInt64) -> Bool {
            min(woken ?? ticket, tasks.first?.ticket ?? ticket) >= ticket
        }
    }

    private let state = Mutex(State())
    /// The thread that runs the body of a write, which is synchronous; 0 between writes.
    private let writer = Atomic<UInt>(0)

    /// Whether this very thread is inside a write: then entering would wait for itself.
    var isWritingHere: Bool { writer.load(ordering: .relaxed) == Self.thread }

    /// The body of a write begins, on this thread, inside the gate.
    func beginBody() { writer.store(Self.thread, ordering: .relaxed) }
    func endBody() { writer.store(0, ordering: .relaxed) }

    private static var thread: UInt {
        #if os(Linux)
            UInt(pthread_self())
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }

    /// Enters, blocking the thread while another writer is in.
    func enter() {
        let turn = state.withLock { state -> DispatchSemaphore? in
            guard state.isHeld else {
                state.isHeld = true
                return nil
            }
            let semaphore = DispatchSemaphore(value: 0)
            state.threads.append(semaphore)
            return semaphore
        }
        turn?.wait()
    }

    // MARK: - Tasks

    /// A place in the order of tasks.
    func takeTicket() -> UInt64 {
        state.withLock { state in
            defer { state.nextTicket += 1 }
            return state.nextTicket
        }
    }

    /// Enters if nobody is in and no task waits longer. If not, wait for `turn` and try again.
    ///
    /// This is not part of `turn`, nor of any asynchronous function: one that has entered would hold the gate while it waits
    /// for a thread, or for its actor, to go on, and the threads there are may be blocked by writers who wait for the gate.
    func tryEnter(_ ticket: UInt64) -> Bool {
        state.withLock { state in
            let isWoken = state.woken == ticket
            if isWoken { state.woken = nil }
            // Else a thread was faster; it wakes the next task when it leaves.
            guard !state.isHeld, isWoken || state.isFirst(ticket) else { return false }
            state.isHeld = true
            return true
        }
    }

    /// Suspends the task until it is worth trying.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before that.
    func turn(_ ticket: UInt64) async throws {
        let isCancelled = await withTaskCancellationHandler {
            await wait(ticket) { Task.isCancelled }
        } onCancel: {
            state.withLock { state in
                state.tasks.firstIndex { $0.ticket == ticket }.map { state.tasks.remove(at: $0).wake }
            }?.resume(returning: true)
        }
        if isCancelled { throw CancellationError() }
    }

    /// The same for what must be done even in a task that is cancelled.
    func certainTurn(_ ticket: UInt64) async {
        _ = await wait(ticket) { false }
    }

    /// Returns whether it was given up.
    private func wait(_ ticket: UInt64, unless isCancelled: () -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            let now = state.withLock { state -> Bool? in
                if isCancelled() { return true }
                if !state.isHeld, state.isFirst(ticket) { return false }
                let place = state.tasks.firstIndex { $0.ticket > ticket } ?? state.tasks.endIndex
                state.tasks.insert((ticket, continuation), at: place)
                return nil
            }
            if let now { continuation.resume(returning: now) }
        }
    }

    func leave() {
        state.withLock { state -> Next? in
            if !state.threads.isEmpty { return .thread(state.threads.removeFirst()) }
            state.isHeld = false
            // The task that waits longest, unless one is on its way already.
            guard state.woken == nil, !state.tasks.isEmpty else { return nil }
            let next = state.tasks.removeFirst()
            state.woken = next.ticket
            return .task(next.wake)
        }?.wake()
    }

    /// Who is let in, or let try.
    private enum Next {
        case thread(DispatchSemaphore)
        case task(CheckedContinuation<Bool, Never>)

        func wake() {
            switch self {
            case .thread(let semaphore): semaphore.signal()
            case .task(let continuation): continuation.resume(returning: false)
            }
        }
    }
}
