import BanyanCore

extension Generator {
    /// A collection to work on: its object and column, and what it holds.
    private mutating func collection(_ branch: Branch) -> (number: Int, table: Int, column: Int, Model.Property)? {
        var table = RichSchema.collections
        if chance(25) {
            let others = [RichSchema.box, RichSchema.leaf, RichSchema.firstKeyed, RichSchema.firstKeyed + 5]
            table = others[draw(others.count)]
        } else if chance(15) {
            table = RichSchema.nested
        }
        // Mostly a few objects, so that their collections fill up.
        let few = chance(70) ? 2 : Int.max
        guard let number = populations[branchIndex].draw(table, among: few, branch, &random),
            let id = branch.ids[number]
        else { return nil }
        let properties = RichSchema.schema.types[table].properties
        var columns = properties.indices.filter { properties[$0].isCollection }
        // A few of each shape, the same ones for all objects.
        if table == RichSchema.collections, chance(profile.favourites) {
            columns = columns.filter {
                [
                    "listInt", "optionalListString", "objects", "setInt", "setString", "objectSet", "mapString",
                    "mapInt", "objectMap", "boxes", "anyList", "anySet", "anyMap",
                ].contains(properties[$0].name)
            }
        }
        if table == RichSchema.nested {
            columns = [nestedLists.contains(number) ? NestedValues.listColumn : NestedValues.dictionaryColumn]
        }
        let column = columns[draw(columns.count)]
        guard let property = branch.model[id, column] else { return nil }
        return (number, table, column, property)
    }

    mutating func collect(_ branch: Branch) -> Operation? {
        guard let (number, table, column, content) = collection(branch) else { return nil }
        let property = RichSchema.schema.types[table].properties[column]
        switch content {
        case .list(let values): return changeList(number, column, property, values, branch)
        case .set(let values): return changeSet(number, column, property, values, branch)
        case .map(let entries): return changeMap(number, column, property, entries, branch)
        case .single, .inverse: return nil
        }
    }

    mutating func clear(_ branch: Branch) -> Operation? {
        collection(branch).map { .removeAll($0.number, column: $0.column) }
    }

    // MARK: Lists

    /// Both ends more often than what is between.
    private mutating func index(_ count: Int) -> Int {
        switch draw(10) {
        case 0..<4: count
        case 4..<6: 0
        default: draw(count + 1)
        }
    }

    private mutating func changeList(
        _ number: Int, _ column: Int, _ property: PropertySchema, _ values: [Value], _ branch: Branch
    ) -> Operation? {
        let isLong = values.count > 1500
        switch values.isEmpty ? 0 : isLong ? 9 : draw(12) {
        case 0..<5: return insert(number, column, property, values, branch)
        case 5..<8:
            let at = min(index(values.count), values.count - 1)
            if chance(15), property.kind != .embedded {
                return .listSet(number, column: column, at: at, .value(values[at]))
            }
            guard property.kind != .embedded else { return insert(number, column, property, values, branch) }
            return operand(property, branch).map { .listSet(number, column: column, at: at, $0) }
        case 8..<10:
            let start = min(index(values.count), values.count - 1)
            let count = chance(70) && !isLong ? 1 : 1 + draw(values.count - start)
            return .listRemove(number, column: column, start..<min(values.count, start + count))
        default:
            return .listMove(
                number, column: column, from: draw(values.count), to: min(index(values.count), values.count - 1))
        }
    }

    private mutating func insert(
        _ number: Int, _ column: Int, _ property: PropertySchema, _ values: [Value], _ branch: Branch
    ) -> Operation? {
        let at = index(values.count)
        if property.kind == .embedded {
            let made = self.number()
            let target = property.target.flatMap(RichSchema.schema.table) ?? RichSchema.box
            populations[branchIndex].add(made, target)
            return .embed([made], owner: number, column: column, .listInsert(at: at))
        }
        let isBulk = (mood == .collect || chance(5)) && chance(profile.favourites / 4)
        let count = isBulk ? 20 + draw(300) : chance(75) ? 1 : draw(5)
        var operands: [Operand] = []
        for _ in 0..<count {
            guard let operand = operand(property, branch) else { return nil }
            operands.append(operand)
        }
        return .listInsert(number, column: column, at: at, operands)
    }

    // MARK: Sets and maps

    private mutating func changeSet(
        _ number: Int, _ column: Int, _ property: PropertySchema, _ values: [Value], _ branch: Branch
    ) -> Operation? {
        let isRemoval = chance(values.count > 800 ? 80 : 30)
        if !values.isEmpty, isRemoval || chance(10) {
            let value = values[draw(values.count)]
            return isRemoval
                ? .setRemove(number, column: column, .value(value)) : .setInsert(number, column: column, .value(value))
        }
        guard let operand = operand(property, branch) else { return nil }
        return isRemoval ? .setRemove(number, column: column, operand) : .setInsert(number, column: column, operand)
    }

    private mutating func changeMap(
        _ number: Int, _ column: Int, _ property: PropertySchema, _ entries: [Model.Entry], _ branch: Branch
    ) -> Operation? {
        guard case .map(let kind) = property.shape else { return nil }
        var key = ValuePool.value(kind, &random)
        if !entries.isEmpty, chance(40) { key = entries[draw(entries.count)].key }
        if chance(entries.count > 800 ? 80 : 30) { return .mapRemove(number, column: column, key: key) }
        if property.kind == .embedded {
            if chance(20) { return .mapSet(number, column: column, key: key, .value(.null)) }
            let made = self.number()
            let target = property.target.flatMap(RichSchema.schema.table) ?? RichSchema.box
            populations[branchIndex].add(made, target)
            return .embed([made], owner: number, column: column, .mapSet(key: key))
        }
        if property.kind == .object, chance(10) { return .mapSet(number, column: column, key: key, .value(.null)) }
        return operand(property, branch).map { .mapSet(number, column: column, key: key, $0) }
    }
}
