import BanyanCore

// Taking back an earlier commit: only if what it left is there still, and as it left it.

extension Model {
    /// Takes a commit back.
    ///
    /// - Parameter revived: the ids under which the graph made the objects again that the commit deleted.
    mutating func undo(_ commit: KeptCommit, revived: [ObjectID: ObjectID]) -> Outcome {
        if commit.isForeign { return Outcome(thrown: .foreignObject) }
        if hasConflict(commit) { return Outcome(thrown: .conflict) }
        remove(commit.created)
        let refs = Dictionary(uniqueKeysWithValues: revived.map { ($0.key.ref, $0.value.ref) })
        for old in commit.deleted {
            guard let new = revived[old], let object = commit.before.objects[old] else { continue }
            insert(new, key: Self.schema(Int(old.table)).primaryKey.flatMap { object.properties[$0].single })
            for column in object.properties.indices where !Self.property(old, column).isInverse {
                restore(new, column, object.properties[column].relinked(refs))
            }
        }
        for (id, columns) in commit.modified {
            for column in columns {
                if let property = commit.before[id, column] { restore(id, column, property.relinked(refs)) }
            }
        }
        return Outcome()
    }

    private mutating func restore(_ id: ObjectID, _ column: Int, _ property: Property) {
        if ChangeSetComparison.differs(self[id, column], property) { set(id, column, property) }
    }

    // MARK: Conflicts

    private func hasConflict(_ commit: KeptCommit) -> Bool {
        let (now, then) = commit.created.isEmpty ? ([], []) : (inverses(), commit.after.inverses())
        for id in commit.created {
            guard let object = objects[id] else { return true }
            for column in object.properties.indices where !isUnchanged(id, column, since: commit) { return true }
            for link in Self.linkColumns.indices {
                if sources(id, now[link]) != commit.after.sources(id, then[link]) { return true }
            }
        }
        for (id, columns) in commit.modified {
            guard contains(id) else { return true }
            for column in columns where !isUnchanged(id, column, since: commit) { return true }
            for column in columns where !hasTargets(id, column, commit) { return true }
        }
        for id in commit.deleted {
            let type = Self.schema(Int(id.table))
            if let column = type.primaryKey, let key = commit.before[id, column]?.single,
                let other = find(Int(id.table), key: key), !commit.created.contains(other)
            {
                return true
            }
            for column in type.properties.indices where !hasTargets(id, column, commit) { return true }
        }
        return false
    }

    /// Whether a property is as a commit left it: with the same values, and links to the same objects.
    private func isUnchanged(_ id: ObjectID, _ column: Int, since commit: KeptCommit) -> Bool {
        guard let now = self[id, column], let then = commit.after[id, column] else { return false }
        return !ChangeSetComparison.differs(then, now)
            && Self.targets(now).map { live[$0] } == Self.targets(then).map { commit.after.live[$0] }
    }

    /// Whether everything that an old value links to is there, or comes back.
    private func hasTargets(_ id: ObjectID, _ column: Int, _ commit: KeptCommit) -> Bool {
        guard let property = commit.before[id, column] else { return false }
        return Self.targets(property).allSatisfy { ref in
            guard let target = commit.before.live[ref] else { return false }
            return contains(target) || commit.deleted.contains(target)
        }
    }

    private func sources(_ id: ObjectID, _ inverses: [ObjectRef: [ObjectRef: Int]]) -> [ObjectID?: Int] {
        var result: [ObjectID?: Int] = [:]
        for (source, times) in inverses[id.ref] ?? [:] { result[live[source], default: 0] += times }
        return result
    }
}

extension Model.Property {
    var single: Value? { if case .single(let value) = self { value } else { nil } }

    /// With links to other objects in place of some; sets are in order.
    func relinked(_ refs: [ObjectRef: ObjectRef]) -> Self {
        func new(_ value: Value) -> Value {
            guard let ref = value.link.flatMap({ refs[$0] }) else { return value }
            return switch value {
            case .list: .list(ref)
            case .dictionary: .dictionary(ref)
            default: .object(ref)
            }
        }
        return switch self {
        case .single(let value): .single(new(value))
        case .list(let values): .list(values.map(new))
        case .set(let values): .set(values.map(new).sorted { $0.compare($1) < 0 })
        case .map(let entries): .map(entries.map { Model.Entry(key: $0.key, value: new($0.value)) })
        case .inverse: .inverse
        }
    }
}
