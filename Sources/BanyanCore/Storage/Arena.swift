import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The memory of one lineage of versions: a store's own, or a fork's.
///
/// Pieces are carved from chunks that start small (a fork with one write must cost pages, not megabytes) and grow to 2 MiB,
/// aligned so that the kernel can back them with huge pages. Freed pieces go to a list per size class, last in, first out.
/// Nothing is ever given back piecewise: when the last version of the lineage is gone, so is the arena, chunks and all, and
/// nobody walks anything.
///
/// One thread at a time allocates and frees: the one that holds the store's write gate. Versions are released on any thread;
/// what they give back waits in the inbox until the next transaction takes it.
@usableFromInline
package final class Arena: @unchecked Sendable {
    // Sound because everything below `inbox` is touched only under the write gate of the lineage (or in deinit, when nobody
    // else is left), and the inbox is atomic.

    /// A piece and its size class in one word: user-space addresses use 48 bits.
    @usableFromInline package typealias Piece = UInt64

    /// A chain of lists of pieces that were given back: pushed by any thread, taken whole by the one that allocates.
    private let inbox = Atomic<UInt>(0)

    // No access to these can overlap another: each lasts for a line of the functions below, none of which calls out.
    @exclusivity(unchecked) private var free: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    @exclusivity(unchecked) private var bump: UnsafeMutableRawPointer
    @exclusivity(unchecked) private var bumpLeft = 0
    @exclusivity(unchecked) private var nextChunk = Arena.firstChunk
    @exclusivity(unchecked) private var chunks: [Chunk] = []
    @exclusivity(unchecked) private var large: Set<UnsafeMutableRawPointer> = []
    /// A chain of lists to be used again.
    @exclusivity(unchecked) private var spareLists: UInt = 0

    /// Bytes taken from the system.
    @exclusivity(unchecked) package private(set) var reserved = 0
    /// Bytes in pieces now in use or awaiting reclamation.
    @exclusivity(unchecked) package private(set) var used = 0

    private struct Chunk {
        let address: UnsafeMutableRawPointer
        let size: Int
    }

    private static let firstChunk = 16 << 10
    private static let chunkSize = 2 << 20

    package init() {
        free = .allocate(capacity: SizeClass.count)
        free.initialize(repeating: nil, count: SizeClass.count)
        bump = UnsafeMutableRawPointer(free)
    }

    deinit {
        for chunk in chunks {
            if chunk.size < Self.chunkSize {
                systemFree(chunk.address)
            } else {
                MappedMemory.unmap(chunk.address, chunk.size)
            }
        }
        for piece in large { systemFree(piece) }
        free.deallocate()
        for chain in [inbox.load(ordering: .acquiring), spareLists] {
            var address = chain
            while let list = WordList(address: address) {
                address = list.next
                list.free()
            }
        }
    }

    @inlinable
    package static func pack(_ address: UnsafeRawPointer, _ sizeClass: SizeClass) -> Piece {
        UInt64(UInt(bitPattern: address)) | UInt64(sizeClass.rawValue) << 48
    }

    /// Uninitialised memory, 16-byte aligned; 8-byte aligned in an odd class. O(1).
    package func allocate(_ sizeClass: SizeClass, size: Int) -> UnsafeMutableRawPointer {
        guard sizeClass != .large else { return allocateLarge(size) }
        let bytes = sizeClass.size
        used += bytes
        return take(sizeClass, bytes)
    }

    @inline(__always)
    private func take(_ sizeClass: SizeClass, _ bytes: Int) -> UnsafeMutableRawPointer {
        let c = Int(sizeClass.rawValue)
        if let head = free[c] {
            free[c] = head.load(as: UnsafeMutableRawPointer?.self)
            return head
        }
        return sizeClass.isOdd ? takeHalf(sizeClass, bytes) : carve(bytes)
    }

    @inline(__always)
    private func carve(_ bytes: Int) -> UnsafeMutableRawPointer {
        if bytes > bumpLeft { startChunk(atLeast: bytes) }
        let piece = bump
        bump += bytes
        bumpLeft -= bytes
        return piece
    }

    /// Two odd pieces are carved at a time, so that whatever is carved next is aligned to 16 again.
    @inline(never)
    private func takeHalf(_ sizeClass: SizeClass, _ bytes: Int) -> UnsafeMutableRawPointer {
        let pair = take(SizeClass(size: 2 * bytes), 2 * bytes)
        push(pair + bytes, sizeClass)
        return pair
    }

    package func deallocate(_ piece: Piece) {
        let address = UnsafeMutableRawPointer(bitPattern: UInt(piece & 0xFFFF_FFFF_FFFF))!
        let sizeClass = SizeClass(rawValue: UInt16(piece >> 48))
        guard sizeClass != .large else {
            large.remove(address)
            systemFree(address)
            return
        }
        push(address, sizeClass)
        used -= sizeClass.size
    }

    /// Hands back, from any thread, what no version uses any more, list and all. The list's tail is not looked at.
    package func giveBack(_ pieces: WordList) {
        var head = inbox.load(ordering: .relaxed)
        while true {
            pieces.next = head
            let (done, now) = inbox.weakCompareExchange(
                expected: head, desired: pieces.address, successOrdering: .releasing, failureOrdering: .relaxed)
            if done { return }
            head = now
        }
    }

    /// Makes what was given back usable. Called under the write gate, when a transaction starts.
    package func reclaim() {
        guard inbox.load(ordering: .relaxed) != 0 else { return }
        var address = inbox.exchange(0, ordering: .acquiring)
        while let list = WordList(address: address) {
            address = list.next
            for i in 0..<(list.count - list.tailCount) { deallocate(list[i]) }
            keep(list)
        }
    }

    /// An empty list.
    package func makeList() -> WordList {
        guard let list = WordList(address: spareLists) else { return WordList() }
        spareLists = list.next
        list.removeAll()
        return list
    }

    /// Keeps a list for the next transaction, unless it is one of a kind.
    package func keep(_ list: WordList) {
        guard list.capacity <= 4096 else { return list.free() }
        list.next = spareLists
        spareLists = list.address
    }

    /// Takes over all that another arena has given out, and what it has left. Nobody may use the other one any more.
    package func absorb(_ other: Arena) {
        other.leaveRest()
        for c in 1..<SizeClass.count {
            while let head = other.free[c] {
                other.free[c] = head.load(as: UnsafeMutableRawPointer?.self)
                push(head, SizeClass(rawValue: UInt16(c)))
            }
        }
        chunks += exchange(&other.chunks, with: [])
        large.formUnion(exchange(&other.large, with: []))
        used += exchange(&other.used, with: 0)
        reserved += exchange(&other.reserved, with: 0)
    }

    private func push(_ address: UnsafeMutableRawPointer, _ sizeClass: SizeClass) {
        let c = Int(sizeClass.rawValue)
        address.storeBytes(of: free[c], as: UnsafeMutableRawPointer?.self)
        free[c] = address
    }

    private func allocateLarge(_ size: Int) -> UnsafeMutableRawPointer {
        let address = Self.systemAllocate(size, alignment: 16)
        large.insert(address)
        return address
    }

    /// Puts what is left of the chunk on the free lists, where it serves smaller requests.
    private func leaveRest() {
        while bumpLeft >= 16 {
            var c = SizeClass(size: min(bumpLeft, SizeClass.maximumSize))
            if c.size > bumpLeft { c = SizeClass(rawValue: c.rawValue - 1) }
            push(bump, c)
            bump += c.size
            bumpLeft -= c.size
        }
    }

    private func startChunk(atLeast bytes: Int) {
        leaveRest()
        var size = nextChunk
        while size < bytes { size *= 2 }
        nextChunk = min(size * 2, Self.chunkSize)
        if size < Self.chunkSize {
            bump = Self.systemAllocate(size, alignment: 4096)
        } else {
            bump = MappedMemory.map(size)
            #if os(Linux)
                madvise(bump, size, MADV_HUGEPAGE)
            #endif
        }
        chunks.append(Chunk(address: bump, size: size))
        bumpLeft = size
        reserved += size
    }

    private static func systemAllocate(_ size: Int, alignment: Int) -> UnsafeMutableRawPointer {
        var address: UnsafeMutableRawPointer?
        guard posix_memalign(&address, alignment, size) == 0, let address else {
            fatalError("out of memory: the system refused \(size) bytes")
        }
        return address
    }
}
