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
        /// In the order of their tickets. While somebody waits here and the gate is free, one of them has been woken.
        var tasks: [(ticket: UInt64, wake: CheckedContinuation<Turn, Never>)] = []
        var nextTicket: UInt64 = 0
        /// The task that was woken and has not tried yet. Tasks that came after it do not pass it.
        var woken: UInt64?
    }

    private enum Turn { case entered, woken, cancelled }

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

    /// Enters, suspending the task while another writer is in.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before it gets in.
    func enter() async throws {
        try Task.checkCancellation()
        let ticket = state.withLock { state in
            defer { state.nextTicket += 1 }
            return state.nextTicket
        }
        while true {
            switch await turn(ticket) {
            case .entered: return
            case .cancelled: throw CancellationError()
            case .woken:
                let entered = state.withLock { state in
                    state.woken = nil
                    defer { state.isHeld = true }
                    return !state.isHeld
                }
                // Else a thread was faster; it wakes the next task when it leaves.
                if entered { return }
            }
        }
    }

    private func turn(_ ticket: UInt64) async -> Turn {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now = state.withLock { state -> Turn? in
                    if Task.isCancelled { return .cancelled }
                    let isFirst = min(state.woken ?? ticket, state.tasks.first?.ticket ?? ticket) >= ticket
                    if !state.isHeld, isFirst {
                        state.isHeld = true
                        return .entered
                    }
                    let place = state.tasks.firstIndex { $0.ticket > ticket } ?? state.tasks.endIndex
                    state.tasks.insert((ticket, continuation), at: place)
                    return nil
                }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            state.withLock { state in
                state.tasks.firstIndex { $0.ticket == ticket }.map { state.tasks.remove(at: $0).wake }
            }?.resume(returning: .cancelled)
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
        case task(CheckedContinuation<Turn, Never>)

        func wake() {
            switch self {
            case .thread(let semaphore): semaphore.signal()
            case .task(let continuation): continuation.resume(returning: .woken)
            }
        }
    }
}
