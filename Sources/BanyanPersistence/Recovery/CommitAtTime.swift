package import BanyanCore

/// The commit that a time means: the last one, in sequence, whose recorded time is at or before it.
///
/// Times come from a clock that people and programs set, so they need not rise with the commits' numbers. A commit made
/// while the clock stood a century ahead must not hide those behind it, so no search stops at the first later time, and no
/// file is left out because of its times: every commit that the files still have is looked at.
package struct CommitAtTime: Sendable, Hashable {
    package struct Commit: Sendable, Hashable {
        package var sequence: UInt64
        /// Nanoseconds since 1970.
        package var time: Int64
    }

    /// The time that was asked for.
    package var asked: Int64
    /// Nil for the empty store, before the first commit.
    package var commit: Commit?
    /// How many commits before it carry a later time than the one asked for, and the first of them.
    package var laterCount: UInt64 = 0
    package var firstLater: Commit?
    /// What keeps some commits behind it from being read. All that stand between are later; whether those are is not known.
    package var unread: BanyanError?

    package var sequence: UInt64 { commit?.sequence ?? 0 }
}

extension StoreInspection {
    /// When a commit was made; nil where no record says it any more. O(log segments + bytes of one segment).
    ///
    /// - Throws: `damaged`, `inUse`, `io`.
    package func time(of sequence: UInt64) throws -> Int64? {
        let segments = files.manifest.segments
        let next = segments.partitioningIndex { $0.first > sequence }
        guard sequence > 0, next > 0 else { return nil }
        var time: Int64?
        _ = try files.only(segments[next - 1]).records(
            after: sequence - 1, through: .sequence(sequence), leavingLargePayloads: true
        ) { located in
            time = located.record.time
            return true
        }
        return time
    }

    /// The last commit at or before a time; nil where the store does not reach back that far. O(bytes of the journal).
    ///
    /// - Throws: `damaged` when what cannot be read may hold the commit; `inUse` when the store's process removed a file
    ///   meanwhile (open it again); `io`.
    package func commit(
        atOrBefore time: Int64, progress: ((StoreProgress) -> Void)? = nil
    ) throws -> CommitAtTime? {
        var search = Search(time, snapshots: snapshots.reversed())
        let total = segments.reduce(0) { $0 + $1.length }
        var done: UInt64 = 0
        for entry in files.manifest.segments {
            var last = entry.first - 1
            do {
                let before = done
                let read = try files.only(entry).records(
                    after: last, leavingLargePayloads: true,
                    progress: progress.map { tell in { tell(.init(done: before + $0.done, total: total)) } }
                ) { located in
                    last = located.record.sequence
                    search.note(.init(sequence: last, time: located.record.time))
                    return true
                }
                done += read.report.bytes
            } catch let error as BanyanError {
                guard [.damaged, .foreignFile, .unsupportedFormat].contains(error.code) else { throw error }
                search.missing.append((last + 1, error))
            }
        }
        return try search.result(reachesBack: GraphRecovery.oldest(self) == 0)
    }

    /// Goes through the commits in sequence; snapshots stand in for those whose records are gone or cannot be read.
    private struct Search {
        /// Commits of which only a snapshot may be left, oldest first.
        private var snapshots: ArraySlice<Snapshot>
        private var found: CommitAtTime
        private var laterSoFar: UInt64 = 0
        private var firstLater: CommitAtTime.Commit?
        /// The first commits that could not be read, and why, in sequence.
        var missing: [(first: UInt64, reason: BanyanError)] = []

        init(_ time: Int64, snapshots: some Sequence<Snapshot>) {
            found = CommitAtTime(asked: time)
            self.snapshots = ArraySlice(snapshots)
        }

        mutating func note(_ commit: CommitAtTime.Commit) {
            takeSnapshots { $0 < commit.sequence }
            takeSnapshots(noting: false) { $0 == commit.sequence }
            consider(commit)
        }

        mutating func result(reachesBack: Bool) throws(BanyanError) -> CommitAtTime? {
            takeSnapshots { _ in true }
            let next = missing.first { $0.first > found.sequence }
            // The next commit may be one that is meant, and nobody can say.
            if let next, next.first == found.sequence + 1 { throw next.reason }
            found.unread = next?.reason
            return found.commit == nil && !reachesBack ? nil : found
        }

        private mutating func takeSnapshots(noting: Bool = true, while isTaken: (UInt64) -> Bool) {
            while let snapshot = snapshots.first, isTaken(snapshot.sequence) {
                snapshots.removeFirst()
                if noting { consider(.init(sequence: snapshot.sequence, time: snapshot.time)) }
            }
        }

        private mutating func consider(_ commit: CommitAtTime.Commit) {
            guard commit.time > found.asked else {
                found.commit = commit
                found.laterCount = laterSoFar
                found.firstLater = firstLater
                return
            }
            laterSoFar += 1
            firstLater = firstLater ?? commit
        }
    }
}

extension ListedFiles {
    /// With one segment alone: only its times are looked at.
    fileprivate func only(_ segment: Manifest.Segment) -> ListedFiles {
        var files = self
        files.manifest.segments = [segment]
        return files
    }
}

extension Array {
    /// The first index whose element satisfies a predicate that all behind it satisfy too. O(log count).
    fileprivate func partitioningIndex(_ isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
