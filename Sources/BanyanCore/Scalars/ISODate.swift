#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Dates as ISO 8601 writes them, in the proleptic Gregorian calendar, exact to the bit in both directions.
///
/// `YYYY-MM-DD`, perhaps followed by `T` or a space and `HH:MM[:SS[.fraction]]` and `Z` or an offset such as `+02:00`.
/// Without an offset the time is UTC.
package enum ISODate {
    /// Seconds from the start of year 1970 to that of 2001.
    private static var referenceOffset: Int { 978_307_200 }

    package static func date(_ text: String) -> Date? {
        var scanner = Scanner(Array(text.utf8))
        guard let year = scanner.digits(4), year > 0, scanner.take("-"), let month = scanner.digits(2),
            scanner.take("-"), let day = scanner.digits(2), (1...12).contains(month),
            (1...days(in: month, year)).contains(day)
        else { return nil }
        var seconds = daysFrom1970(year, month, day) * 86_400 - referenceOffset
        var fraction = 0.0
        if !scanner.isAtEnd {
            guard scanner.take("T") || scanner.take(" ") || scanner.take("t"), let hour = scanner.digits(2), hour < 24,
                scanner.take(":"), let minute = scanner.digits(2), minute < 60
            else { return nil }
            seconds += hour * 3600 + minute * 60
            if scanner.take(":") {
                guard let second = scanner.digits(2), second <= 60 else { return nil }
                seconds += second
                if scanner.take(".") {
                    guard let value = scanner.fraction() else { return nil }
                    fraction = value
                }
            }
            if !scanner.take("Z"), !scanner.take("z"), !scanner.isAtEnd {
                guard let offset = scanner.offset() else { return nil }
                seconds -= offset
            }
            guard scanner.isAtEnd else { return nil }
        }
        return Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
    }

    /// Nil for dates outside the years 1 to 9999, or that no decimal fraction of a second meets.
    package static func text(of date: Date) -> String? {
        let interval = date.timeIntervalSinceReferenceDate
        guard interval.magnitude < 1e12 else { return nil }
        let whole = interval.rounded(.down)
        let fraction = interval - whole
        let total = Int(whole) + referenceOffset
        let day = (total >= 0 ? total : total - 86_399) / 86_400
        let second = total - day * 86_400
        let (y, m, d) = civil(daysFrom1970: day)
        guard (1...9999).contains(y) else { return nil }
        var text = "\(padded(y, 4))-\(padded(m, 2))-\(padded(d, 2))"
        text += "T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
        if fraction != 0 {
            text += "." + decimals(of: fraction)
        }
        text += "Z"
        return Self.date(text) == date ? text : nil
    }

    /// The digits after the point of a number between 0 and 1, without an exponent.
    private static func decimals(of fraction: Double) -> String {
        let printed = fraction.description
        guard let e = printed.firstIndex(of: "e"), let exponent = Int(printed[printed.index(after: e)...]) else {
            return String(printed.dropFirst(2))
        }
        var digits = printed[..<e].filter { $0 != "." }
        if digits.hasSuffix("0") { digits.removeLast() }
        return String(repeating: "0", count: -exponent - 1) + digits
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func days(in month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // Years that begin in March, so that the leap day is the last; 400 of them have 146,097 days.

    private static func daysFrom1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let y = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return y * 365 + y / 4 - y / 100 + y / 400 + dayOfYear - 719_468
    }

    private static func civil(daysFrom1970 days: Int) -> (Int, Int, Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let m = (5 * dayOfYear + 2) / 153
        let month = m < 10 ? m + 3 : m - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * m + 2) / 5 + 1)
    }

    private struct Scanner {
        let bytes: [UInt8]
        var position = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { position == bytes.count }

        mutating func take(_ character: Character) -> Bool {
            guard position < bytes.count, bytes[position] == character.asciiValue else { return false }
            position += 1
            return true
        }

        mutating func digits(_ count: Int) -> Int? {
            guard position + count <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[position..<position + count] {
                guard byte &- 0x30 < 10 else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            position += count
            return value
        }

        mutating func fraction() -> Double? {
            let start = position
            while position < bytes.count, bytes[position] &- 0x30 < 10 { position += 1 }
            guard position > start else { return nil }
            return Double("0." + String(decoding: bytes[start..<position], as: UTF8.self))
        }

        mutating func offset() -> Int? {
            let sign = take("+") ? 1 : take("-") ? -1 : 0
            guard sign != 0, let hours = digits(2), hours < 24 else { return nil }
            _ = take(":")
            let minutes = isAtEnd ? 0 : digits(2)
            guard let minutes, minutes < 60 else { return nil }
            return sign * (hours * 3600 + minutes * 60)
        }
    }
}
