// Resolving paths.

extension Binder {
    func resolve(_ path: PropertyPath, from table: Int) throws(BindingProblem) -> ResolvedPath {
        guard !path.steps.isEmpty else { throw BindingProblem(path, "the path names no property") }
        guard path.steps.count <= PropertyPath.maximumCount else {
            throw BindingProblem(path, "a path of more than \(PropertyPath.maximumCount) steps")
        }
        guard path.outer <= around.count else {
            throw BindingProblem(path, "'\(path)' starts at an object that no SUBQUERY around it is about")
        }
        var way = PathInProgress(table: path.outer == 0 ? table : around[around.count - path.outer])
        for (i, step) in path.steps.enumerated() {
            switch step {
            case .property(let name): try take(name, &way, path, i)
            case .type:
                guard way.kind == .any, i == path.steps.count - 1 else {
                    throw BindingProblem(path, "@type stands at the end of a path to an AnyValue")
                }
            case .length:
                guard way.kind.form == .text, i == path.steps.count - 1 else {
                    throw BindingProblem(path, "@length stands at the end of a path to texts or data")
                }
            case .key, .first, .last, .keys, .values:
                if i > 0, case .property = path.steps[i - 1], way.isAtCollection {
                    try takeOfCollection(step, &way, path, i)
                } else if way.kind == .any {
                    try takeOfAnyValue(step, &way, path)
                } else {
                    throw notAMap(path)
                }
            }
        }
        return ResolvedPath(steps: way.steps, kind: way.kind, target: way.place, written: path)
    }

    /// How far a path is resolved.
    struct PathInProgress {
        var steps: [ResolvedPath.Step] = []
        var kind = ValueKind.object
        /// Where the next name is looked up; nil after something that is not a link.
        var place: Int?

        init(table: Int) { place = table }

        /// Whether the last step is to all that a collection or an inverse has.
        var isAtCollection: Bool { steps.last?.access == .elements || steps.last?.access == .sources }
    }

    private func take(
        _ name: String, _ way: inout PathInProgress, _ path: PropertyPath, _ i: Int
    ) throws(BindingProblem) {
        guard let here = way.place else {
            let before = path.before(i)
            throw BindingProblem(
                path, "'\(before)' is \(typeName(way.steps)), so nothing can follow it in '\(path)'",
                remedy: way.kind == .any
                    ? "Write \(before.appending(.key(.string(name)))) for the key of a dictionary" : nil)
        }
        let column = try column(named: name, of: here, in: path)
        let info = layout.tables[here].columns[column]
        if info.role == .inverseProperty {
            way.steps.append(.init(table: here, column: column, access: .sources))
            way.kind = .object
        } else {
            let access = info.isCollection ? ResolvedPath.Step.Access.elements : .single
            way.steps.append(.init(table: here, column: column, access: access))
            way.kind = info.kind
        }
        way.place = way.kind.isLink ? info.otherTable : nil
    }

    private func column(named name: String, of table: Int, in path: PropertyPath) throws(BindingProblem) -> Int {
        let type = layout.tables[table].type
        if let column = layout.tables[table].property(named: names?(type.name, name) ?? name) { return column }
        let known = layout.tables[table].names
        let near = known.min { Self.distance($0, name) < Self.distance($1, name) }
        let remedy: String
        // One slip in a short name, more in longer ones: 'age' is not meant by 'name'.
        if let near, Self.distance(near, name) <= max(1, name.count / 3) {
            remedy = "Write '\(near)' if that is meant"
        } else {
            remedy = "It has: " + known.joined(separator: ", ")
        }
        throw BindingProblem(path, "\(type.name) has no property '\(name)'", remedy: remedy)
    }

    /// How many letters must be changed, added, left out or swapped with the next one to make one name of the other, case
    /// aside.
    private static func distance(_ a: String, _ b: String) -> Int {
        let (x, y) = (Array(a.lowercased().prefix(63)), Array(b.lowercased().prefix(63)))
        var (before, last, row) = ([Int](), [Int](), Array(0...y.count))
        for i in x.indices {
            (before, last, row) = (last, row, [i + 1])
            for j in y.indices {
                var least = min(last[j] + (x[i] == y[j] ? 0 : 1), row[j] + 1, last[j + 1] + 1)
                if i > 0, j > 0, x[i] == y[j - 1], x[i - 1] == y[j] { least = min(least, before[j - 1] + 1) }
                row.append(least)
            }
        }
        return row[y.count]
    }

    /// The Swift type of what the path has come to.
    func typeName(_ steps: [ResolvedPath.Step]) -> String {
        guard let step = steps.last else { return "an object" }
        let table = layout.tables[step.table]
        if step.access == .sources {
            let source = table.columns[step.column]
            return "LinkingObjects<\(layout.tables[source.otherTable].type.name)>"
        }
        let property = table.type.properties[step.column]
        switch step.access {
        case .single, .elements: return property.typeDescription
        case .mapKeys: return "a collection of \(table.columns[step.column].element?.key?.name ?? "keys")"
        case .mapValue, .sources, .element, .lastElement, .contents:
            return property.kind == .any ? property.kind.name : (property.target ?? property.kind.name) + "?"
        }
    }

    func typeName(_ path: ResolvedPath) -> String { typeName(path.steps) }
}
