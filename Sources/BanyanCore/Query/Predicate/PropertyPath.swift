/// A path as it is written: property names from an object on, through links, collections and inverses.
package struct PropertyPath: Sendable, Hashable {
    package enum Step: Sendable, Hashable {
        case property(String)
        /// After a map: the value of one key; after a list: the element at an index; after an AnyValue: what the
        /// dictionary or the list in it has there. Nil where there is none.
        case key(Value)
        /// After a list, or an AnyValue that holds one: its first element, its last one. Nil where there is none.
        case first
        case last
        /// After a map, or an AnyValue that holds a dictionary: its keys.
        case keys
        /// After a collection: its elements, a map's values, which is what it stands for anyway; after an AnyValue:
        /// the elements of the list or the values of the dictionary in it.
        case values
        /// After an AnyValue, and last: what it holds. Compared with the names of types (see `AnyKind.named`).
        case type
        /// After a text or data, and last: how many characters it has, as Swift counts them, or bytes.
        case length
    }

    /// Paths of more steps are refused by binding.
    package static let maximumCount = 250

    package var steps: [Step]
    /// Inside SUBQUERY, whose object it starts at: 0 for the innermost one, 1 for the next one around it, and so on.
    package var outer = 0

    package init(steps: [Step], outer: Int = 0) {
        self.steps = steps
        self.outer = outer
    }

    /// Property names, separated by dots.
    package init(_ names: String) {
        steps = names.split(separator: ".", omittingEmptySubsequences: false).map { .property(String($0)) }
    }

    package func appending(_ step: Step) -> PropertyPath { PropertyPath(steps: steps + [step], outer: outer) }
    package func appending(_ name: String) -> PropertyPath { appending(.property(name)) }
}

extension PropertyPath: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self.init(value) }
}

extension PropertyPath: CustomStringConvertible {
    /// In the string language; names that are words of it, or not made of letters and digits, are escaped.
    package var description: String {
        var text = ""
        for step in steps {
            switch step {
            case .property(let name):
                if !text.isEmpty { text += "." }
                text += Keyword.escaped(name)
            case .key(let key): text += "[\(Literal.text(of: key))]"
            case .first: text += "[FIRST]"
            case .last: text += "[LAST]"
            case .keys: text += ".@keys"
            case .values: text += "[*]"
            case .type: text += ".@type"
            case .length: text += ".@length"
            }
        }
        return text
    }
}
