/// The course of one write, as a value: it is told what has happened and says what is to be done next.
///
/// It holds no lock and touches neither a transaction nor a file, so that every course a write can take is tested without
/// them. Whoever runs a write performs the steps it asks for, and reports what came of each:
///
///     idle ── begin ──▶ open ── end ──▶ checking ── checked ──▶ committing ─── committed ──▶ settling ── settled ──▶ idle
///                                 │         │                                                  ▲
///                                 └─────────┴──────────────▶ rolling back ── rolledBack ───────┘
///
/// Up to `settling`, no other write runs in the store. A write that is settling waits for the disk, and others may have begun.
package struct WriteSession: Sendable {
    /// How a write is to end.
    package enum Request: Sendable, Hashable { case commit, cancel }

    /// What decides whether a transaction can be committed.
    package struct Findings: Sendable {
        package var hasChanges: Bool
        /// The first misuse there was.
        package var fault: BanyanError?
        /// Whether some unique value or required link must be looked at again now that all is in its place.
        package var hasPendingChecks: Bool

        package init(hasChanges: Bool, fault: BanyanError?, hasPendingChecks: Bool) {
            self.hasChanges = hasChanges
            self.fault = fault
            self.hasPendingChecks = hasPendingChecks
        }
    }

    /// What is to be done next.
    package enum Step: Sendable {
        /// Check the constraints that could not be checked before; answer with `checked`.
        case checkConstraints
        /// Make the commit and hand it to the journal; answer with `committed`.
        case commit
        /// Take the transaction back; answer with `rolledBack`.
        case rollBack
        /// Let the next writer in, wait until everything up to this commit is durable, and answer with `settled`.
        case settle(sequence: UInt64)
    }

    /// What the caller of the write is told.
    package enum Outcome: Sendable {
        /// It is durable, as the store promises. Without changes, the commit leads from a version to itself.
        case committed(Commit)
        /// It was to be committed and was not, and this is why.
        case failed(BanyanError)
        /// It was taken back, as it was to be.
        case cancelled
    }

    /// How a write has ended.
    package struct Conclusion: Sendable {
        package let outcome: Outcome
        /// Whether what the write started from, or made, never became durable: the graph must leave it.
        package let isRefused: Bool
    }

    private enum State: Sendable {
        case idle, open, checking, committing
        case rollingBack(Request, BanyanError?)
        case settling(Outcome)
    }
    private var state = State.idle

    package init() {}

    /// Whether a transaction is open.
    package var isOpen: Bool {
        if case .open = state { return true }
        return false
    }

    /// - Parameter isWritingHere: Whether the thread is inside a write of another graph of the store.
    /// - Throws: `nestedWrite` if a write could only wait for itself.
    package func requireIdle(isWritingHere: Bool) throws(BanyanError) {
        if case .idle = state, !isWritingHere { return }
        throw BanyanError(
            .nestedWrite, "a write to this store is already running here", remedy: "Make one write of both")
    }

    /// The transaction has been opened.
    package mutating func begin() {
        guard case .idle = state else { illegal("begins") }
        state = .open
    }

    /// The write is to end.
    package mutating func end(_ request: Request, _ findings: Findings) -> Step {
        guard case .open = state else { illegal("ends") }
        guard request == .commit, findings.hasChanges, findings.fault == nil else {
            return rollBack(request, request == .commit ? findings.fault : nil)
        }
        guard !findings.hasPendingChecks else {
            state = .checking
            return .checkConstraints
        }
        state = .committing
        return .commit
    }

    /// The constraints have been checked.
    package mutating func checked(_ violation: BanyanError?) -> Step {
        guard case .checking = state else { illegal("was checked") }
        if let violation { return rollBack(.commit, violation) }
        state = .committing
        return .commit
    }

    /// The commit has been made, and waits to be written.
    package mutating func committed(_ commit: Commit) -> Step {
        guard case .committing = state else { illegal("was committed") }
        state = .settling(.committed(commit))
        return .settle(sequence: commit.sequence)
    }

    /// The transaction has been taken back, to the version it started from. The caller may act on what was read there, so
    /// that must be durable, too.
    package mutating func rolledBack(to version: Version) -> Step {
        guard case .rollingBack(let request, let error) = state else { illegal("was rolled back") }
        if let error {
            state = .settling(.failed(error))
        } else {
            state = .settling(request == .commit ? .committed(Commit(withoutChangesAt: version)) : .cancelled)
        }
        return .settle(sequence: version.sequence)
    }

    /// The wait is over.
    ///
    /// - Parameter failure: Why the journal did not take what was waited for. What went wrong before counts for more.
    package mutating func settled(_ failure: BanyanError?) -> Conclusion {
        guard case .settling(let outcome) = state else { illegal("was settled") }
        state = .idle
        if let failure, case .committed = outcome {
            return Conclusion(outcome: .failed(failure), isRefused: true)
        }
        return Conclusion(outcome: outcome, isRefused: failure != nil)
    }

    private mutating func rollBack(_ request: Request, _ error: BanyanError?) -> Step {
        state = .rollingBack(request, error)
        return .rollBack
    }

    private func illegal(_ event: String) -> Never {
        preconditionFailure("a write that is \(state) \(event)")
    }
}
