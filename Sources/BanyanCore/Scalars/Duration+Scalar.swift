// A duration is stored exactly, as its attoseconds: an integer of 128 bits.

extension Duration: WideScalar {
    package static var valueKind: ValueKind { .duration }
    package static var kindName: String { "Duration" }
    package static var phrase: String { "a duration" }
    package static var constantForm: String { "an ISO 8601 duration such as 'PT1.5S' or 'PT2H30M'" }
    package static var isWrittenInQuotes: Bool { true }
    package static var mismatchRemedy: String? { "Write \(constantForm)" }
    package static var swiftInitial: String { " = .zero" }
    package static var canBeKey: Bool { true }
    package static var anyRank: UInt8? { 6 }
    package static var typeNames: [String] { ["duration"] }
    package static var taggedLiteral: TaggedLiteral? {
        TaggedLiteral(tag: "T", misfit: "an ISO 8601 duration as T\"PT1.5S\"") { value(written: $0) }
    }

    @inlinable
    package init(cell: Cell) {
        self.init(attoseconds: Int128(truncatingIfNeeded: UInt128(cell.high) << 64 | UInt128(cell.low)))
    }

    @inlinable
    package var cell: Cell {
        let bits = UInt128(bitPattern: attoseconds)
        return Cell(low: UInt64(truncatingIfNeeded: bits), high: UInt64(truncatingIfNeeded: bits >> 64))
    }

    package var value: Value { .duration(self) }

    // MARK: Order

    @inline(__always)
    package static func wideKey(_ cell: Cell) -> UInt128 {
        UInt128(cell.high) << 64 | UInt128(cell.low) ^ 1 << 127
    }
    package static func cell(wideKey: UInt128) -> Cell? {
        Duration(attoseconds: Int128(bitPattern: wideKey ^ 1 << 127)).cell
    }

    // MARK: Sums

    // Whole seconds and the rest are summed up apart, so that no sum on the way is too large.

    private static var attosecondsPerSecond: Int128 { 1_000_000_000_000_000_000 }

    package static var sumKind: ValueKind? { .duration }
    package static var meanKind: ValueKind? { .duration }
    package static func add(_ cell: Cell, times: Int, to sum: inout ScalarSum) -> Bool {
        let (seconds, rest) = Duration(cell: cell).attoseconds.quotientAndRemainder(dividingBy: attosecondsPerSecond)
        sum.integer += seconds * Int128(times)
        sum.fraction += rest * Int128(times)
        return true
    }

    /// Beyond what a duration holds, the nearest one within.
    package static func total(_ sum: ScalarSum) -> Cell {
        clamped(seconds: sum.integer, attoseconds: sum.fraction).cell
    }

    /// Rounded to the nearest attosecond, halves away from zero.
    package static func mean(_ sum: ScalarSum, count: Int) -> Cell {
        let count = Int128(count)
        let (total, fraction) = normalized(seconds: sum.integer, attoseconds: sum.fraction)
        let (seconds, left) = total.quotientAndRemainder(dividingBy: count)
        // Seconds that are left are fewer than 2⁶³, and their attoseconds fewer than 2¹²³.
        let (whole, rest) = (left * attosecondsPerSecond + fraction).quotientAndRemainder(dividingBy: count)
        let rounding: Int128 = rest.magnitude * 2 >= count.magnitude ? rest.signum() : 0
        return clamped(seconds: seconds, attoseconds: whole + rounding).cell
    }

    /// Less than a second of attoseconds, with the sign of the seconds.
    private static func normalized(seconds: Int128, attoseconds: Int128) -> (seconds: Int128, attoseconds: Int128) {
        let (carry, rest) = attoseconds.quotientAndRemainder(dividingBy: attosecondsPerSecond)
        let whole = seconds + carry
        if whole > 0, rest < 0 { return (whole - 1, rest + attosecondsPerSecond) }
        if whole < 0, rest > 0 { return (whole + 1, rest - attosecondsPerSecond) }
        return (whole, rest)
    }

    private static func clamped(seconds: Int128, attoseconds: Int128) -> Duration {
        let (whole, rest) = normalized(seconds: seconds, attoseconds: attoseconds)
        let (product, isTooLarge) = whole.multipliedReportingOverflow(by: attosecondsPerSecond)
        let (sum, isOver) = product.addingReportingOverflow(rest)
        return Duration(attoseconds: isTooLarge || isOver ? (whole < 0 ? .min : .max) : sum)
    }

    // MARK: Text

    package static func value(written text: String) -> Value? { Duration(iso8601: text).map { .duration($0) } }
    package var literal: String { "T\"\(text)\"" }
    package var text: String { iso8601 }
    package func encode(into container: inout any SingleValueEncodingContainer) throws { try container.encode(iso8601) }
}

// MARK: - ISO 8601

extension Duration {
    /// The duration in hours, minutes and seconds as ISO 8601 writes it, exactly: `PT2H30M`, `-PT0.000000000000000001S`.
    public var iso8601: String {
        let (seconds, rest) = attoseconds.magnitude.quotientAndRemainder(
            dividingBy: Self.attosecondsPerSecond.magnitude)
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        var text = attoseconds < 0 ? "-PT" : "PT"
        if hours > 0 { text += "\(hours)H" }
        if minutes > 0 { text += "\(minutes)M" }
        guard seconds % 60 > 0 || rest > 0 || seconds == 0 else { return text }
        text += "\(seconds % 60)"
        if rest > 0 {
            var digits = String(rest)
            digits = "." + String(repeating: "0", count: 18 - digits.count) + digits
            while digits.hasSuffix("0") { digits.removeLast() }
            text += digits
        }
        return text + "S"
    }

    /// The duration that a text says: weeks, days of 24 hours, hours, minutes and seconds, each a whole number but for the
    /// seconds, which may have up to 18 decimals. Nil for anything else, years and months included, and for what a
    /// duration cannot hold.
    public init?(iso8601 text: String) {
        var rest = text[...]
        let isNegative = rest.hasPrefix("-")
        if isNegative || rest.hasPrefix("+") { rest.removeFirst() }
        guard rest.popFirst() == "P", !rest.isEmpty else { return nil }
        var units: [(name: Character, seconds: Int128)] = [("W", 604_800), ("D", 86_400)]
        // Below zero, for there is one more there than above.
        var sum: Int128 = 0
        while !rest.isEmpty {
            if rest.first == "T" {
                guard units.last?.name != "S", rest.count > 1 else { return nil }
                rest.removeFirst()
                units = [("H", 3600), ("M", 60), ("S", 1)]
            }
            let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
            rest = rest[digits.endIndex...]
            var decimals: Substring = ""
            if rest.first == "." || rest.first == "," {
                decimals = rest.dropFirst().prefix { $0.isASCII && $0.isWholeNumber }
                rest = rest[decimals.endIndex...]
                guard (1...18).contains(decimals.count) else { return nil }
            }
            guard let unit = rest.popFirst(), let index = units.firstIndex(where: { $0.name == unit }),
                decimals.isEmpty || unit == "S", let number = Int128(digits)
            else { return nil }
            let scale = units[index].seconds * Self.attosecondsPerSecond
            let fraction = Int128(decimals + String(repeating: "0", count: 18 - decimals.count)) ?? 0
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: -scale)
            let (part, isPartOver) = product.subtractingReportingOverflow(fraction)
            let (total, isOver) = sum.addingReportingOverflow(part)
            guard !isTooLarge, !isPartOver, !isOver else { return nil }
            sum = total
            // Each unit once, the larger ones before the smaller.
            units.removeFirst(index + 1)
            if units.isEmpty { guard rest.isEmpty || unit == "D" && rest.first == "T" else { return nil } }
        }
        guard isNegative || sum != .min else { return nil }
        self.init(attoseconds: isNegative ? sum : -sum)
    }
}
