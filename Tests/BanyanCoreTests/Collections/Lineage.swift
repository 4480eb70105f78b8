import BanyanCore

/// A lineage of versions of one structure, as a store would keep it: commits in a row, old versions held for a while and
/// released oldest first, every byte accounted for.
final class Lineage {
    typealias Root = UnsafeRawPointer?

    struct Version {
        var root: Root
        /// What the commit after this version replaced.
        var replaced: WordList?
    }

    let arena = Arena()
    private(set) var versions: [Version] = [Version(root: nil)]

    var root: Root { versions[versions.count - 1].root }

    /// Runs one transaction and keeps its result as the newest version.
    func commit(_ body: (inout Root, TransactionMemory) throws -> Void) rethrows {
        let memory = TransactionMemory(arena: arena, floor: 0)
        var root = root
        try body(&root, memory)
        versions[versions.count - 1].replaced = memory.commit()
        versions.append(Version(root: root))
    }

    /// Runs one transaction and takes it back.
    func rollBack(_ body: (inout Root, TransactionMemory) throws -> Void) rethrows {
        let memory = TransactionMemory(arena: arena, floor: 0)
        var root = root
        try body(&root, memory)
        memory.rollback()
    }

    /// Lets go of the oldest versions but `count`.
    func keep(_ count: Int) {
        while versions.count > count {
            if let replaced = versions.removeFirst().replaced { arena.giveBack(replaced) }
        }
        arena.reclaim()
    }

    /// Bytes of the nodes that the versions now held can reach, each counted once.
    func reachable(_ forEachNode: (Root, (UnsafeRawPointer, Int) -> Void) -> Void) -> Int {
        var seen: Set<UnsafeRawPointer> = []
        var sum = 0
        for version in versions {
            forEachNode(version.root) { node, size in
                if seen.insert(node).inserted { sum += TransactionMemory.goodSize(size) }
            }
        }
        return sum
    }
}

/// The generator of the random tests: the same numbers for the same seed, everywhere.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
