import BanyanCore

extension Generator {
    /// An operation for the open transaction; nil when there is nothing to do it to.
    mutating func operation(_ world: World) -> Operation? {
        let branch = world.branch
        if mood == .wrong, chance(35), let operation = mistake(world) { return operation }
        if branch.model.objects.count < 3 { return create(branch) }
        switch mood {
        case .grow where chance(75): return create(branch)
        case .shrink where chance(60): return delete(branch)
        case .link where chance(80): return link(branch)
        case .collect where chance(85): return collect(branch)
        default: break
        }
        let isCrowded = branch.model.objects.count > profile.population
        switch draw(100) {
        case 0..<(isCrowded ? 4 : 16): return create(branch)
        case 0..<22: return delete(branch)
        case 22..<48: return setValue(branch)
        case 48..<60: return link(branch)
        case 60..<70: return embed(branch)
        case 70..<98: return collect(branch)
        case 98: return clear(branch)
        default: return touch(branch)
        }
    }

    // MARK: Drawing objects

    /// A table of top-level objects.
    private mutating func topTable() -> Int {
        if chance(profile.crowding) { return chance(50) ? RichSchema.everything : RichSchema.keyedInt }
        return switch draw(10) {
        case 0..<4: RichSchema.everything
        case 4..<6: RichSchema.collections
        default: keyedTable()
        }
    }

    private mutating func anyTable() -> Int {
        if chance(6) { return RichSchema.ticket }
        return chance(20) ? (chance(50) ? RichSchema.box : RichSchema.leaf) : topTable()
    }

    /// The place of the active branch among the populations, and a living object of a table.
    mutating func object(_ table: Int, _ branch: Branch) -> Int? {
        populations[branchIndex].draw(table, branch, &random)
    }

    private mutating func column(_ table: Int, where isWanted: (PropertySchema) -> Bool) -> Int? {
        let columns = RichSchema.schema.types[table].properties.indices.filter {
            isWanted(RichSchema.schema.types[table].properties[$0])
        }
        return columns.isEmpty ? nil : columns[draw(columns.count)]
    }

    /// A value for a property, or for an element of it.
    mutating func operand(_ property: PropertySchema, _ branch: Branch) -> Operand? {
        if property.kind == .object {
            guard let target = property.target.flatMap(RichSchema.schema.table) else { return nil }
            let subtypes = RichSchema.subtypes[target]
            return object(subtypes[draw(subtypes.count)], branch).map { .link($0) }
        }
        if property.kind == .any { return anyOperand(branch, mayNest: property.shape != .set) }
        if property.isOptional, chance(20) { return .value(.null) }
        // Values that are not to be shared mostly are not.
        return .value(ValuePool.value(property.kind, wide: property.isUnique ? 93 : 25, &random))
    }

    // MARK: Objects

    private mutating func create(_ branch: Branch) -> Operation? {
        if chance(8) { return createTicket(branch) }
        let table = topTable()
        let made = number()
        populations[branchIndex].add(made, table)
        guard let key = RichSchema.schema.types[table].primaryKey else { return .create(made, table: table, key: nil) }
        let property = RichSchema.schema.types[table].properties[key]
        let value: Value =
            property.isOptional && chance(5) ? .null : ValuePool.value(property.kind, wide: profile.keyVariety, &random)
        return .create(made, table: table, key: value)
    }

    /// A ticket with what it needs, or most of it.
    private mutating func createTicket(_ branch: Branch) -> Operation? {
        let made = number()
        let properties = RichSchema.schema.types[RichSchema.ticket].properties
        let isLacking = chance(8)
        for (column, property) in properties.enumerated() where !property.isInverse {
            guard property.isRequiredLink || property.isUnique || chance(60) else { continue }
            if isLacking, chance(30) { continue }
            guard let operand = operand(property, branch) else { return nil }
            following.append(.set(made, column: column, operand))
        }
        populations[branchIndex].add(made, RichSchema.ticket)
        return .create(made, table: RichSchema.ticket, key: nil)
    }

    private mutating func delete(_ branch: Branch) -> Operation? { object(anyTable(), branch).map { .delete($0) } }

    private mutating func setValue(_ branch: Branch) -> Operation? {
        let table = chance(60) ? RichSchema.everything : anyTable()
        let isAny = chance(15)
        guard let target = object(table, branch),
            let column = column(
                table,
                where: {
                    $0.shape == .single && !$0.kind.isLink && !$0.isPrimaryKey && (!isAny || $0.kind == .any)
                })
        else { return nil }
        let property = RichSchema.schema.types[table].properties[column]
        // Setting what is there is no change.
        if chance(8), let id = branch.ids[target], case .single(let value)? = branch.model[id, column] {
            return .set(target, column: column, .value(value))
        }
        return operand(property, branch).map { .set(target, column: column, $0) }
    }

    private mutating func link(_ branch: Branch) -> Operation? {
        let table = anyTable()
        guard let source = object(table, branch),
            let column = column(table, where: { $0.shape == .single && $0.kind.isLink })
        else { return nil }
        let property = RichSchema.schema.types[table].properties[column]
        if chance(15) { return .set(source, column: column, .value(.null)) }
        if property.kind == .embedded {
            let made = number()
            populations[branchIndex].add(made, property.target.flatMap(RichSchema.schema.table) ?? RichSchema.box)
            return .embed([made], owner: source, column: column, .property)
        }
        // A link to itself.
        if property.target == RichSchema.schema.types[table].name, chance(10) {
            return .set(source, column: column, .link(source))
        }
        return operand(property, branch).map { .set(source, column: column, $0) }
    }

    private mutating func touch(_ branch: Branch) -> Operation? {
        let table = anyTable()
        guard let target = object(table, branch), let column = column(table, where: { !$0.isInverse }) else {
            return nil
        }
        return .touch(target, column: column)
    }

    // MARK: Embedded objects

    private mutating func embed(_ branch: Branch) -> Operation? {
        let tables = [RichSchema.everything, RichSchema.collections, RichSchema.box, RichSchema.box]
        let table = tables[draw(4)]
        guard let owner = object(table, branch), let id = branch.ids[owner],
            let column = column(table, where: { $0.kind == .embedded })
        else { return nil }
        let property = RichSchema.schema.types[table].properties[column]
        let target = property.target.flatMap(RichSchema.schema.table) ?? RichSchema.box
        var made = [number()]
        let place: Operation.EmbeddedPlace
        switch (property.shape, branch.model[id, column]) {
        case (.list, .list(let values)):
            if !values.isEmpty, chance(25) {
                place = .listSet(at: draw(values.count))
            } else {
                if chance(25) { made.append(number()) }
                place = .listInsert(at: draw(values.count + 1))
            }
        case (.map(let key), _): place = .mapSet(key: ValuePool.value(key, &random))
        default: place = .property
        }
        for number in made { populations[branchIndex].add(number, target) }
        return .embed(made, owner: owner, column: column, place)
    }
}
