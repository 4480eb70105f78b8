/// Which types of a schema inherit from which, by table number.
///
/// Every type has a table of its own. A link to a type may lead to any of its subtypes, and their pages have the columns of the
/// supertype where its own have them: whoever knows where a property of the supertype stands can read it in all of them.
package struct Hierarchy: Sendable {
    /// By table: the type it inherits from.
    package let parents: [Int?]
    /// By table: the type itself, then what inherits from it, directly or through others, in the order of their tables.
    package let subtypes: [[Int]]
    /// By table, for types with a primary key that others inherit or that inherit it: all types that share it. A key is unique
    /// among them.
    package let keyFamilies: [[Int]?]

    /// The schema must be valid.
    init(_ schema: Schema) {
        let numbers = Dictionary(uniqueKeysWithValues: schema.types.enumerated().map { ($1.name, $0) })
        let parents = schema.types.map { $0.superclass.flatMap { numbers[$0] } }
        var subtypes = parents.indices.map { [$0] }
        for table in parents.indices {
            var ancestor = parents[table]
            while let here = ancestor {
                subtypes[here].append(table)
                ancestor = parents[here]
            }
        }
        self.parents = parents
        self.subtypes = subtypes
        let hasKey = schema.types.map { $0.primaryKey != nil }
        keyFamilies = parents.indices.map { table in
            guard hasKey[table] else { return nil }
            var top = table
            while let parent = parents[top], hasKey[parent] { top = parent }
            return subtypes[top].count > 1 ? subtypes[top] : nil
        }
    }

    /// The type itself and what it inherits from, nearest first.
    package func supertypes(of table: Int) -> [Int] {
        var result = [table]
        while let parent = parents[result[result.count - 1]] { result.append(parent) }
        return result
    }

    /// By table: of how many types the one at the top of its hierarchy is a supertype, itself included. No query that finds
    /// objects of the table goes over more tables.
    var widths: [Int] {
        var widths = [Int](repeating: 0, count: parents.count)
        for table in fromTheTop { widths[table] = parents[table].map { widths[$0] } ?? subtypes[table].count }
        return widths
    }

    /// Whether the objects of one table are objects of another one's type.
    package func isSubtype(_ table: Int, of supertype: Int) -> Bool {
        var current: Int? = table < parents.count ? table : nil
        while let here = current {
            if here == supertype { return true }
            current = parents[here]
        }
        return false
    }

    /// Whether some object can be of both types.
    package func areRelated(_ a: Int, _ b: Int) -> Bool { isSubtype(a, of: b) || isSubtype(b, of: a) }

    /// All tables, supertypes before what inherits from them.
    var fromTheTop: [Int] {
        var depths = [Int?](repeating: nil, count: parents.count)
        for table in parents.indices {
            var way: [Int] = []
            var next: Int? = table
            while let here = next, depths[here] == nil {
                way.append(here)
                next = parents[here]
            }
            var depth = next.flatMap { depths[$0] } ?? 0
            for here in way.reversed() {
                depth += 1
                depths[here] = depth
            }
        }
        return parents.indices.sorted { (depths[$0] ?? 0, $0) < (depths[$1] ?? 0, $1) }
    }
}

extension GraphView {
    /// The object that has a key, among all types that share it. O(1) expected, for each of them.
    package func findInFamily(_ table: Int, key: Value) -> ObjectID? {
        for other in layout.hierarchy.keyFamilies[table] ?? [table] {
            if let found = find(other, key: key) { return found }
        }
        return nil
    }
}
