import BanyanCore
import BanyanPersistence

/// Finds out, after something went wrong, what an operator wants to know next: what is still good, how much is at stake,
/// which command helps.
enum Diagnosis {
    /// Runs a command's work on what `path` names, and explains what it throws.
    static func explaining<T>(_ path: String, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as BanyanError {
            throw explain(error, path)
        }
    }

    static func explain(_ error: BanyanError, _ path: String) -> Failure {
        var failure = Failure(error)
        guard failure.exitCode == .damaged else { return failure }
        let shown = Shown.argument(path)
        failure.next = ["banyan verify \(shown)"]
        // What a second look cannot tell either is left unsaid; the first error stands.
        guard
            case .success(.store(let store)) = Result(catching: { () throws(BanyanError) in try StoreSource.open(path) }
            )
        else {
            if isDirectory(path) { failure.next.append("banyan salvage \(shown) --to NEW-DIRECTORY") }
            return failure
        }
        let isOfSnapshot = error.location.file?.hasSuffix(".bsn") ?? false
        if !isOfSnapshot { extent(of: error, store, path, &failure) }
        if let lastGood = failure.lastGood {
            failure.next.append("banyan restore \(shown) --at \(lastGood.sequence) --to NEW-DIRECTORY")
        }
        failure.next.append("banyan salvage \(shown) --to NEW-DIRECTORY")
        return failure
    }

    /// How far the journal can be followed from the newest snapshot before the damage.
    private static func extent(
        of error: BanyanError, _ store: StoreInspection, _ path: String, _ failure: inout Failure
    ) {
        guard
            case .success(let report) = Result(catching: { () throws(BanyanError) in
                try StoreVerification.verify(path, on: StoreSource.disk, quick: true)
            })
        else { return }
        let finding =
            report.findings.first { $0.severity == .damaged && $0.file == error.location.file }
            ?? report.findings.first { $0.severity == .damaged }
        guard let last = error.location.sequence.map({ $0 - min($0, 1) }) ?? finding?.lastGoodSequence,
            last >= GraphRecovery.oldest(store)
        else { return }
        failure.lastGood = point(last, store)
        failure.atStake = atStake(behind: last, finding?.framesAtStake, report.lastSequence, highestKnown(store))
    }

    /// The last commit of which the manifest knows.
    static func highestKnown(_ store: StoreInspection?) -> UInt64 {
        store?.segments.compactMap(\.lastSequence).max() ?? 0
    }

    /// The commits that a damage behind `last` keeps from being read, in words: of those that could be read, or of which the
    /// manifest knows.
    static func atStake(
        behind last: UInt64, _ sound: UInt64?, _ read: UInt64, _ known: UInt64
    ) -> String? {
        let highest = max(read, known, last + (sound.map { $0 + 1 } ?? 0))
        guard highest > last else { return nil }
        let count = Shown.count(highest - last, "commit")
        var text = highest == last + 1 ? "\(count), \(highest)" : "\(count), \(last + 1) to \(highest)"
        if let sound, sound > 0 { text += "; \(Shown.count(sound, "sound record")) behind the damage in this file" }
        return text
    }

    /// A commit with its time, if the files still say it.
    static func point(_ sequence: UInt64, _ store: StoreInspection) -> CommitPoint {
        var point = CommitPoint(sequence: sequence)
        if let snapshot = store.snapshots.first(where: { $0.sequence == sequence }) {
            point.time = snapshot.time
            return point
        }
        // Where the files do not say it, it is left out.
        if case .success(let time) = Result(catching: { try store.time(of: sequence) }) { point.time = time }
        return point
    }

    private static func isDirectory(_ path: String) -> Bool {
        if case .success(.directory) = Result(catching: { () throws(DiskFault) in try StoreSource.disk.kind(of: path) })
        {
            return true
        }
        return false
    }
}
