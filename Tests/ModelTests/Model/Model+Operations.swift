import BanyanCore

/// What an operation should answer.
struct Outcome {
    /// Any of these may be the fault; none means that there is to be no fault.
    var faults: Set<BanyanError.Code> = []
    /// What it is to throw, without failing the transaction.
    var thrown: BanyanError.Code?
    /// What it is to return, where it returns something.
    var answer: Bool?

    var succeeds: Bool { faults.isEmpty && thrown == nil }
}

// Every operation finds out what can be wrong with it before it does anything; one that fails does nothing.

extension Model {
    /// What creating an object should give. It is `insert` that makes it, once its id is known.
    func creation(_ table: Int, key: Value?) -> Outcome {
        guard let column = Self.schema(table).primaryKey, let key else { return Outcome() }
        let property = Self.schema(table).properties[column]
        guard key.fits(property.kind, isOptional: property.isOptional) else {
            return Outcome(faults: [.invalidValue], thrown: .invalidValue)
        }
        return Outcome(thrown: find(table, key: key) == nil ? nil : .duplicateKey)
    }

    /// Whether a link may lead there from a property.
    private func faults(linking value: Value, _ property: PropertySchema, of id: ObjectID) -> Set<BanyanError.Code> {
        guard let ref = value.link else { return [] }
        if property.kind == .any { return faults(linkingAny: value, ref, property, of: id) }
        guard live[ref] != nil, let target = property.target.flatMap(RichSchema.schema.table),
            RichSchema.isSubtype(ref.table, of: target)
        else { return [.invalidatedObject] }
        return property.kind == .embedded && !holders(of: ref).isEmpty ? [.secondOwner] : []
    }

    private func faults(
        linkingAny value: Value, _ ref: ObjectRef, _ property: PropertySchema, of id: ObjectID
    ) -> Set<BanyanError.Code> {
        let isNested = value.nested != nil
        guard live[ref] != nil, RichSchema.mayBeInAny(ref.table), isNested == (ref.table == RichSchema.nested) else {
            return [.invalidatedObject]
        }
        guard isNested else { return [] }
        if property.shape == .set { return [.invalidValue] }
        if !holders(of: ref).isEmpty { return [.secondOwner] }
        return nestingDepth(id) + nestingHeight(ref) > 100 ? [.limit] : []
    }

    private func faults(
        _ id: ObjectID, _ column: Int, _ value: Value? = nil, nullable: Bool = false, key: Value? = nil
    ) -> Set<BanyanError.Code> {
        var result: Set<BanyanError.Code> = contains(id) ? [] : [.invalidatedObject]
        let property = Self.property(id, column)
        if let value, !value.fits(property.kind, isOptional: property.isOptional || nullable) {
            result.insert(.invalidValue)
        }
        if let key, case .map(let kind) = property.shape, !key.fits(kind, isOptional: false) {
            result.insert(.invalidValue)
        }
        return result
    }

    /// Embedded objects that nobody holds any more go, and lists and dictionaries of AnyValues.
    private mutating func release(_ values: [Value], _ property: PropertySchema) {
        for ref in values.compactMap({ $0.owned(by: property.kind) }) { if let id = live[ref] { delete(id) } }
    }

    mutating func set(_ id: ObjectID, _ column: Int, to value: Value) -> Outcome {
        let property = Self.property(id, column)
        var faults = faults(id, column, value, nullable: property.kind.isLink)
        guard faults.isEmpty, case .single(let old)? = self[id, column] else { return Outcome(faults: faults) }
        if old.isIdentical(to: value) { return Outcome() }
        if property.isPrimaryKey { return Outcome(faults: [.primaryKeyChanged]) }
        faults = self.faults(linking: value, property, of: id)
        guard faults.isEmpty else { return Outcome(faults: faults) }
        set(id, column, .single(value))
        release([old], property)
        return Outcome()
    }

    // MARK: Lists

    private func list(_ id: ObjectID, _ column: Int) -> [Value] {
        if case .list(let values)? = self[id, column] { values } else { [] }
    }

    mutating func listInsert(_ id: ObjectID, _ column: Int, at index: Int, _ values: [Value]) -> Outcome {
        let property = Self.property(id, column)
        var list = list(id, column)
        var faults = faults(id, column)
        for value in values { faults.formUnion(self.faults(id, column, value)) }
        if index < 0 || index > list.count { faults.insert(.outOfBounds) }
        if faults.isEmpty {
            for value in values { faults.formUnion(self.faults(linking: value, property, of: id)) }
            let owned = values.compactMap { $0.owned(by: property.kind) }
            if Set(owned).count < owned.count { faults.insert(.secondOwner) }
        }
        guard faults.isEmpty else { return Outcome(faults: faults) }
        if values.isEmpty { return Outcome() }
        list.insert(contentsOf: values, at: index)
        set(id, column, .list(list))
        return Outcome()
    }

    mutating func listRemove(_ id: ObjectID, _ column: Int, _ range: Range<Int>) -> Outcome {
        var list = list(id, column)
        var faults = faults(id, column)
        if range.lowerBound < 0 || range.upperBound > list.count { faults.insert(.outOfBounds) }
        guard faults.isEmpty, !range.isEmpty else { return Outcome(faults: faults) }
        let removed = Array(list[range])
        list.removeSubrange(range)
        set(id, column, .list(list))
        release(removed, Self.property(id, column))
        return Outcome()
    }

    mutating func listSet(_ id: ObjectID, _ column: Int, at index: Int, _ value: Value) -> Outcome {
        let property = Self.property(id, column)
        var list = list(id, column)
        var faults = faults(id, column, value)
        if index < 0 || index >= list.count { faults.insert(.outOfBounds) }
        guard faults.isEmpty else { return Outcome(faults: faults) }
        let old = list[index]
        if old.isIdentical(to: value) { return Outcome() }
        faults = self.faults(linking: value, property, of: id)
        guard faults.isEmpty else { return Outcome(faults: faults) }
        list[index] = value
        set(id, column, .list(list))
        release([old], property)
        return Outcome()
    }

    mutating func listMove(_ id: ObjectID, _ column: Int, from source: Int, to target: Int) -> Outcome {
        var list = list(id, column)
        var faults = faults(id, column)
        if !list.indices.contains(source) || !list.indices.contains(target) { faults.insert(.outOfBounds) }
        guard faults.isEmpty, source != target else { return Outcome(faults: faults) }
        list.insert(list.remove(at: source), at: target)
        set(id, column, .list(list))
        return Outcome()
    }

    // MARK: Sets and maps

    private func set(_ id: ObjectID, _ column: Int) -> [Value] {
        if case .set(let values)? = self[id, column] { values } else { [] }
    }

    private func map(_ id: ObjectID, _ column: Int) -> [Entry] {
        if case .map(let entries)? = self[id, column] { entries } else { [] }
    }

    mutating func setInsert(_ id: ObjectID, _ column: Int, _ value: Value) -> Outcome {
        var values = set(id, column)
        var faults = faults(id, column, value)
        guard faults.isEmpty else { return Outcome(faults: faults, answer: false) }
        if values.contains(where: { $0.compare(value) == 0 }) { return Outcome(answer: false) }
        faults = self.faults(linking: value, Self.property(id, column), of: id)
        guard faults.isEmpty else { return Outcome(faults: faults, answer: false) }
        values.insert(value, at: values.firstIndex { $0.compare(value) > 0 } ?? values.count)
        set(id, column, .set(values))
        return Outcome(answer: true)
    }

    mutating func setRemove(_ id: ObjectID, _ column: Int, _ value: Value) -> Outcome {
        var values = set(id, column)
        let faults = faults(id, column, value)
        guard faults.isEmpty, let index = values.firstIndex(where: { $0.compare(value) == 0 }) else {
            return Outcome(faults: faults, answer: false)
        }
        values.remove(at: index)
        set(id, column, .set(values))
        return Outcome(answer: true)
    }

    mutating func mapSet(_ id: ObjectID, _ column: Int, key: Value, _ value: Value) -> Outcome {
        let property = Self.property(id, column)
        var entries = map(id, column)
        var faults = faults(id, column, value, nullable: property.kind.isLink, key: key)
        guard faults.isEmpty else { return Outcome(faults: faults) }
        let index = entries.firstIndex { $0.key.compare(key) == 0 }
        if let index, entries[index].value.isIdentical(to: value) { return Outcome() }
        faults = self.faults(linking: value, property, of: id)
        guard faults.isEmpty else { return Outcome(faults: faults) }
        let old = index.map { entries[$0].value }
        if let index {
            entries[index].value = value
        } else {
            entries.insert(
                Entry(key: key, value: value), at: entries.firstIndex { $0.key.compare(key) > 0 } ?? entries.count)
        }
        set(id, column, .map(entries))
        if let old { release([old], property) }
        return Outcome()
    }

    mutating func mapRemove(_ id: ObjectID, _ column: Int, key: Value) -> Outcome {
        var entries = map(id, column)
        let faults = faults(id, column, key: key)
        guard faults.isEmpty, let index = entries.firstIndex(where: { $0.key.compare(key) == 0 }) else {
            return Outcome(faults: faults, answer: false)
        }
        let old = entries.remove(at: index).value
        set(id, column, .map(entries))
        release([old], Self.property(id, column))
        return Outcome(answer: true)
    }

    mutating func removeAll(_ id: ObjectID, _ column: Int) -> Outcome {
        let faults = faults(id, column)
        guard faults.isEmpty, let property = self[id, column] else { return Outcome(faults: faults) }
        switch property {
        case .list(let values):
            guard !values.isEmpty else { return Outcome() }
            set(id, column, .list([]))
            release(values, Self.property(id, column))
        case .set(let values):
            guard !values.isEmpty else { return Outcome() }
            set(id, column, .set([]))
        case .map(let entries):
            guard !entries.isEmpty else { return Outcome() }
            set(id, column, .map([]))
            release(entries.map(\.value), Self.property(id, column))
        case .single, .inverse: break
        }
        return Outcome()
    }
}
