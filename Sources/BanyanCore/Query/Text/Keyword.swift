/// The words of the string language, recognised in any case, and how a property that has the name of one is written:
/// `#in`.
enum Keyword: String, CaseIterable {
    case and, or, not, any, some, all, none, between, beginswith, endswith, contains, like, matches
    case `in`
    case `true`, `false`, yes, no, `nil`, null, inf, infinity, nan
    case truepredicate, falsepredicate, subquery, sort, limit, offset, ascending, descending, asc, desc

    init?(_ word: String) { self.init(rawValue: word.lowercased()) }

    /// A property name as a path spells it.
    static func escaped(_ name: String) -> String {
        guard let first = name.unicodeScalars.first, isStart(first), name.unicodeScalars.allSatisfy(isPart) else {
            return "#" + Literal.quoted(name)
        }
        return Keyword(name) == nil ? name : "#" + name
    }

    static func isStart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar == "_" || scalar.properties.isAlphabetic }
        return scalar.properties.isXIDStart || heads.contains { $0.contains(scalar.value) }
    }

    static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        isStart(scalar) || ("0"..."9").contains(scalar) || (!scalar.isASCII && scalar.properties.isXIDContinue)
    }

    /// What names in Swift begin with beside letters: symbols, emoji, and what joins and tints those.
    private static let heads: [ClosedRange<UInt32>] = [
        0xA8...0xA8, 0xAA...0xAA, 0xAD...0xAD, 0xAF...0xAF, 0xB2...0xB5, 0xB7...0xBA, 0xBC...0xBE, 0x200B...0x200D,
        0x202A...0x202E, 0x203F...0x2040, 0x2054...0x2054, 0x2060...0x206F, 0x2070...0x20CF, 0x2100...0x218F,
        0x2460...0x24FF, 0x2776...0x2793, 0x2C00...0x2DFF, 0x2E80...0x2FFF, 0x3004...0x3007, 0x3021...0x302F,
        0x3031...0x303F, 0xFE00...0xFE0F, 0x1_0000...0x1_FFFD,
    ]
}
