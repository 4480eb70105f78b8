// Debian's version numbers, `[epoch:]upstream[-revision]`, and their order: digits compare as numbers, letters before
// other signs, and `~` before everything, the end included, so that `1.0~rc1` comes before `1.0`.

/// A version of a package. Equal means equal in order, as `1.0`, `1.00` and `1.0-0` are.
public struct DebianVersion: Sendable {
    public var epoch: UInt32
    public var upstream: String
    /// Empty when there is none, which is the same as "0".
    public var revision: String

    public init(epoch: UInt32 = 0, upstream: String, revision: String = "") {
        self.epoch = epoch
        self.upstream = upstream
        self.revision = revision
    }

    /// Nil when the epoch is no number or there is no upstream version.
    public init?(_ text: some StringProtocol) {
        var rest = text[...]
        epoch = 0
        if let colon = rest.firstIndex(of: ":") {
            guard let epoch = UInt32(rest[..<colon]) else { return nil }
            self.epoch = epoch
            rest = rest[rest.index(after: colon)...]
        }
        revision = ""
        if let dash = rest.lastIndex(of: "-") {
            revision = String(rest[rest.index(after: dash)...])
            rest = rest[..<dash]
        }
        guard !rest.isEmpty, !rest.contains(where: \.isWhitespace) else { return nil }
        upstream = String(rest)
    }
}

extension DebianVersion: CustomStringConvertible {
    public var description: String {
        (epoch == 0 ? "" : "\(epoch):") + upstream + (revision.isEmpty ? "" : "-\(revision)")
    }
}

extension DebianVersion: Comparable {
    public static func == (a: Self, b: Self) -> Bool { order(a, b) == 0 }
    public static func < (a: Self, b: Self) -> Bool { order(a, b) < 0 }

    private static func order(_ a: Self, _ b: Self) -> Int {
        if a.epoch != b.epoch { return a.epoch < b.epoch ? -1 : 1 }
        let upstream = order(Array(a.upstream.utf8), Array(b.upstream.utf8))
        return upstream != 0 ? upstream : order(Array(a.revision.utf8), Array(b.revision.utf8))
    }

    private static func order(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var i = 0
        var j = 0
        while i < a.count || j < b.count {
            // A stretch without digits, sign by sign; its end weighs 0.
            while i < a.count && !isDigit(a[i]) || j < b.count && !isDigit(b[j]) {
                let x = i < a.count ? weight(a[i]) : 0
                let y = j < b.count ? weight(b[j]) : 0
                if x != y { return x - y }
                i += 1
                j += 1
            }
            // A number of any length: without leading zeros the longer one is greater, else the first different digit
            // decides.
            while i < a.count, a[i] == 0x30 { i += 1 }
            while j < b.count, b[j] == 0x30 { j += 1 }
            var difference = 0
            while i < a.count, isDigit(a[i]), j < b.count, isDigit(b[j]) {
                if difference == 0 { difference = Int(a[i]) - Int(b[j]) }
                i += 1
                j += 1
            }
            if i < a.count, isDigit(a[i]) { return 1 }
            if j < b.count, isDigit(b[j]) { return -1 }
            if difference != 0 { return difference }
        }
        return 0
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func weight(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "~"): -1
        case 0x30...0x39: 0
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte)
        default: Int(byte) + 256
        }
    }
}
