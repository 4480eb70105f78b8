/// A collection as an array prints, up to a hundred elements.
func describe<S: Sequence>(_ elements: S, count: Int, empty: String = "", _ print: (S.Element) -> String) -> String {
    let limit = 100
    var parts = elements.prefix(limit).map(print)
    if count > limit { parts.append("… \(count - limit) more") }
    return "[" + (parts.isEmpty ? empty : parts.joined(separator: ", ")) + "]"
}
