import BanyanCore

extension Generator {
    /// An operation that is to fail the transaction, or at least may.
    mutating func mistake(_ world: World) -> Operation? {
        let branch = world.branch
        switch draw(13) {
        case 0: return onGoneObject()
        case 1: return linkToGoneObject(branch)
        case 2: return outOfBounds(branch)
        case 3: return wrongKind(branch)
        case 4: return changedKey(branch)
        case 5: return secondOwner(branch)
        case 6: return ownedTwice(branch)
        case 7: return takenKey(branch)
        case 8: return linkToNothing(branch)
        case 9: return nilElement(branch)
        case 10, 11: return anyMistake(branch)
        default: return linkToOtherType(branch)
        }
    }

    private func column(_ table: Int, _ name: String) -> Int {
        RichSchema.schema.types[table].property(named: name) ?? 0
    }

    private mutating func onGoneObject() -> Operation? {
        let gone = populations[branchIndex].gone
        guard !gone.isEmpty else { return nil }
        let number = gone[draw(gone.count)]
        // Whatever its type, it has a first property; of which type it was is known to nobody here.
        return chance(30) ? .delete(number) : .set(number, column: 0, .value(.null))
    }

    private mutating func linkToGoneObject(_ branch: Branch) -> Operation? {
        let gone = populations[branchIndex].gone
        guard !gone.isEmpty, let source = object(RichSchema.everything, branch) else { return nil }
        return .set(source, column: column(RichSchema.everything, "next"), .link(gone[draw(gone.count)]))
    }

    private mutating func outOfBounds(_ branch: Branch) -> Operation? {
        guard let number = object(RichSchema.collections, branch), let id = branch.ids[number] else { return nil }
        let names = ["listInt", "optionalListString", "boxes"]
        let column = column(RichSchema.collections, names[draw(names.count)])
        guard case .list(let values)? = branch.model[id, column] else { return nil }
        let beyond = values.count + 1 + draw(3)
        let isEmbedded = Model.property(id, column).kind == .embedded
        switch draw(6) {
        case 0 where isEmbedded:
            return .embed([self.number()], owner: number, column: column, .listInsert(at: beyond))
        case 0: return .listInsert(number, column: column, at: beyond, [])
        case 1: return .listInsert(number, column: column, at: -1, [])
        case 2: return .listRemove(number, column: column, values.count..<beyond)
        case 3: return .listRemove(number, column: column, -1..<values.count)
        case 4: return .listMove(number, column: column, from: 0, to: values.count)
        default: return .listMove(number, column: column, from: -1, to: 0)
        }
    }

    private mutating func wrongKind(_ branch: Branch) -> Operation? {
        guard let number = object(RichSchema.everything, branch) else { return nil }
        let kinds = RichSchema.scalars
        let value = chance(20) ? Value.null : ValuePool.value(kinds[draw(kinds.count)], &random)
        let wide: Value = chance(20) ? .int(1 << 40) : value
        return .set(number, column: draw(kinds.count), .value(wide))
    }

    private mutating func changedKey(_ branch: Branch) -> Operation? {
        let table = keyedTable()
        guard let number = object(table, branch), let key = RichSchema.schema.types[table].primaryKey else {
            return nil
        }
        let kind = RichSchema.schema.types[table].properties[key].kind
        return .set(number, column: key, .value(ValuePool.value(kind, &random)))
    }

    private mutating func takenKey(_ branch: Branch) -> Operation? {
        let table = keyedTable()
        guard let other = object(table, branch), let id = branch.ids[other],
            let key = RichSchema.schema.types[table].primaryKey, case .single(let value)? = branch.model[id, key]
        else { return nil }
        return .create(number(), table: table, key: chance(20) ? .bool(true) : value)
    }

    private mutating func secondOwner(_ branch: Branch) -> Operation? {
        guard let owner = object(RichSchema.everything, branch), let box = object(RichSchema.box, branch) else {
            return nil
        }
        switch draw(3) {
        case 0: return .set(owner, column: column(RichSchema.everything, "box"), .link(box))
        case 1: return .set(box, column: column(RichSchema.box, "inner"), .link(box))
        default:
            guard let holder = object(RichSchema.collections, branch) else { return nil }
            return .listInsert(holder, column: column(RichSchema.collections, "boxes"), at: 0, [.link(box)])
        }
    }

    private mutating func ownedTwice(_ branch: Branch) -> Operation? {
        guard let holder = object(RichSchema.collections, branch) else { return nil }
        return .embed(
            [number()], owner: holder, column: column(RichSchema.collections, "boxes"), .listInsertTwice(at: 0))
    }

    private mutating func linkToNothing(_ branch: Branch) -> Operation? {
        guard let source = object(RichSchema.everything, branch) else { return nil }
        let nowhere = ObjectRef(table: RichSchema.everything, slot: 1 << 20 + draw(3))
        return .set(source, column: column(RichSchema.everything, "next"), .value(.object(nowhere)))
    }

    private mutating func linkToOtherType(_ branch: Branch) -> Operation? {
        guard let source = object(RichSchema.everything, branch) else { return nil }
        return .set(source, column: column(RichSchema.everything, "keyed"), .link(source))
    }

    private mutating func nilElement(_ branch: Branch) -> Operation? {
        guard let number = object(RichSchema.collections, branch) else { return nil }
        switch draw(4) {
        case 0:
            return .listInsert(number, column: column(RichSchema.collections, "objects"), at: 0, [.value(.null)])
        case 1: return .setInsert(number, column: column(RichSchema.collections, "objectSet"), .value(.null))
        case 2: return .listInsert(number, column: column(RichSchema.collections, "listInt"), at: 0, [.value(.null)])
        default: return .mapSet(number, column: column(RichSchema.collections, "mapInt"), key: .null, .value(.null))
        }
    }
}
