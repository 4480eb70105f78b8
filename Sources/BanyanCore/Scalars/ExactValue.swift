/// A value by its bits and bytes: texts that look the same may be two keys of a map.
package struct ExactValue: Hashable {
    package let value: Value

    package init(value: Value) { self.value = value }

    package static func == (a: ExactValue, b: ExactValue) -> Bool { a.value.isIdentical(to: b.value) }
    package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
