// Savepoints: a part of a transaction that can be taken back alone. See also `TransactionMemory+Savepoints`.

/// What a transaction goes back to when a savepoint is rolled back. What else it keeps are lists that only grow.
struct Savepoint {
    let root: UnsafeMutableRawPointer
    let restingPages: Int
    let doubtful: Int
    let unsetLinks: Int
    let highestGeneration: Int64
}

extension Transaction {
    /// How many savepoints are open.
    package var savepointDepth: Int { savepoints.count }

    /// Starts a savepoint inside the transaction, or inside another savepoint. The transaction must not have failed. O(1).
    package func beginSavepoint() {
        assert(fault == nil, "a savepoint in a failed transaction")
        savepoints.append(
            Savepoint(
                root: root, restingPages: restingPages.count, doubtful: doubtful.count,
                unsetLinks: unsetLinks.count, highestGeneration: highestGeneration))
        highestGeneration = -1
        listEdits.beginSavepoint()
        memory.beginSavepoint()
        standing.pointee.serial = serial
    }

    /// Ends the innermost savepoint: what was done in it is part of what is around it, unless something was wrong with it.
    ///
    /// - Throws: the fault that failed it, or a constraint violated in it; it is rolled back then.
    package func endSavepoint() throws(BanyanError) {
        guard let savepoint = savepoints.last else { return }
        if let error = fault ?? takeUniqueViolation(since: savepoint.doubtful)
            ?? takeUnsetLink(since: savepoint.unsetLinks)
        {
            rollbackSavepoint()
            throw error
        }
        savepoints.removeLast()
        highestGeneration = max(highestGeneration, savepoint.highestGeneration)
        listEdits.endSavepoint()
        memory.endSavepoint()
    }

    /// Takes back what was done since the innermost savepoint began, a fault included. O(nodes made since).
    package func rollbackSavepoint() {
        guard let savepoint = savepoints.popLast() else { return }
        spendGenerations()
        highestGeneration = savepoint.highestGeneration
        restingPages.removeLast(restingPages.count - savepoint.restingPages)
        doubtful.removeLast(doubtful.count - savepoint.doubtful)
        unsetLinks.removeLast(unsetLinks.count - savepoint.unsetLinks)
        listEdits.rollbackSavepoint()
        memory.rollbackSavepoint()
        root = savepoint.root
        fault = nil
        changeCount &+= 1
        standing.pointee.serial = serial
        // Handles look again, and find what is there.
        standing.pointee.stamp &+= 1
    }

    /// Sees to it that the ids given out so far, since the last savepoint began, are never given out again.
    func spendGenerations() {
        guard highestGeneration >= 0 else { return }
        minimumGeneration = max(minimumGeneration, UInt32(truncatingIfNeeded: highestGeneration) &+ 1)
    }

    /// Whether a page that this transaction made is part of the version in the making. Its memory may have become something
    /// else since.
    func isInUse(_ fresh: FreshPage) -> Bool {
        let index = Int(fresh.page.load(fromByteOffset: Page.index, as: UInt32.self))
        return TableHeader.page(header(fresh.table), slot: index << Page.slotBits) == fresh.page
    }
}
