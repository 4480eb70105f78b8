import ArgumentParser
import BanyanCore
import BanyanPersistence

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A point in a store's life as it is written on the command line: a commit's number, or a time.
enum Moment: ExpressibleByArgument, Hashable {
    case sequence(UInt64)
    /// Nanoseconds since 1970.
    case time(Int64)

    init?(argument: String) {
        if let sequence = UInt64(argument) {
            self = .sequence(sequence)
        } else if let time = Self.nanoseconds(argument) {
            self = .time(time)
        } else {
            return nil
        }
    }

    static let form = "a commit's number, or a time such as 2026-03-01T12:00:00Z"

    /// Of this store; a time means the last commit at or before it, in the order of the commits.
    func found(in store: StoreInspection, progress: GraphRecovery.Progress?) throws -> FoundMoment {
        switch self {
        case .sequence(let sequence): FoundMoment(target: .sequence(sequence))
        case .time(let time):
            FoundMoment(try GraphRecovery.commit(atOrBefore: time, of: store, progress: progress))
        }
    }

    var text: String {
        switch self {
        case .sequence(let sequence): "commit \(sequence)"
        case .time(let time): Self.text(time)
        }
    }

    /// RFC 3339 in UTC, with as many decimals as the time has: what it prints finds the same commit again.
    static func text(_ nanoseconds: Int64) -> String {
        var (seconds, fraction) = nanoseconds.quotientAndRemainder(dividingBy: billion)
        if fraction < 0 {
            seconds -= 1
            fraction += billion
        }
        guard let whole = ISODate.text(ofSecondsSince1970: seconds) else { return "\(nanoseconds) ns" }
        guard fraction > 0 else { return whole }
        var digits = String(fraction)
        digits = String(repeating: "0", count: 9 - digits.count) + digits
        while digits.last == "0" { digits.removeLast() }
        return whole.dropLast() + "." + digits + "Z"
    }

    private static var billion: Int64 { 1_000_000_000 }

    /// Reads what `text` writes, and any date or time that the query language takes.
    static func nanoseconds(_ text: String) -> Int64? {
        // Decimals apart: a Double of seconds does not hold nanoseconds.
        var whole = text
        var fraction: Int64 = 0
        if let point = text.firstIndex(of: ".") {
            let digits = text[text.index(after: point)...].prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty else { return nil }
            let nine = digits.prefix(9)
            guard let value = Int64(nine + String(repeating: "0", count: 9 - nine.count)) else { return nil }
            fraction = value
            whole.removeSubrange(point..<digits.endIndex)
        }
        guard let date = ISODate.date(whole) else { return nil }
        // The first second of all does not fit, and the end of it does.
        return Int64(exactly: Int128(date.timeIntervalSince1970) * Int128(billion) + Int128(fraction))
    }
}

/// A moment in the life of a certain store.
struct FoundMoment {
    var target: StoreInspection.Target
    /// What a time was found to mean.
    var byTime: CommitAtTime?

    static let newest = FoundMoment(target: .end)

    init(target: StoreInspection.Target) { self.target = target }

    init(_ found: CommitAtTime) {
        target = .sequence(found.sequence)
        byTime = found
    }

    /// Commits before it with a later time; nil where no time was asked for.
    var laterCount: UInt64? { byTime?.laterCount }

    /// Says what makes the answer less plain than it looks.
    func tell(_ messages: MessageOptions) {
        guard let byTime else { return }
        let asked = Moment.text(byTime.asked)
        if byTime.laterCount > 0, let first = byTime.firstLater {
            messages.note(
                "warning: the clock was set back: \(Shown.count(byTime.laterCount, "commit")) before commit "
                    + "\(byTime.sequence) \(byTime.laterCount == 1 ? "carries" : "carry") a time later than \(asked), "
                    + "the first is commit \(first.sequence) of \(Moment.text(first.time))")
        }
        if let unread = byTime.unread {
            messages.note(
                "warning: not all commits behind commit \(byTime.sequence) can be read, and one of them may carry a time "
                    + "at or before \(asked): \(Shown.plain(unread.description))")
        }
    }
}

extension ISODate {
    static func text(ofSecondsSince1970 seconds: Int64) -> String? {
        text(of: Date(timeIntervalSince1970: Double(seconds)))
    }
}
