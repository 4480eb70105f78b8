/// What stands for the placeholders of a query's text: values and paths, never text of the language.
package struct QueryArguments: Sendable {
    package enum Argument: Sendable {
        /// A value, several, or a path.
        case operand(Operand)
        /// What no query can use, and why; told where the argument is used.
        case unusable(String)
    }

    /// For each `%@` and `%K`, in order.
    package var values: [Argument]
    /// For each `$name`.
    package var named: [String: Argument]

    package init(_ values: [Argument] = [], named: [String: Argument] = [:]) {
        self.values = values
        self.named = named
    }
}
