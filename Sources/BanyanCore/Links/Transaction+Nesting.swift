// How deep the lists and dictionaries of AnyValues are nested.

extension Transaction {
    /// A new list or dictionary for an AnyValue to own: the object that stands for it. Nil, and the transaction failed, in a
    /// graph whose schema has no place for it.
    ///
    /// - Parameter level: how deep it is within a value that is being made, 1 for the outermost.
    package func createNested(_ place: @autoclosure () -> BanyanError.Location, level: Int) -> ObjectID? {
        guard let table = layout.nestedTable else {
            fail(
                BanyanError(
                    .invalidValue, "this schema has no place for lists and dictionaries within AnyValues",
                    at: place()))
            return nil
        }
        guard level <= NestedValues.maximumDepth else {
            failNesting(place())
            return nil
        }
        return create(table)
    }

    /// Whether a list or a dictionary may be held by an object; if not, the transaction has failed. O(1) for one that is empty,
    /// as those are that have just been made, but for the way up from its owner.
    @inline(never)
    func mayNest(_ nested: ObjectRef, in owner: ObjectRef, _ id: ObjectID, _ column: Int) -> Bool {
        var level = 0
        var current = owner
        while current.table == layout.nestedTable, level <= NestedValues.maximumDepth {
            level += 1
            guard let next = view.owner(of: current) else { break }
            current = next
        }
        let room = NestedValues.maximumDepth - level
        guard room > 0, view.nestingHeight(of: nested, upTo: room + 1) <= room else {
            failNesting(layout.tables[Int(id.table)].location(column, object: "\(id)"))
            return false
        }
        return true
    }

    /// Whether a journal says of a list or a dictionary what can be: that it belongs to nobody, or to the same
    /// property as before, where it is moved. If not, the transaction has failed.
    @inline(never)
    func mayStay(_ nested: ObjectRef, in id: ObjectID, _ column: Int) -> Bool {
        guard let link = view.owningLink(of: nested), link != (id.ref, column) else { return true }
        failSecondOwner(id, column)
        return false
    }

    private func failNesting(_ place: @autoclosure () -> BanyanError.Location) {
        fail(
            BanyanError(
                .limit, "lists and dictionaries are nested more than \(NestedValues.maximumDepth) deep",
                remedy: "Give the inner ones objects of their own", at: place()))
    }
}

extension GraphView {
    /// How many lists and dictionaries there are within each other, this one counted; no more than `limit` are. O(elements).
    func nestingHeight(of nested: ObjectRef, upTo limit: Int) -> Int {
        var height = 0
        var pending = [(ref: nested, level: 1)]
        while let (ref, level) = pending.popLast() {
            height = max(height, level)
            guard height < limit else { return limit }
            for column in [NestedValues.listColumn, NestedValues.dictionaryColumn] {
                forEachElement(CollectionRef(ref, column)) { _, value in
                    if let link = AnyCell.link(value), link.isOwned { pending.append((link.target, level + 1)) }
                    return true
                }
            }
        }
        return height
    }
}
