// Links against their inverses, embedded objects against their owners.

extension GraphCheck {
    /// Every link of one column has its inverse, as often as it occurs, and there is no inverse without a link.
    func checkInverse(of table: TableLayout, _ column: Int) {
        let info = table.columns[column]
        let what = name(table.table, column)
        // By table: target's slot, then source's: ascending, as the inverses are met.
        var links: [Int: [UInt64]] = [:]
        view.forEachObject(table.table) { page, slotInPage, slot in
            forEachTarget(table, column, page, slotInPage, slot) { target in
                if !info.ends.contains(where: { $0.table == target.table }) || !view.contains(target) {
                    fail("\(what) of slot \(slot) links to \(target.table):\(target.slot), where there is nothing")
                } else {
                    links[target.table, default: []].append(UInt64(target.slot) << 32 | UInt64(slot))
                }
            }
            return true
        }
        for end in info.ends { checkInverse(what, at: end, (links[end.table] ?? []).sorted()) }
    }

    /// The inverses in the table at one end.
    private func checkInverse(_ what: String, at end: LinkEnd, _ links: [UInt64]) {
        var next = 0
        let other = view.layout.tables[end.table]
        view.forEachObject(end.table) { page, slotInPage, slot in
            let counts = SlotCounts(word: other.page.columns[end.column].root(page, slotInPage))
            guard checkSlotCounts(counts, "\(name(end.table, end.column)), slot \(slot)") else { return false }
            counts.forEach { source, times in
                let expected = UInt64(slot) << 32 | UInt64(source)
                var found = 0
                while next < links.count, links[next] == expected {
                    next += 1
                    found += 1
                }
                if found != times || times == 0 {
                    fail("\(what) of slot \(source) links \(found) times to slot \(slot), whose inverse says \(times)")
                }
                return true
            }
            if next < links.count, links[next] >> 32 <= UInt64(slot) {
                fail(
                    "\(what) of slot \(links[next] & 0xFFFF_FFFF) links to slot \(links[next] >> 32) without an inverse"
                )
                return false
            }
            return true
        }
    }

    private func forEachTarget(
        _ table: TableLayout, _ column: Int, _ page: UnsafeRawPointer, _ slotInPage: Int, _ slot: Int,
        _ body: (ObjectRef) -> Void
    ) {
        let info = table.columns[column]
        func follow(_ cell: Cell) {
            if info.kind == .any {
                guard let link = AnyCell.link(cell) else { return }
                body(link.target)
                // What stands within it counts for the property that holds it.
                if link.isOwned, table.table != view.layout.nestedTable {
                    forEachNestedTarget(link.target, level: 1, body)
                }
            } else if !cell.isNull, let target = ObjectRef(word: cell.low) {
                body(target)
            }
        }
        guard info.isCollection else { return follow(table.page.columns[column].load(info.kind, page, slotInPage)) }
        view.forEachElement(CollectionRef(ObjectRef(table: table.table, slot: slot), column)) { _, value in
            follow(value)
            return true
        }
    }

    private func forEachNestedTarget(_ nested: ObjectRef, level: Int, _ body: (ObjectRef) -> Void) {
        guard level <= NestedValues.maximumDepth else {
            return fail("\(name(nested.table)) in slot \(nested.slot) is nested too deep")
        }
        for column in [NestedValues.listColumn, NestedValues.dictionaryColumn] {
            view.forEachElement(CollectionRef(nested, column)) { _, value in
                guard let link = AnyCell.link(value) else { return true }
                if link.isOwned { forEachNestedTarget(link.target, level: level + 1, body) } else { body(link.target) }
                return true
            }
        }
    }

    /// Each embedded object is held once, and following its owners leads to a top-level object.
    func checkOwners(_ table: TableLayout) {
        view.forEachObject(table.table) { _, _, slot in
            var current = ObjectRef(table: table.table, slot: slot)
            var path: Set<ObjectRef> = []
            while view.layout.tables[current.table].type.isEmbedded, !owned.contains(current) {
                let owners = owners(of: current)
                guard owners.count == 1 else {
                    fail("\(name(current.table)) in slot \(current.slot) has \(owners.count) owners")
                    return true
                }
                guard path.insert(current).inserted else {
                    fail("\(name(table.table)) in slot \(slot) is owned by itself")
                    return true
                }
                current = owners[0]
            }
            owned.formUnion(path)
            return true
        }
    }

    private func owners(of target: ObjectRef) -> [ObjectRef] {
        var result: [ObjectRef] = []
        for column in view.layout.tables[target.table].inverseColumns {
            view.forEachSource(target, backlinkColumn: column) { source, times in
                result += Array(repeating: source, count: times)
                return true
            }
        }
        return result
    }
}
