import BanyanCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Builds JSON as bytes, members in the order they are given: on one line for JSON Lines, indented for documents that a
/// person may read too.
struct JSONText {
    private(set) var bytes: [UInt8] = []
    let isIndented: Bool
    private var depth = 0
    private var needsComma = false
    /// A name was written, and its value comes next.
    private var isNamed = false

    init(indented: Bool) { isIndented = indented }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        depth = 0
        needsComma = false
        isNamed = false
    }

    /// What was built so far; what follows goes on from there.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    // MARK: Structure

    mutating func object(_ body: (inout JSONText) throws -> Void) rethrows {
        open("{")
        try body(&self)
        close("}")
    }

    mutating func array(_ body: (inout JSONText) throws -> Void) rethrows {
        open("[")
        try body(&self)
        close("]")
    }

    /// An array whose elements stand on lines of their own, each itself on one line.
    mutating func lines<S: Sequence>(_ elements: S, _ body: (inout JSONText, S.Element) throws -> Void) rethrows {
        try array { json in
            for element in elements {
                var line = JSONText(indented: false)
                try body(&line, element)
                json.raw(line.bytes)
            }
        }
    }

    /// The name of a member; its value is what comes next.
    mutating func name(_ name: String) {
        separate()
        quote(name)
        bytes.append(contentsOf: isIndented ? ": ".utf8 : ":".utf8)
        isNamed = true
    }

    /// A value that is JSON already.
    mutating func raw(_ json: [UInt8]) {
        begin()
        bytes.append(contentsOf: json)
    }

    // MARK: Values

    mutating func value(_ text: String) {
        begin()
        quote(text)
    }

    mutating func value(utf8: UnsafeRawBufferPointer) {
        begin()
        quote(utf8)
    }

    mutating func value(_ number: some BinaryInteger) {
        begin()
        bytes.append(contentsOf: number.description.utf8)
    }

    mutating func value(_ flag: Bool) {
        begin()
        bytes.append(contentsOf: flag ? "true".utf8 : "false".utf8)
    }

    /// JSON has no NaN and no infinities: they are strings.
    mutating func value<F: BinaryFloatingPoint & CustomStringConvertible>(float: F) {
        if float.isFinite {
            begin()
            bytes.append(contentsOf: float.description.utf8)
        } else {
            value(float.isNaN ? "NaN" : float < 0 ? "-Infinity" : "Infinity")
        }
    }

    mutating func null() {
        begin()
        bytes.append(contentsOf: "null".utf8)
    }

    // MARK: Members

    mutating func member(_ name: String, _ text: String?) {
        self.name(name)
        if let text { value(text) } else { null() }
    }

    mutating func member(_ name: String, _ number: (some BinaryInteger)?) {
        self.name(name)
        if let number { value(number) } else { null() }
    }

    mutating func member(_ name: String, _ flag: Bool) {
        self.name(name)
        value(flag)
    }

    /// A time in nanoseconds since 1970.
    mutating func member(_ name: String, time: Int64?) {
        member(name, time.map(Moment.text))
    }

    mutating func member(_ name: String, object body: (inout JSONText) throws -> Void) rethrows {
        self.name(name)
        try object(body)
    }

    // MARK: Parts

    private mutating func begin() {
        if isNamed { isNamed = false } else { separate() }
    }

    /// Before an element or a name: the comma, and in documents a new line.
    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        if isIndented, depth > 0 { newLine() }
        needsComma = true
    }

    private mutating func open(_ bracket: Unicode.Scalar) {
        begin()
        bytes.append(UInt8(ascii: bracket))
        depth += 1
        needsComma = false
    }

    private mutating func close(_ bracket: Unicode.Scalar) {
        depth -= 1
        if isIndented, needsComma { newLine() }
        bytes.append(UInt8(ascii: bracket))
        needsComma = true
    }

    private mutating func newLine() {
        bytes.append(UInt8(ascii: "\n"))
        for _ in 0..<depth { bytes.append(contentsOf: "  ".utf8) }
    }

    private mutating func quote(_ text: String) {
        var text = text
        text.withUTF8 { quote(UnsafeRawBufferPointer($0)) }
    }

    private mutating func quote(_ utf8: UnsafeRawBufferPointer) {
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        var index = 0
        while index < utf8.count {
            let byte = utf8[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F {
                bytes.append(contentsOf: utf8[start..<index])
                escape(byte)
                start = index + 1
            } else if byte > 0x7F, let (code, length) = Self.control(utf8[index...]) {
                bytes.append(contentsOf: utf8[start..<index])
                escape(code)
                start = index + length
                index = start
                continue
            }
            index += 1
        }
        bytes.append(contentsOf: utf8[start...])
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
        case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
        case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
        case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
        default: escape(UInt16(byte))
        }
    }

    private mutating func escape(_ code: UInt16) {
        let digits = String(code, radix: 16)
        bytes.append(contentsOf: #"\u"#.utf8)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.count))
        bytes.append(contentsOf: digits.utf8)
    }

    /// The character with which the bytes begin, and its length, if it is one beyond ASCII that could play tricks on a
    /// terminal. JSON may hold it as it is; whoever looks at the JSON must not pay for that.
    private static func control(_ utf8: Slice<UnsafeRawBufferPointer>) -> (code: UInt16, length: Int)? {
        let lead = utf8[utf8.startIndex]
        // All of them begin with one of these.
        guard lead == 0xC2 || lead == 0xD8 || lead == 0xE2 else { return nil }
        let length = lead == 0xE2 ? 3 : 2
        guard utf8.count >= length else { return nil }
        var code = UInt32(lead) & (length == 3 ? 0x0F : 0x1F)
        for byte in utf8.dropFirst().prefix(length - 1) { code = code << 6 | UInt32(byte & 0x3F) }
        guard let scalar = Unicode.Scalar(code), Shown.isControl(scalar) else { return nil }
        return (UInt16(code), length)
    }
}
