import BanyanCore
import Synchronization

/// Where key paths through links lead, for the whole process: it depends on the classes alone.
enum TracedKeyPaths {
    private struct Key: Hashable, @unchecked Sendable {
        // Sound: a key path never changes, and what it is compared by is what makes it Hashable.
        let keyPath: AnyKeyPath
    }

    private static let state = Mutex<[Key: Result<[TracedProperty], BanyanError>]>([:])
    /// A program writes down so many key paths hardly ever; one that makes them up as it runs must not fill the memory.
    private static let most = 4096

    /// What was found out of a key path, or, the first time, what `search` finds.
    static func find(
        _ keyPath: AnyKeyPath, _ search: () -> Result<[TracedProperty], BanyanError>
    ) -> Result<[TracedProperty], BanyanError> {
        let key = Key(keyPath: keyPath)
        if let known = state.withLock({ $0[key] }) { return known }
        let found = search()
        state.withLock { known in
            if known.count >= most { known.removeAll() }
            known[key] = found
        }
        return found
    }
}
