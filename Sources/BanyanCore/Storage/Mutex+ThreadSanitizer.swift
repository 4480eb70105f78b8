// The thread sanitizer does not see the locks of Synchronization on Linux, which call the kernel by themselves, and takes all that
// they guard for races. A build for it (`make test-threads`) uses the system's locks instead, which it knows.

#if BANYAN_THREAD_SANITIZER
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Darwin
    #endif

    /// What `Synchronization.Mutex` is, for the thread sanitizer.
    package struct Mutex<Value: ~Copyable>: ~Copyable {
        private let lock: UnsafeMutablePointer<pthread_mutex_t>
        private let value: UnsafeMutablePointer<Value>

        package init(_ initial: consuming sending Value) {
            lock = .allocate(capacity: 1)
            lock.initialize(to: pthread_mutex_t())
            pthread_mutex_init(lock, nil)
            value = .allocate(capacity: 1)
            value.initialize(to: initial)
        }

        deinit {
            pthread_mutex_destroy(lock)
            lock.deallocate()
            value.deinitialize(count: 1)
            value.deallocate()
        }

        package borrowing func withLock<Result: ~Copyable, E: Error>(
            _ body: (inout sending Value) throws(E) -> sending Result
        ) throws(E) -> sending Result {
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
            return try body(&value.pointee)
        }
    }

    // Sound: the value is touched under the lock only.
    extension Mutex: @unchecked Sendable where Value: ~Copyable {}
#endif
