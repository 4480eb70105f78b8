// Reads Debian control files (`apt-cache dumpavail`, dpkg's status file, a repository's Packages) stanza by stanza.
//
// One pass over bytes, never over characters: a line is a field, a continuation, a comment or the end of the stanza, and
// its first byte says which. What has not arrived yet is asked for in chunks, and the stanza that was cut is started
// again, so memory follows the longest stanza, not the file. A buffer is replaced, never changed: stanzas that were
// handed out share it.

/// The stanzas of a control file, one at a time.
public struct StanzaReader: ~Copyable {
    /// A stanza longer than this means that the file is something else.
    public static let longestStanza = 16 << 20

    private let file: String
    private let more: () throws -> [UInt8]
    private var buffer: [UInt8]
    private var position = 0
    private var line = 1
    private var isComplete: Bool

    /// Reads what is there.
    public init(_ bytes: [UInt8], file: String = "") {
        self.file = file
        buffer = bytes
        isComplete = true
        more = { [] }
    }

    /// Reads from a source that hands out what comes next, in chunks of its choice (a mebibyte is good), and an empty one at
    /// its end.
    public init(file: String = "", reading more: @escaping () throws -> [UInt8]) {
        self.file = file
        self.more = more
        buffer = []
        isComplete = false
    }

    /// The next stanza; nil at the end.
    ///
    /// - Throws: `DebianSyntaxError`, and what the source throws. A reader that threw goes no further.
    public mutating func next() throws -> Stanza? {
        while true {
            switch try scan() {
            case .stanza(let ranges, let next, let line):
                position = next
                self.line = line
                return Stanza(file: file, buffer: buffer, ranges: ranges)
            case .end: return nil
            case .incomplete: try refill()
            }
        }
    }

    private mutating func refill() throws {
        guard buffer.count - position <= Self.longestStanza else {
            throw DebianSyntaxError(
                file: file, line: line,
                message: "a stanza of more than \(Self.longestStanza >> 20) MiB: this is no package index")
        }
        let chunk = try more()
        guard !chunk.isEmpty else {
            isComplete = true
            return
        }
        buffer = position == buffer.count ? chunk : Array(buffer[position...]) + chunk
        position = 0
    }

    private enum Scan {
        case stanza([Stanza.FieldRange], next: Int, line: Int)
        case end
        case incomplete
    }

    /// Looks for the stanza at `position`.
    private func scan() throws(DebianSyntaxError) -> Scan {
        let bytes = buffer.span
        var ranges: [Stanza.FieldRange] = []
        ranges.reserveCapacity(24)
        var start = position
        var line = line

        while true {
            guard start < bytes.count else {
                guard isComplete else { return .incomplete }
                return ranges.isEmpty ? .end : .stanza(ranges, next: start, line: line)
            }
            var end = start
            var colon = -1
            var isPlain = true
            while end < bytes.count, bytes[end] != 0x0A {
                let byte = bytes[end]
                if byte == 0x3A, colon < 0 { colon = end }
                if byte >= 0x80 || byte == 0 { isPlain = false }
                end += 1
            }
            guard end < bytes.count || isComplete else { return .incomplete }
            let next = min(end + 1, bytes.count)
            while end > start, bytes[end - 1].isBlank { end -= 1 }

            if end == start {
                if !ranges.isEmpty { return .stanza(ranges, next: next, line: line + 1) }
            } else if bytes[start] == UInt8(ascii: "#") {
                // A comment.
            } else {
                if !isPlain { try requireText(start..<end, line) }
                if bytes[start].isBlank {
                    guard let last = ranges.indices.last else {
                        throw error(line, "a continuation line without a field before it")
                    }
                    ranges[last].value = ranges[last].value.lowerBound..<end
                } else {
                    guard colon > start, colon < end, isName(bytes.extracting(start..<colon)) else {
                        throw error(line, "expected 'Field: value', found '\(excerpt(start..<end))'")
                    }
                    var value = colon + 1
                    while value < end, bytes[value].isBlank { value += 1 }
                    ranges.append(Stanza.FieldRange(name: start..<colon, value: value..<end, line: line))
                    try requireNew(ranges)
                }
            }
            start = next
            line += 1
        }
    }

    private func isName(_ bytes: Span<UInt8>) -> Bool {
        guard bytes[0] != UInt8(ascii: "-") else { return false }
        for i in bytes.indices where bytes[i] <= 0x20 || bytes[i] >= 0x7F { return false }
        return true
    }

    private func requireText(_ range: Range<Int>, _ line: Int) throws(DebianSyntaxError) {
        guard !buffer[range].contains(0), String(validating: buffer[range], as: UTF8.self) != nil else {
            throw error(line, "this is not UTF-8 text")
        }
    }

    private func requireNew(_ ranges: [Stanza.FieldRange]) throws(DebianSyntaxError) {
        let new = ranges[ranges.count - 1]
        for other in ranges.dropLast() where other.name.count == new.name.count {
            guard zip(buffer[other.name], buffer[new.name]).allSatisfy({ $0.lowercased == $1.lowercased }) else {
                continue
            }
            throw error(new.line, "the field '\(excerpt(new.name))' is there already, in line \(other.line)")
        }
    }

    private func excerpt(_ range: Range<Int>) -> String {
        let text = String(decoding: buffer[range].prefix(40), as: UTF8.self)
        return String(text.map { $0.isASCII && !$0.isNewline && $0.asciiValue! >= 0x20 ? $0 : "?" })
            + (range.count > 40 ? "…" : "")
    }

    private func error(_ line: Int, _ message: String) -> DebianSyntaxError {
        DebianSyntaxError(file: file, line: line, message: message)
    }
}
