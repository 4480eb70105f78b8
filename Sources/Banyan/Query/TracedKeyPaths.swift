import BanyanCore
import Synchronization

/// What key paths name, for the whole process: it depends on the classes alone.
enum TracedKeyPaths {
    private struct Key: Hashable, @unchecked Sendable {
        // Sound: a key path never changes, and what it is compared by is what makes it Hashable.
        let keyPath: AnyKeyPath
    }

    private struct State {
        /// Those that models declare.
        var declared: [Key: [TracedProperty]] = [:]
        /// Those that were found out by tracing.
        var traced: [Key: [TracedProperty]] = [:]
    }

    private static let state = Mutex(State())
    /// A program writes down so many key paths hardly ever; one that makes them up as it runs must not fill the memory.
    private static let most = 4096

    static func find(_ keyPath: AnyKeyPath) -> [TracedProperty]? {
        let key = Key(keyPath: keyPath)
        return state.withLock { $0.declared[key] ?? $0.traced[key] }
    }

    /// The key path of a stored property, as its model says.
    static func declare(_ keyPath: AnyKeyPath, _ info: _PropertyInfo) {
        let key = Key(keyPath: keyPath)
        state.withLock { $0.declared[key] = [TracedProperty(info)] }
    }

    static func remember(_ keyPath: AnyKeyPath, _ path: [TracedProperty]) {
        let key = Key(keyPath: keyPath)
        state.withLock { state in
            if state.traced.count >= most { state.traced.removeAll() }
            state.traced[key] = path
        }
    }
}
