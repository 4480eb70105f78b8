/// How plain things look to a person.
enum Shown {
    /// `1.2 MB`, in powers of 1,000; exact below 10,000 bytes.
    static func bytes(_ count: UInt64) -> String {
        if count < 10_000 { return "\(grouped(count)) B" }
        var value = Double(count)
        var unit = 0
        let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
        while value >= 999.5, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        let tenths = Int((value * 10).rounded())
        return value < 99.95 ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\(Int(value.rounded())) \(units[unit])"
    }

    /// `12,345`.
    static func grouped(_ number: some BinaryInteger) -> String {
        let digits = number.magnitude.description
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return number < 0 ? "-" + text : text
    }

    /// `1 commit`, `2 commits`.
    static func count(_ number: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
        "\(grouped(number)) \(number == 1 ? one : many ?? one + "s")"
    }

    /// Text from a file, with the characters that could play tricks on a terminal made visible: controls, and those that
    /// turn the direction of writing or end a line.
    static func plain(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            case _ where isControl(scalar): result += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The same for text of several lines.
    static func plainLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { plain(String($0)) }.joined(separator: "\n")
    }

    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// A path as a shell takes it.
    static func argument(_ path: String) -> String {
        let isPlain =
            !path.isEmpty
            && path.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "%"):
                    true
                default: byte >= 0x80
                }
            }
        return isPlain
            ? path : "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

extension String {
    /// With blanks to a width in characters.
    func padded(to width: Int, alignRight: Bool = false) -> String {
        let missing = width - count
        guard missing > 0 else { return self }
        let blanks = String(repeating: " ", count: missing)
        return alignRight ? blanks + self : self + blanks
    }

    /// No longer than a width in characters.
    func truncated(to width: Int) -> String {
        guard count > width else { return self }
        return width <= 1 ? String(prefix(width)) : prefix(width - 1) + "…"
    }
}
