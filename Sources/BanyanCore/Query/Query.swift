/// Which objects of one type, in which order, and how many of them.
package struct Query: Sendable, Hashable {
    /// The type's stored name.
    package var type: String
    package var predicate: Predicate
    /// The first decides, the next among equals, and so on; objects that are equal in all of them, and all objects of a
    /// query without any, come in the order of their slots (where there are several types, of their members: see `TableSpan`).
    package var sort: [SortKey]
    /// The most objects there may be; nil for all.
    package var limit: Int?
    /// How many objects are left out in front.
    package var offset: Int
    /// Whether objects of types that inherit from this one are among them.
    package var includesSubtypes = true
    /// Of objects that have the same values in all of these the first in order is kept. Comes before limit and offset.
    package var distinct: [PropertyPath] = []

    package init(
        _ type: String, _ predicate: Predicate = .constant(true), sort: [SortKey] = [], limit: Int? = nil,
        offset: Int = 0
    ) {
        self.type = type
        self.predicate = predicate
        self.sort = sort
        self.limit = limit
        self.offset = offset
    }
}

/// What to sort by: a path through to-one links to a value, or an aggregate. Nil comes first, last when descending.
package struct SortKey: Sendable, Hashable {
    package var operand: Operand
    package var isAscending: Bool

    package init(_ operand: Operand, ascending: Bool = true) {
        self.operand = operand
        isAscending = ascending
    }

    package init(_ path: PropertyPath, ascending: Bool = true) {
        self.init(.path(path), ascending: ascending)
    }

    /// By names, separated by dots, the last of which may be an aggregate of the values before it: `dogs.age.@max`.
    package init(keyPath: String, ascending: Bool = true) {
        guard let at = keyPath.firstRange(of: ".@"), let aggregate = Aggregate.named(String(keyPath[at.upperBound...]))
        else {
            self.init(PropertyPath(keyPath), ascending: ascending)
            return
        }
        self.init(.aggregate(aggregate, PropertyPath(String(keyPath[..<at.lowerBound]))), ascending: ascending)
    }
}

extension Query: CustomStringConvertible {
    /// The predicate and what follows it, in the string language; the type is not part of that.
    package var description: String {
        var text = predicate.description
        if !sort.isEmpty { text += " SORT(" + sort.map(\.description).joined(separator: ", ") + ")" }
        if let limit { text += " LIMIT(\(limit))" }
        if offset > 0 { text += " OFFSET(\(offset))" }
        return text
    }
}

extension SortKey: CustomStringConvertible {
    package var description: String { "\(operand) \(isAscending ? "ASC" : "DESC")" }
}
