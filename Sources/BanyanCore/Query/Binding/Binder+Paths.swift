// Resolving paths.

extension Binder {
    func resolve(_ path: PropertyPath, from table: Int) throws(BindingProblem) -> ResolvedPath {
        guard !path.steps.isEmpty else { throw BindingProblem(path, "the path names no property") }
        var steps: [ResolvedPath.Step] = []
        var kind = ValueKind.object
        // Where the next name is looked up; nil after something that is not a link.
        var place: Int? = table
        for (i, step) in path.steps.enumerated() {
            switch step {
            case .property(let name):
                guard let here = place else {
                    let before = PropertyPath(steps: Array(path.steps[..<i]))
                    throw BindingProblem(
                        path, "'\(before)' is \(typeName(steps)), so nothing can follow it in '\(path)'")
                }
                let column = try column(named: name, of: here, in: path)
                let info = layout.tables[here].columns[column]
                if info.role == .inverseProperty {
                    steps.append(.init(table: here, column: column, access: .sources))
                    kind = .object
                } else {
                    let access = info.isCollection ? ResolvedPath.Step.Access.elements : .single
                    steps.append(.init(table: here, column: column, access: access))
                    kind = info.kind
                }
                place = kind.isLink ? info.otherTable : nil
            case .key, .keys, .values:
                guard case .property = i > 0 ? path.steps[i - 1] : step, let last = steps.last,
                    let key = layout.tables[last.table].columns[last.column].element?.key, last.access == .elements
                else { throw BindingProblem(path, "'\(path)' asks for the keys of something that is not a map") }
                switch step {
                case .keys:
                    steps[steps.count - 1].access = .mapKeys
                    kind = key
                    place = nil
                case .key(let value):
                    guard let value = converted(value, to: key) else {
                        throw BindingProblem(path, "the keys of '\(path.steps[i - 1])' are \(key.name)")
                    }
                    steps[steps.count - 1].access = .mapValue(key: value)
                default: break
                }
            }
        }
        return ResolvedPath(steps: steps, kind: kind, target: place, written: path)
    }

    private func converted(_ key: Value, to kind: ValueKind) -> Value? {
        if case .string(let text) = key { return Literal.value(of: text, as: kind) }
        return key.cell(as: kind) == nil ? nil : key
    }

    private func column(named name: String, of table: Int, in path: PropertyPath) throws(BindingProblem) -> Int {
        let type = layout.tables[table].type
        if let column = layout.tables[table].property(named: names?(type.name, name) ?? name) { return column }
        let known = layout.tables[table].names
        let near = known.min { Self.distance($0, name) < Self.distance($1, name) }
        let remedy: String
        if let near, Self.distance(near, name) <= max(2, name.count / 3) {
            remedy = "Write '\(near)' if that is meant"
        } else {
            remedy = "It has: " + known.joined(separator: ", ")
        }
        throw BindingProblem(path, "\(type.name) has no property '\(name)'", remedy: remedy)
    }

    /// How many letters must be changed, added or left out to make one name of the other, case aside.
    private static func distance(_ a: String, _ b: String) -> Int {
        let (x, y) = (Array(a.lowercased().prefix(63)), Array(b.lowercased().prefix(63)))
        var row = Array(0...y.count)
        for i in x.indices {
            var diagonal = row[0]
            row[0] = i + 1
            for j in y.indices {
                let substituted = diagonal + (x[i] == y[j] ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
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
        case .mapValue, .sources: return (property.target ?? property.kind.name) + "?"
        }
    }

    func typeName(_ path: ResolvedPath) -> String { typeName(path.steps) }
}
