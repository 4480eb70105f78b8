// What stands in brackets in a path, and @keys.

extension Binder {
    /// Right after the name of a collection: some of what it has.
    func takeOfCollection(
        _ step: PropertyPath.Step, _ way: inout PathInProgress, _ path: PropertyPath, _ i: Int
    ) throws(BindingProblem) {
        // All of it, as without.
        if step == .values { return }
        guard let last = way.steps.last, last.access == .elements else { throw notAMap(path) }
        let property = layout.tables[last.table].columns[last.column]
        let access: ResolvedPath.Step.Access
        switch (property.shape, step) {
        case (.map(let key), .keys):
            access = .mapKeys
            way.kind = key
            way.place = nil
        case (.map(let key), .key(let value)):
            guard let value = converted(value, to: key) else {
                throw BindingProblem(path, "the keys of '\(path.before(i))' are \(key.name)")
            }
            access = .mapValue(key: value)
        case (.list, .key(.string)):
            let all = path.before(i).appending(.values).appending(step)
            throw BindingProblem(
                path, "'\(path.before(i))' is \(typeName(way.steps)), whose elements are found by index",
                remedy: way.kind == .any ? "Write \(all) to look into each of them" : nil)
        case (.list, .key), (.list, .first), (.list, .last): access = try element(step, path)
        default: throw notAMap(path)
        }
        way.steps[way.steps.count - 1].access = access
    }

    /// After an AnyValue: some of what the list or the dictionary in it has.
    func takeOfAnyValue(
        _ step: PropertyPath.Step, _ way: inout PathInProgress, _ path: PropertyPath
    ) throws(BindingProblem) {
        guard let table = layout.nestedTable else {
            throw BindingProblem(path, "the AnyValues of this schema hold no lists and dictionaries")
        }
        let column: Int
        let access: ResolvedPath.Step.Access
        switch step {
        case .keys:
            (column, access) = (NestedValues.dictionaryColumn, .mapKeys)
            way.kind = .string
        case .values: (column, access) = (NestedValues.listColumn, .contents)
        case .key(.string(let key)): (column, access) = (NestedValues.dictionaryColumn, .mapValue(key: .string(key)))
        default: (column, access) = (NestedValues.listColumn, try element(step, path))
        }
        way.steps.append(.init(table: table, column: column, access: access))
    }

    /// A path that ends in AnyValues, and what is in them.
    func contents(of path: ResolvedPath) -> ResolvedPath? {
        guard path.kind == .any, !path.asksForType, let table = layout.nestedTable else { return nil }
        let step = ResolvedPath.Step(table: table, column: NestedValues.listColumn, access: .contents)
        return ResolvedPath(steps: path.steps + [step], kind: .any, target: nil, written: path.written)
    }

    private func element(
        _ step: PropertyPath.Step, _ path: PropertyPath
    ) throws(BindingProblem) -> ResolvedPath.Step.Access {
        switch step {
        case .first: return .element(0)
        case .last: return .lastElement
        case .key(.int(let index)):
            guard index >= 0 else {
                throw BindingProblem(
                    path, "an index in '\(path)' is below 0", remedy: "Write [LAST] for the last element")
            }
            return .element(Int(index))
        case .key(let key):
            throw BindingProblem(path, "\(Literal.text(of: key)) in '\(path)' is neither a key nor an index")
        default: throw notAMap(path)
        }
    }

    func notAMap(_ path: PropertyPath) -> BindingProblem {
        BindingProblem(path, "'\(path)' asks for the keys of something that is not a map")
    }

    private func converted(_ key: Value, to kind: ValueKind) -> Value? {
        if case .string(let text) = key { return Literal.value(of: text, as: kind) }
        return key.cell(as: kind) == nil ? nil : key
    }
}

extension PropertyPath {
    /// The part before one of its steps.
    func before(_ i: Int) -> PropertyPath { PropertyPath(steps: Array(steps[..<i]), outer: outer) }
}
