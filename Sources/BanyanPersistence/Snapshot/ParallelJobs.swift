import BanyanCore
import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Runs independent jobs on all cores.
enum ParallelJobs {
    private struct State {
        var next = 0
        var done = 0
        var failure: (index: Int, error: BanyanError)?
    }

    /// Runs jobs 0 up to `count`, each once, and returns when all have ended. After a failure no new ones start; the failure
    /// thrown is that of the earliest job that failed.
    ///
    /// The calling thread works too, and it alone calls `progress`, with the number of jobs done.
    static func run(
        _ count: Int, progress: ((Int) -> Void)? = nil, _ job: @escaping @Sendable (Int) throws(BanyanError) -> Void
    ) throws(BanyanError) {
        let state = SharedState()
        @Sendable func work(_ afterEach: ((Int) -> Void)?) {
            while let index = state.take(below: count) {
                var failure: BanyanError?
                do throws(BanyanError) { try job(index) } catch { failure = error }
                let done = state.end(index, failure)
                afterEach?(done)
            }
        }
        let helpers = min(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), count) - 1
        let group = DispatchGroup()
        for _ in 0..<max(helpers, 0) {
            DispatchQueue.global(qos: .userInitiated).async(group: group) { work(nil) }
        }
        work(progress)
        group.wait()
        if let failure = state.failure { throw failure }
        if count > 0 { progress?(count) }
    }

    private final class SharedState: Sendable {
        private let state = Mutex(State())

        func take(below count: Int) -> Int? {
            state.withLock { state in
                guard state.failure == nil, state.next < count else { return nil }
                state.next += 1
                return state.next - 1
            }
        }

        func end(_ index: Int, _ error: BanyanError?) -> Int {
            state.withLock { state in
                state.done += 1
                if let error, state.failure.map({ index < $0.index }) ?? true { state.failure = (index, error) }
                return state.done
            }
        }

        var failure: BanyanError? { state.withLock { $0.failure?.error } }
    }

    /// Collects the results of jobs by their number.
    final class Results<Value: Sendable>: Sendable {
        private let values: Mutex<[Value?]>

        init(count: Int) { values = Mutex(Array(repeating: nil, count: count)) }

        func set(_ index: Int, _ value: Value) { values.withLock { $0[index] = value } }
        func take() -> [Value] { values.withLock { $0.compactMap { $0 } } }
    }
}
