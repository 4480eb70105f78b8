import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The user pressed Control-C, or the process was asked to end, while something was being written that must be removed
/// first.
struct Interrupted: Error {}

/// Signals end the process at once, except while files are written: then they are noted, and the writer stops and cleans up.
/// A second one ends it whatever is going on. A closed pipe is an error of the write to it, not a signal.
enum Signals {
    private static let isWriting = Atomic<Bool>(false)
    private static let isRequested = Atomic<Bool>(false)

    static func prepare() {
        // Made before any handler can run, which must not be the one to initialise them.
        isWriting.store(false, ordering: .relaxed)
        isRequested.store(false, ordering: .relaxed)
        signal(SIGPIPE, SIG_IGN)
        var asked = sigset_t()
        sigemptyset(&asked)
        for number in [SIGINT, SIGTERM] {
            // A shell starts what runs in the background with Control-C ignored, and so it stays.
            let before = signal(number) { Signals.received($0) }
            if isIgnored(before) { signal(number, SIG_IGN) }
            sigaddset(&asked, number)
        }
        // Whoever started this may have done so from a thread that blocks signals.
        pthread_sigmask(SIG_UNBLOCK, &asked, nil)
    }

    /// Compares addresses, which is all a C function pointer has to compare; SIG_IGN is one that is never called.
    private static func isIgnored(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static func received(_ number: Int32) {
        let isSecond = isRequested.exchange(true, ordering: .sequentiallyConsistent)
        if isWriting.load(ordering: .sequentiallyConsistent), !isSecond { return }
        _exit(128 + number)
    }

    /// Runs `body`, which writes files and calls `check` now and then. What it throws it has cleaned up after.
    static func whileWriting<T>(_ body: () throws -> T) rethrows -> T {
        isWriting.store(true, ordering: .sequentiallyConsistent)
        defer { isWriting.store(false, ordering: .sequentiallyConsistent) }
        return try body()
    }

    /// - Throws: `Interrupted` after a signal.
    static func check() throws(Interrupted) {
        if isRequested.load(ordering: .relaxed) { throw Interrupted() }
    }
}
