// A savepoint gives the transaction a new serial. What was made before it is not changed in place any more but copied, as the
// nodes of versions are, and what is replaced of it is kept until the savepoint is over.

/// What memory goes back to when a savepoint is rolled back.
struct MemorySavepoint {
    let serial: UInt64
    let mark: UInt64
    /// How long the lists were.
    let taken: Int
    let retired: Int
    let pages: Int
    let abandonedLarge: Int
    let hasReplacedPages: Bool
    /// Set aside: what is used again in the savepoint was made in it, too, so that all of that can go.
    var spare: SpareNodes
    /// Nodes from before the savepoint that it has replaced, with their births.
    var superseded: [(piece: Arena.Piece, birth: UInt64)] = []
}

extension TransactionMemory {
    /// Starts a savepoint. O(1).
    func beginSavepoint() {
        savepoints.append(
            MemorySavepoint(
                serial: serial, mark: mark, taken: taken.count, retired: retired.count, pages: pages.count,
                abandonedLarge: abandonedLarge.count, hasReplacedPages: hasReplacedPages, spare: spare))
        spare = SpareNodes()
        serial = Self.nextSerial()
        mark = serial
    }

    /// Ends the innermost savepoint: what was done in it is part of what is around it. O(nodes replaced or given up).
    func endSavepoint() {
        guard var savepoint = savepoints.popLast() else { return }
        mark = savepoint.mark
        savepoint.spare.removeAll { reuse($0) }
        for (piece, birth) in savepoint.superseded {
            if birth >= mark { reuse(piece) } else { supersede(piece, birth: birth) }
        }
    }

    /// Frees what was made in the innermost savepoint, and forgets what was given up. O(nodes made).
    func rollbackSavepoint() {
        guard let savepoint = savepoints.popLast() else { return }
        for i in savepoint.taken..<taken.count { arena.deallocate(taken[i]) }
        taken.truncate(to: savepoint.taken)
        retired.truncate(to: savepoint.retired)
        pages.truncate(to: savepoint.pages)
        abandonedLarge.removeLast(abandonedLarge.count - savepoint.abandonedLarge)
        hasReplacedPages = savepoint.hasReplacedPages
        spare = savepoint.spare
        serial = savepoint.serial
        mark = savepoint.mark
    }

    /// A node is no longer used that a savepoint may have to go back to.
    @inline(never)
    func supersede(_ piece: Arena.Piece, birth: UInt64) {
        savepoints[savepoints.count - 1].superseded.append((piece, birth))
    }

    private func reuse(_ piece: Arena.Piece) {
        let c = SizeClass(rawValue: UInt16(piece >> 48))
        if c == .large {
            abandonedLarge.append(piece)
        } else {
            spare.add(UnsafeMutableRawPointer(bitPattern: UInt(piece & 0xFFFF_FFFF_FFFF)).unsafelyUnwrapped, c)
        }
    }

    /// Keeps of the pages taken down those that are in use, each once.
    func keepPages(where isInUse: (FreshPage) -> Bool) {
        var seen: Set<UInt64> = []
        var kept = 0
        for i in 0..<pages.count where isInUse(FreshPage(pages[i])) && seen.insert(pages[i]).inserted {
            pages[kept] = pages[i]
            kept += 1
        }
        pages.truncate(to: kept)
    }
}
