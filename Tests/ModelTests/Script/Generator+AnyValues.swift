import BanyanCore

// AnyValues: scalars of every kind, links to whatever there is, lists and dictionaries of them.

extension Generator {
    mutating func keyedTable() -> Int {
        RichSchema.keyedTables.lowerBound + draw(RichSchema.keyedTables.count)
    }

    mutating func anyOperand(_ branch: Branch, mayNest: Bool, level: Int = 1) -> Operand {
        switch draw(100) {
        case 0..<10: return .value(.null)
        case 10..<30:
            let table = [RichSchema.everything, RichSchema.collections, keyedTable(), keyedTable()][draw(4)]
            if let number = object(table, branch) { return .link(number) }
        case 30..<50 where mayNest && level < 6: return nestedOperand(branch, level: level)
        default: break
        }
        return .value(ValuePool.value(.any, &random))
    }

    private mutating func nestedOperand(_ branch: Branch, level: Int) -> Operand {
        let isList = chance(50)
        let number = nestedNumber(isList: isList)
        var keys: Set<String> = []
        var elements: [Operand] = []
        for _ in 0..<[0, 1, 1, 2, 3, 7][draw(6)] {
            if case .string(let key) = ValuePool.value(.string, &random) { keys.insert(key) }
            elements.append(anyOperand(branch, mayNest: true, level: level + 1))
        }
        if isList { return .list(number, elements) }
        // Texts that are the same to the eye are one to a Set: fewer keys than elements.
        let sorted = keys.sorted { Value.string($0).compare(.string($1)) < 0 }
        return .dictionary(number, zip(sorted, elements).map { (key: $0, value: $1) })
    }

    private mutating func nestedNumber(isList: Bool) -> Int {
        let number = number()
        if isList { nestedLists.insert(number) }
        populations[branchIndex].add(number, RichSchema.nested)
        return number
    }

    // MARK: Mistakes

    /// Lists and dictionaries within each other, so deep that there may be no room for them.
    private mutating func deepOperand(_ depth: Int) -> Operand {
        var result = Operand.value(.int(Int64(depth)))
        for _ in 0..<depth {
            let isList = chance(50)
            let number = nestedNumber(isList: isList)
            result = isList ? .list(number, [result]) : .dictionary(number, [(key: "deep", value: result)])
        }
        return result
    }

    mutating func anyMistake(_ branch: Branch) -> Operation? {
        switch draw(6) {
        case 0: return tooDeep(branch)
        case 1:
            // Owned already, perhaps by the very object.
            guard let nested = object(RichSchema.nested, branch) else { return nil }
            return setAny(.nested(nested, isList: nestedLists.contains(nested)), branch)
        case 2:
            guard let box = object(RichSchema.box, branch) else { return nil }
            return setAny(.link(box), branch)
        case 3:
            guard let holder = object(RichSchema.collections, branch),
                let column = RichSchema.schema.types[RichSchema.collections].property(named: "anySet")
            else { return nil }
            return .setInsert(holder, column: column, nestedOperand(branch, level: 5))
        case 4:
            guard let number = object(RichSchema.everything, branch) else { return nil }
            return .set(number, column: draw(RichSchema.scalars.count), nestedOperand(branch, level: 5))
        default:
            let gone = populations[branchIndex].gone
            guard !gone.isEmpty else { return nil }
            let link = Operand.link(gone[draw(gone.count)])
            return setAny(chance(50) ? link : .list(nestedNumber(isList: true), [.value(.null), link]), branch)
        }
    }

    private mutating func tooDeep(_ branch: Branch) -> Operation? {
        setAny(deepOperand(chance(50) ? 99 + draw(3) : 20 + draw(60)), branch)
    }

    /// Puts an AnyValue in a property, or in another one.
    private mutating func setAny(_ operand: Operand, _ branch: Branch) -> Operation? {
        if chance(60), let nested = object(RichSchema.nested, branch), let id = branch.ids[nested] {
            guard nestedLists.contains(nested) else {
                return .mapSet(nested, column: NestedValues.dictionaryColumn, key: .string("deep"), operand)
            }
            guard case .list(let values)? = branch.model[id, NestedValues.listColumn] else { return nil }
            return .listInsert(nested, column: NestedValues.listColumn, at: values.count, [operand])
        }
        guard let number = object(RichSchema.everything, branch),
            let column = RichSchema.schema.types[RichSchema.everything].property(named: "any")
        else { return nil }
        return .set(number, column: column, operand)
    }
}
