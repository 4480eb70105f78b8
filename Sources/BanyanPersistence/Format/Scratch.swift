/// Memory that is written from the start over and over, and grows when it must.
///
/// Sound as plain memory because one encoder or decoder owns it, and pointers into it live no longer than the call they were
/// made in.
final class Scratch {
    private(set) var base: UnsafeMutableRawPointer
    private(set) var capacity: Int
    /// Bytes in use, for callers that fill it piece by piece.
    var count = 0

    /// Bytes beyond the capacity that may be written and are never read: copying may overshoot.
    static let slack = 64

    init(capacity: Int = 4096) {
        self.capacity = capacity
        base = .allocate(byteCount: capacity + Self.slack, alignment: 16)
    }

    deinit { base.deallocate() }

    /// Makes room for so many bytes in all, keeping those in use.
    func reserve(_ bytes: Int) {
        guard bytes > capacity else { return }
        let grown = max(bytes, capacity * 2)
        let new = UnsafeMutableRawPointer.allocate(byteCount: grown + Self.slack, alignment: 16)
        new.copyMemory(from: base, byteCount: count)
        base.deallocate()
        base = new
        capacity = grown
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }
}
