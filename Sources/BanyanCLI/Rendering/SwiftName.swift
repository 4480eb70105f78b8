/// Names from a file as names in Swift.
enum SwiftName {
    /// What a class is called: the text itself where it is an identifier, in backticks where it is a word of the language, else
    /// something that resembles it.
    static func type(_ text: String) -> String {
        guard isIdentifier(text) else { return made(text) }
        return keywords.contains(text) ? "`\(text)`" : text
    }

    /// What a property is called.
    static func property(_ text: String) -> String { members.contains(text) ? text + "_" : type(text) }

    static func keepsItsName(type text: String) -> Bool { bare(type(text)) == text }
    static func keepsItsName(property text: String) -> Bool { bare(property(text)) == text }

    /// A name that none of the others has, to which it is added.
    static func unique(_ name: String, among taken: inout Set<String>) -> String {
        var result = name
        var number = 1
        while !taken.insert(bare(result)).inserted {
            number += 1
            result = "\(bare(name))_\(number)"
        }
        return result
    }

    /// Without backticks.
    static func bare(_ name: String) -> String {
        name.hasPrefix("`") ? String(name.dropFirst().dropLast()) : name
    }

    /// A string literal.
    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case _ where Shown.isControl(scalar): literal += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    private static func isIdentifier(_ text: String) -> Bool {
        guard let head = text.unicodeScalars.first, isHead(head) else { return false }
        return text.unicodeScalars.allSatisfy(isPart) && text.contains { $0 != "_" }
    }

    private static func made(_ text: String) -> String {
        var name = ""
        for scalar in text.unicodeScalars {
            if name.isEmpty, !isHead(scalar), isPart(scalar) { name = "_" }
            name.unicodeScalars.append(isPart(scalar) ? scalar : "_")
        }
        return name.contains { $0 != "_" } ? name : name + "unnamed"
    }

    private static func isHead(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x36F, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: false
        default: isPart(scalar) && !("0"..."9").contains(scalar)
        }
    }

    /// As the grammar of Swift has it, without what a terminal would obey.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        if Shown.isControl(scalar) { return false }
        return switch scalar.value {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A,
            0xA8, 0xAA, 0xAD, 0xAF, 0xB2...0xB5, 0xB7...0xBA, 0xBC...0xBE, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x167F,
            0x1681...0x180D, 0x180F...0x1FFF, 0x200C...0x200D, 0x203F...0x2040, 0x2054, 0x2070...0x218F,
            0x2460...0x24FF, 0x2776...0x2793, 0x2C00...0x2DFF, 0x2E80...0x2FFF, 0x3004...0x3007, 0x3021...0x302F,
            0x3031...0xD7FF, 0xF900...0xFD3D, 0xFD40...0xFDCF, 0xFDF0...0xFE44, 0xFE47...0xFEFE, 0xFF00...0xFFFD:
            true
        case 0x10000...0xEFFFD: scalar.value & 0xFFFF <= 0xFFFD
        default: false
        }
    }

    /// Words that no property can be called, or only where nobody asks for it.
    private static let members: Set<String> = ["init", "self", "Self", "Type", "Protocol"]

    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class", "continue",
        "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
        "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
