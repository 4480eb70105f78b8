/// How many elements of a collection are shown: objects print longer than values.
enum DescriptionLimit {
    static let values = 100
    static let objects = 10

    static func of<Element: CollectionValue>(_ type: Element.Type) -> Int {
        type._$elementType.kind.isLink ? objects : values
    }
}

/// A collection as an array prints, as far as the limit.
func describe<S: Sequence>(
    _ elements: S, count: Int, limit: Int, empty: String = "", _ print: (S.Element) -> String
) -> String {
    var parts = elements.prefix(limit).map(print)
    if count > limit { parts.append("… \(count - limit) more") }
    return "[" + (parts.isEmpty ? empty : parts.joined(separator: ", ")) + "]"
}

/// The same of elements that all have one type.
func describe<S: Sequence>(_ elements: S, count: Int) -> String where S.Element: CollectionValue {
    describe(elements, count: count, limit: DescriptionLimit.of(S.Element.self)) { String(reflecting: $0) }
}

extension List: CustomStringConvertible {
    /// As an array prints: up to a hundred values, or ten objects.
    public var description: String { describe(self, count: count) }
}

extension MutableSet: CustomStringConvertible {
    /// As an array prints: up to a hundred values, or ten objects.
    public var description: String { describe(self, count: count) }
}

extension Map: CustomStringConvertible {
    /// As a dictionary prints: up to a hundred entries, or ten objects.
    public var description: String {
        describe(self, count: count, limit: DescriptionLimit.of(Value.self), empty: ":") {
            "\(String(reflecting: $0.key)): \(String(reflecting: $0.value))"
        }
    }
}
