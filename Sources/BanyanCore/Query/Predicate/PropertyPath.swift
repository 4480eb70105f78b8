/// A path as it is written: property names from an object on, through links, collections and inverses.
package struct PropertyPath: Sendable, Hashable {
    package enum Step: Sendable, Hashable {
        case property(String)
        /// After a map: the value of one key, nil where there is none.
        case key(Value)
        /// After a map: its keys.
        case keys
        /// After a map: its values, which is what it stands for anyway.
        case values
    }

    package var steps: [Step]

    package init(steps: [Step]) { self.steps = steps }

    /// Property names, separated by dots.
    package init(_ names: String) {
        steps = names.split(separator: ".", omittingEmptySubsequences: false).map { .property(String($0)) }
    }

    package func appending(_ step: Step) -> PropertyPath { PropertyPath(steps: steps + [step]) }
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
            case .keys: text += ".@keys"
            case .values: text += ".@values"
            }
        }
        return text
    }
}
