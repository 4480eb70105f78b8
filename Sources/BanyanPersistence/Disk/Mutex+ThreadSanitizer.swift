#if BANYAN_THREAD_SANITIZER
    import BanyanCore

    /// Not that of Synchronization: see BanyanCore.
    typealias Mutex<Value: ~Copyable> = BanyanCore.Mutex<Value>
#endif
