import Synchronization

/// What one transaction allocates and replaces.
///
/// Every node (page, directory node, bucket, tree node) starts with its *birth*: the serial of the transaction that made it;
/// that of a text's block stands in the text's cell. That transaction may change a node in place; every other copies it first.
/// Serials are unique in the process and increase, so a fork knows by birth alone which nodes are its own (`birth >= floor`)
/// and which belong to the graph it came from.
///
/// At commit the replaced nodes are handed to the version they belonged to; at rollback everything allocated is freed.
@usableFromInline
package final class TransactionMemory {
    @exclusivity(unchecked) @usableFromInline package internal(set) var serial: UInt64
    /// The serial the transaction started with: a node with a lower birth is of a version before it.
    @exclusivity(unchecked) private(set) var first: UInt64
    /// The serial the innermost open savepoint started with, else `first`: nodes with a lower birth are still needed.
    @exclusivity(unchecked) var mark: UInt64
    /// Nodes with a lower birth belong to the lineage this one was forked from.
    @usableFromInline let floor: UInt64
    @usableFromInline let arena: Arena
    // No access to these can overlap another: each lasts for a line of the functions below, none of which calls out.

    /// Everything taken from the arena, for rollback. A node discarded and used again stays listed once.
    @exclusivity(unchecked) var taken: WordList
    /// Own nodes discarded again, for reuse within the transaction.
    @exclusivity(unchecked) var spare = SpareNodes()
    @exclusivity(unchecked) var abandonedLarge: ContiguousArray<Arena.Piece> = []
    /// Pages this transaction made, each with its table: see `notePage`.
    @exclusivity(unchecked) var pages: WordList
    /// Nodes of the version before that the new version no longer uses.
    @exclusivity(unchecked) var retired: WordList
    /// The open savepoints, the innermost last.
    @exclusivity(unchecked) var savepoints: [MemorySavepoint] = []
    /// Whether pages of the transaction itself were replaced, so that some of those taken down are not in use any more.
    @exclusivity(unchecked) var hasReplacedPages = false

    private static let serials = Atomic<UInt64>(1)

    /// A serial above every one given out so far.
    package static func nextSerial() -> UInt64 {
        serials.add(1, ordering: .relaxed).newValue
    }

    package init(arena: Arena, floor: UInt64) {
        self.arena = arena
        self.floor = floor
        serial = Self.nextSerial()
        (first, mark) = (serial, serial)
        arena.reclaim()
        taken = arena.makeList()
        retired = arena.makeList()
        pages = arena.makeList()
    }

    deinit {
        // The lists a commit hands out are replaced at once; these were never seen by anybody else.
        taken.free()
        retired.free()
        pages.free()
    }

    /// Gets ready for the next transaction of the same lineage.
    package func restart() {
        serial = Self.nextSerial()
        (first, mark) = (serial, serial)
        arena.reclaim()
    }

    /// Takes down a page this transaction made: for the change set.
    @inline(__always)
    func notePage(_ page: UnsafeRawPointer, table: Int) {
        pages.append(UInt64(UInt(bitPattern: page)) | UInt64(truncatingIfNeeded: table) << 48)
    }

    @inlinable
    package func isOwned(_ node: UnsafeRawPointer) -> Bool {
        node.load(as: UInt64.self) == serial
    }

    /// Whether this transaction made the node, if perhaps before a savepoint, so that it may not change in place now.
    package func isMade(_ node: UnsafeRawPointer) -> Bool {
        node.load(as: UInt64.self) >= first
    }

    /// What an allocation of `size` bytes really holds.
    package static func goodSize(_ size: Int) -> Int {
        let c = SizeClass(size: size)
        return c == .large ? size : c.size
    }

    /// Memory for a node: 16-byte aligned, uninitialised but for its birth in the first word. O(1).
    @inline(never)
    package func allocate(_ size: Int) -> UnsafeMutableRawPointer {
        let node = take(SizeClass(size: size), size)
        node.storeBytes(of: serial, as: UInt64.self)
        return node
    }

    /// The cell of a text that is too long to stand in one, with its bytes in a block. O(bytes).
    package func makeText(_ bytes: UnsafeRawPointer, count: Int) -> Cell {
        let block = take(SizeClass(text: count), count)
        block.copyMemory(from: bytes, byteCount: count)
        return Text.blockCell(block, count: count, birth: serial)
    }

    @inline(__always)
    private func take(_ c: SizeClass, _ size: Int) -> UnsafeMutableRawPointer {
        if spare.count > 0, c != .large, let piece = spare.take(c) { return piece }
        let piece = arena.allocate(c, size: size)
        taken.append(Arena.pack(piece, c))
        return piece
    }

    /// The new version no longer uses `node`, which was allocated with `size`. O(1).
    package func discard(_ node: UnsafeRawPointer, size: Int) {
        discard(node, SizeClass(size: size), birth: node.load(as: UInt64.self))
    }

    /// The new version no longer uses this text, whose bytes stand in a block. O(1).
    package func discard(text cell: Cell) {
        discard(Text.block(cell), SizeClass(text: Text.count(cell)), birth: Text.birth(cell))
    }

    private func discard(_ piece: UnsafeRawPointer, _ c: SizeClass, birth: UInt64) {
        if birth >= mark {
            if c == .large {
                abandonedLarge.append(Arena.pack(piece, c))
                return
            }
            spare.add(UnsafeMutableRawPointer(mutating: piece), c)
        } else if birth >= first {
            supersede(Arena.pack(piece, c), birth: birth)
        } else if birth >= floor {
            retired.append(Arena.pack(piece, c))
        }
    }

    /// A node of this transaction with the contents of `node`, which it replaces; `node` itself when it is owned.
    @inlinable
    package func writable(_ node: UnsafeRawPointer, size: Int) -> UnsafeMutableRawPointer {
        if isOwned(node) { return UnsafeMutableRawPointer(mutating: node) }
        return copy(node, size: size)
    }

    @usableFromInline
    func copy(_ node: UnsafeRawPointer, size: Int) -> UnsafeMutableRawPointer {
        let new = allocate(size)
        (new + 8).copyMemory(from: node + 8, byteCount: size - 8)
        discard(node, size: size)
        return new
    }

    /// Ends the transaction for good and returns what the version before it must hand back when it is released.
    ///
    /// - Returns: the pieces to hand back, and as its tail the pages the transaction made.
    package func commit() -> WordList {
        if !abandonedLarge.isEmpty {
            for piece in abandonedLarge { arena.deallocate(piece) }
            abandonedLarge = []
        }
        spare.removeAll { arena.deallocate($0) }
        retired.append(tail: pages)
        let result = retired
        retired = arena.makeList()
        forget()
        return result
    }

    /// Ends the transaction as if it had never been.
    package func rollback() {
        for i in 0..<taken.count { arena.deallocate(taken[i]) }
        retired.removeAll()
        spare.removeAll { _ in }
        savepoints = []
        abandonedLarge = []
        forget()
    }

    /// Empties the lists; one that a large transaction has blown up goes.
    private func forget() {
        hasReplacedPages = false
        if taken.capacity > 4096 {
            taken.free()
            taken = arena.makeList()
        }
        if pages.capacity > 4096 {
            pages.free()
            pages = arena.makeList()
        }
        taken.removeAll()
        pages.removeAll()
    }
}

/// A page a transaction made, and its table.
struct FreshPage {
    let page: UnsafeRawPointer
    let table: Int

    init(_ word: UInt64) {
        page = UnsafeRawPointer(bitPattern: UInt(word & 0xFFFF_FFFF_FFFF)).unsafelyUnwrapped
        table = Int(truncatingIfNeeded: word >> 48)
    }
}
