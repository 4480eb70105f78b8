// A stanza of a Debian control file: fields in the order of the file.
//
// It keeps byte ranges of the buffer that it was read from and makes strings only of what is asked for: of a package
// index most bytes are never looked at twice.

/// One stanza ("paragraph") of a control file.
public struct Stanza: Sendable {
    struct FieldRange: Sendable {
        var name: Range<Int>
        /// Without surrounding white space; continuation lines are inside.
        var value: Range<Int>
        var line: Int
    }

    let file: String
    let buffer: [UInt8]
    let ranges: [FieldRange]

    /// The line on which the stanza starts, counted from 1.
    public var line: Int { ranges.first?.line ?? 0 }

    /// The value as it stands in the file, line breaks and the white space after them included; nil when there is no such
    /// field. Names of fields ignore case.
    public subscript(name: StaticString) -> String? {
        find(name).map { text(ranges[$0].value) }
    }

    /// The value of a field that must be there.
    ///
    /// - Throws: when it is missing or empty.
    public func required(_ name: StaticString) throws(DebianSyntaxError) -> String {
        guard let value = self[name] else { throw error("the stanza has no field '\(name)'") }
        guard !value.isEmpty else { throw error("the field '\(name)' is empty", name) }
        return value
    }

    /// The value as lines: the first one, then the continuation lines without their leading space, `.` standing for an
    /// empty one.
    public func lines(_ name: StaticString) -> [Substring] {
        guard let value = self[name] else { return [] }
        return value.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { number, line in
            guard number > 0 else { return line }
            let text = line.dropFirst()
            return text == "." ? "" : text
        }
    }

    /// The first line of a value.
    public func firstLine(_ name: StaticString) -> String? {
        guard let field = find(name) else { return nil }
        let range = ranges[field].value
        let end = buffer[range].firstIndex(of: UInt8(ascii: "\n")) ?? range.upperBound
        return text(range.lowerBound..<end)
    }

    /// The entries of a comma-separated value.
    public func list(_ name: StaticString) -> [String] {
        guard let field = find(name) else { return [] }
        return buffer[ranges[field].value].split(separator: UInt8(ascii: ",")).compactMap { entry in
            let trimmed = entry.trimmed
            return trimmed.isEmpty ? nil : text(trimmed.indices)
        }
    }

    /// An error at a field, or at the start of the stanza.
    public func error(_ message: String, _ name: StaticString? = nil) -> DebianSyntaxError {
        let field = name.flatMap { find($0) }.map { ranges[$0] }
        return DebianSyntaxError(file: file, line: field?.line ?? line, message: message)
    }

    func find(_ name: StaticString) -> Int? {
        ranges.firstIndex { matches($0, name) }
    }

    func matches(_ field: FieldRange, _ name: StaticString) -> Bool {
        guard field.name.count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { wanted in
            zip(wanted, buffer[field.name]).allSatisfy { $0.lowercased == $1.lowercased }
        }
    }

    func text(_ range: Range<Int>) -> String { String(decoding: buffer[range], as: UTF8.self) }
}

extension Stanza: RandomAccessCollection {
    /// A field with its value.
    public struct Field: Hashable, Sendable {
        public var name: String
        public var value: String
        /// Counted from 1.
        public var line: Int
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { ranges.count }
    public subscript(position: Int) -> Field {
        let field = ranges[position]
        return Field(name: text(field.name), value: text(field.value), line: field.line)
    }

    /// Whether the field at `position` is called one of `names`.
    public func isNamed(_ position: Int, _ names: [StaticString]) -> Bool {
        names.contains { matches(ranges[position], $0) }
    }
}

extension UInt8 {
    var lowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
    var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
    var isWhite: Bool { isBlank || self == 0x0A }
}

extension ArraySlice<UInt8> {
    /// Without white space at either end.
    var trimmed: Self {
        guard let first = firstIndex(where: { !$0.isWhite }), let last = lastIndex(where: { !$0.isWhite }) else {
            return self[startIndex..<startIndex]
        }
        return self[first...last]
    }
}
