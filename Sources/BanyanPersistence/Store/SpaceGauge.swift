import Dispatch

/// Decides when the free space of a disk is asked for again: after a second, after a share of the reserve was written,
/// and every time while it is short. So commits are refused before the disk is full, at the cost of a system call now
/// and then.
struct SpaceGauge: Sendable {
    private static let interval: UInt64 = 1_000_000_000

    let reserve: UInt64
    private var askedAt: UInt64?
    private var askedAtBytes: UInt64 = 0
    private var isShort = false

    init(reserve: UInt64) { self.reserve = reserve }

    func isDue(bytesWritten: UInt64) -> Bool {
        guard reserve > 0 else { return false }
        guard let askedAt, !isShort else { return true }
        return bytesWritten - min(askedAtBytes, bytesWritten) > reserve / 8
            || DispatchTime.now().uptimeNanoseconds - askedAt > Self.interval
    }

    /// Takes in an answer; true when space is short.
    mutating func note(free: UInt64, bytesWritten: UInt64) -> Bool {
        askedAt = DispatchTime.now().uptimeNanoseconds
        askedAtBytes = bytesWritten
        isShort = free < reserve
        return isShort
    }
}
