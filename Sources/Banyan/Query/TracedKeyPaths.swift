import Synchronization

/// The key paths that were traced before, for the whole process: what a key path names depends on the classes alone.
enum TracedKeyPaths {
    private struct Key: Hashable, @unchecked Sendable {
        // Sound: a key path never changes, and what it is compared by is what makes it Hashable.
        let keyPath: AnyKeyPath
    }

    private static let known = Mutex<[Key: [TracedProperty]]>([:])
    /// A program writes down so many key paths hardly ever; one that makes them up as it runs must not fill the memory.
    private static let most = 4096

    static func find(_ keyPath: AnyKeyPath) -> [TracedProperty]? {
        let key = Key(keyPath: keyPath)
        return known.withLock { $0[key] }
    }

    static func remember(_ keyPath: AnyKeyPath, _ path: [TracedProperty]) {
        let key = Key(keyPath: keyPath)
        known.withLock { known in
            if known.count >= most { known.removeAll() }
            known[key] = path
        }
    }
}
