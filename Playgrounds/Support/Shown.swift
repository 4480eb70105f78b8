// Numbers as people read them.

import Foundation

public enum Shown {
    /// `63,666`
    public static func count(_ number: some BinaryInteger) -> String {
        var text = ""
        for (i, digit) in String(number.magnitude).reversed().enumerated() {
            if i > 0, i.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + String(text.reversed())
    }

    /// `1 package`, `63,666 packages`
    public static func count(_ number: some BinaryInteger, _ noun: String) -> String {
        "\(count(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// `512 B`, `8.4 MB`: decimal units.
    public static func bytes(_ number: some BinaryInteger) -> String {
        var value = Double(number)
        guard value >= 1000 else { return "\(number) B" }
        for unit in ["kB", "MB", "GB"] {
            value /= 1000
            if value < 999.95 || unit == "GB" { return "\(decimal(value)) \(unit)" }
        }
        return ""
    }

    /// `85 µs`, `3.4 ms`, `1.25 s`
    public static func time(_ duration: Duration) -> String {
        let seconds = seconds(duration)
        if seconds < 0.001 { return "\(decimal(seconds * 1e6)) µs" }
        if seconds < 1 { return "\(decimal(seconds * 1e3)) ms" }
        return String(format: "%.2f s", seconds)
    }

    public static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    }

    private static func decimal(_ value: Double) -> String { String(format: value < 10 ? "%.1f" : "%.0f", value) }
}
