/// Decides how long a flush waits for committers who are likely to commit again at once.
///
/// Committers who wait for each commit before they make the next fall into two groups when every flush begins as soon as it
/// can: while one group is flushed the other commits, and every flush serves half of them. A flush that waits until all have
/// committed serves all of them, and waits only as long as they take to commit.
///
/// A window is opened upon evidence only: all committers served by one flush had committed again before the next flush ended.
/// It lasts no longer than a flush takes, and a millisecond at most. After a window in which not all came, the next flushes
/// have none; the number of these flushes grows with each failure.
struct GroupCommitWindow: Sendable {
    /// The longest window, in nanoseconds.
    private static let longest: UInt64 = 1_000_000
    /// The greatest exponent of a pause.
    private static let greatestExponent = 6

    /// How many committers are waited for, and until when; nil while no window is open.
    private(set) var goal: (count: Int, deadline: UInt64)?
    /// The committers served by the flush before.
    private var served = 0
    /// All committers came within the window before.
    private var succeeded = false
    /// The number of flushes to come that have no window.
    private var pause = 0
    /// The exponent of the next pause. A failure raises it by more than a success lowers it.
    private var pauseExponent = 0

    /// Takes note of the end of a flush, and opens a window for the next one if that is likely to pay.
    ///
    /// - Parameters:
    ///   - served: the committers that it served.
    ///   - waiting: those who came too late for it.
    ///   - took: its duration in nanoseconds.
    mutating func flushed(served: Int, waiting: Int, took: UInt64, now: UInt64) {
        let allReturned = succeeded || (self.served > 0 && waiting >= self.served)
        self.served = served
        goal = nil
        if pause > 0 {
            pause -= 1
        } else if allReturned, served + waiting > 1 {
            goal = (served + waiting, now + min(took, Self.longest))
        }
    }

    /// Whether the window waits for more committers than these.
    func isIncomplete(with waiting: Int) -> Bool { goal.map { waiting < $0.count } ?? false }

    /// When the flush of those who wait may begin; nil when it may begin now.
    func deadline(waiting: Int, now: UInt64) -> UInt64? {
        guard let goal, waiting < goal.count, now < goal.deadline else { return nil }
        return goal.deadline
    }

    /// Closes the window, in which so many committers came.
    mutating func end(with waiting: Int) {
        guard let goal else { return }
        self.goal = nil
        succeeded = waiting >= goal.count
        // Windows that fail every other time also become rare.
        pauseExponent = succeeded ? max(pauseExponent - 1, 0) : min(pauseExponent + 3, Self.greatestExponent)
        pause = succeeded ? 0 : 1 << pauseExponent
    }

    /// Closes the window because something else needs the journal.
    mutating func abandon() { goal = nil }
}
