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
        scalar == "_" || (scalar.isASCII ? scalar.properties.isAlphabetic : scalar.properties.isXIDStart)
    }

    static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        isStart(scalar) || ("0"..."9").contains(scalar) || (!scalar.isASCII && scalar.properties.isXIDContinue)
    }
}
