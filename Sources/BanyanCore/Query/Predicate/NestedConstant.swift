/// A list or a dictionary of AnyValues as a constant of a query, which is equal to what has the same in it.
package indirect enum NestedConstant: Sendable, Hashable {
    /// What is in it: a scalar, nil, an object.
    case value(Value)
    case list([NestedConstant])
    case dictionary([String: NestedConstant])
}

extension NestedConstant: CustomStringConvertible {
    /// For explanations and errors; the language has no form for it.
    package var description: String {
        switch self {
        case .value(let value): Literal.text(of: value)
        case .list(let elements): "[" + elements.map(\.description).joined(separator: ", ") + "]"
        case .dictionary(let entries):
            entries.isEmpty
                ? "[:]"
                : "["
                    + entries.sorted { $0.key < $1.key }.map { "\(Literal.quoted($0.key)): \($0.value)" }
                    .joined(separator: ", ") + "]"
        }
    }
}
