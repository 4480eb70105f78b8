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

    var target: StoreInspection.Target {
        switch self {
        case .sequence(let sequence): .sequence(sequence)
        case .time(let time): .time(time)
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
        let seconds = nanoseconds >= 0 ? nanoseconds / billion : (nanoseconds - (billion - 1)) / billion
        let fraction = nanoseconds - seconds * billion
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
        let (product, overflow) = Int64(date.timeIntervalSince1970).multipliedReportingOverflow(by: billion)
        let (sum, overflow2) = product.addingReportingOverflow(fraction)
        return overflow || overflow2 ? nil : sum
    }
}

extension ISODate {
    static func text(ofSecondsSince1970 seconds: Int64) -> String? {
        text(of: Date(timeIntervalSince1970: Double(seconds)))
    }
}
