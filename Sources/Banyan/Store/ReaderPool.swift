import BanyanCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Graphs of finished `read` blocks, for the next ones.
///
/// Each thread has a place of its own, most of the time, on a cache line of its own: a block that finds there the graph of the
/// last one, at the newest version, shares nothing with other threads, so readers do not slow each other down. A graph that
/// somebody still holds, or an object of it, is not kept. Nor may a kept one hold an old version alive: whoever publishes a
/// version drops those that stand at another.
final class ReaderPool: @unchecked Sendable {
    // Sound: a graph is in at most one place, and whoever takes it out by an atomic exchange has it alone.

    private struct Place: ~Copyable {
        /// The address of a graph; 0 for none.
        let graph = Atomic<UInt>(0)
        // So that no two places share a cache line, nor the pair of lines that some processors fetch together.
        let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0)
        let more: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
    }

    private static let count = 64
    private let places: UnsafeMutablePointer<Place>
    /// Whether any place was filled since they were last emptied.
    private let isUsed = Atomic<Bool>(false)

    init() {
        places = .allocate(capacity: Self.count)
        for i in 0..<Self.count { (places + i).initialize(to: Place()) }
    }

    deinit {
        empty()
        places.deinitialize(count: Self.count)
        places.deallocate()
    }

    private var own: UnsafeMutablePointer<Place> {
        #if os(Linux)
            let thread = UInt64(UInt(pthread_self()))
        #else
            let thread = UInt64(UInt(bitPattern: pthread_self()))
        #endif
        // Thread blocks lie at round distances: the multiplication brings what differs to the top.
        return places + Int(truncatingIfNeeded: (thread &* 0x9E37_79B9_7F4A_7C15) >> 58)
    }

    /// The graph this thread used last, if nobody else has it.
    func take() -> Graph? {
        let address = own.pointee.graph.exchange(0, ordering: .acquiring)
        guard let pointer = UnsafeRawPointer(bitPattern: address) else { return nil }
        return Unmanaged<Graph>.fromOpaque(pointer).takeRetainedValue()
    }

    /// Keeps a graph for the next block of this thread; `newest` tells which version is the newest now.
    func keep(_ graph: consuming Graph, newest: () -> UInt64) {
        let sequence = graph.sequence
        let place = own
        guard place.pointee.graph.load(ordering: .relaxed) == 0 else { return }
        let address = UInt(bitPattern: Unmanaged.passRetained(graph).toOpaque())
        let before = place.pointee.graph.exchange(address, ordering: .sequentiallyConsistent)
        if before != 0 { Self.release(before) }
        isUsed.store(true, ordering: .sequentiallyConsistent)
        // A version that was published meanwhile may have found the place still empty.
        if newest() != sequence { drop(place) }
    }

    /// Drops what stands in the pool. Called when a version has been published.
    func empty() {
        guard isUsed.load(ordering: .sequentiallyConsistent) else { return }
        isUsed.store(false, ordering: .sequentiallyConsistent)
        for i in 0..<Self.count { drop(places + i) }
    }

    private func drop(_ place: UnsafeMutablePointer<Place>) {
        if place.pointee.graph.load(ordering: .sequentiallyConsistent) == 0 { return }
        let address = place.pointee.graph.exchange(0, ordering: .acquiring)
        if address != 0 { Self.release(address) }
    }

    private static func release(_ address: UInt) {
        guard let pointer = UnsafeRawPointer(bitPattern: address) else { return }
        Unmanaged<Graph>.fromOpaque(pointer).release()
    }
}
