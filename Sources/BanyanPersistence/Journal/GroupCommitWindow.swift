/// When it pays to let a flush wait a moment for committers who are about to be back.
///
/// Committers who wait for each commit before they make the next fall into two groups if every flush begins as soon as
/// it can: while one group is flushed the other commits, and every flush serves half of them. A flush that waits until
/// all are there again serves all of them, for the moment it takes them to commit.
///
/// It is only done upon evidence: whom one flush served had all come back before the next had ended. It takes no longer
/// than a flush takes, and a millisecond at most. Where it was in vain the next ones wait for nobody, ever more of them.
struct Gathering: Sendable {
    /// Nanoseconds.
    private static let longest: UInt64 = 1_000_000
    /// The exponent of the longest pause.
    private static let most = 6

    /// How many are waited for, and until when; nil while nobody is.
    private(set) var goal: (count: Int, deadline: UInt64)?
    /// Served by the flush before.
    private var served = 0
    /// All came for whom was waited last.
    private var succeeded = false
    /// Flushes to come that wait for nobody.
    private var pause = 0
    /// The exponent of the next pause: failures raise it by more than successes lower it.
    private var doubt = 0

    /// A flush has ended.
    ///
    /// - Parameters:
    ///   - served: the committers that it served.
    ///   - waiting: those who came too late for it.
    ///   - took: its nanoseconds.
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

    /// Whether there are more to come.
    func isIncomplete(with waiting: Int) -> Bool { goal.map { waiting < $0.count } ?? false }

    /// Until when the flush of those who wait must not begin; nil when it may.
    func deadline(waiting: Int, now: UInt64) -> UInt64? {
        guard let goal, waiting < goal.count, now < goal.deadline else { return nil }
        return goal.deadline
    }

    /// Ends it, with so many.
    mutating func end(with waiting: Int) {
        guard let goal else { return }
        self.goal = nil
        succeeded = waiting >= goal.count
        // So it also ends where it is in vain every other time.
        doubt = succeeded ? max(doubt - 1, 0) : min(doubt + 3, Self.most)
        pause = succeeded ? 0 : 1 << doubt
    }

    /// Ends it where something else needs the journal.
    mutating func abandon() { goal = nil }
}
