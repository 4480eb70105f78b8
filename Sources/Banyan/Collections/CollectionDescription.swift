/// A collection as an array prints, up to a hundred elements.
func describe<S: Sequence>(_ elements: S, count: Int, empty: String = "", _ print: (S.Element) -> String) -> String {
    let limit = 100
    var parts = elements.prefix(limit).map(print)
    if count > limit { parts.append("… \(count - limit) more") }
    return "[" + (parts.isEmpty ? empty : parts.joined(separator: ", ")) + "]"
}

/// An element as it prints within a collection.
///
/// - Parameter depth: how many collections it is in. Those of AnyValues may be nested without end, or in themselves, as long as
///   no graph manages them: what goes too deep is an ellipsis.
func describeElement<Element>(_ element: Element, depth: Int) -> String {
    guard Element.self == AnyValue.self, let value = element as? AnyValue else { return String(reflecting: element) }
    let deepest = 100
    switch value {
    case .list(let list): return depth < deepest ? list.text(depth: depth) : "[…]"
    case .dictionary(let map): return depth < deepest ? map.text(depth: depth) : "[…]"
    default: return String(reflecting: value)
    }
}

extension List {
    fileprivate func text(depth: Int) -> String {
        describe(self, count: count) { describeElement($0, depth: depth + 1) }
    }
}

extension Map {
    fileprivate func text(depth: Int) -> String {
        describe(self, count: count, empty: ":") {
            "\(String(reflecting: $0.key)): \(describeElement($0.value, depth: depth + 1))"
        }
    }
}

extension List: CustomStringConvertible {
    /// As an array prints, up to a hundred elements.
    public var description: String { text(depth: 0) }
}

extension Map: CustomStringConvertible {
    /// As a dictionary prints, up to a hundred entries.
    public var description: String { text(depth: 0) }
}

extension MutableSet: CustomStringConvertible {
    /// As an array prints, up to a hundred elements.
    public var description: String { describe(self, count: count) { describeElement($0, depth: 1) } }
}
