import BanyanCore

/// The collection whose objects results are chosen from, instead of all objects of a type.
struct ResultsScope: Sendable, Hashable {
    let owner: ObjectID
    let column: Int

    init(_ handle: CollectionHandle) {
        owner = handle.owner
        column = handle.column
    }

    /// The objects in the order of the collection, each as often as it is there; none when the owner is gone.
    func refs(in view: GraphView) -> [ObjectRef] {
        guard view.contains(owner), let page = view.page(Int(owner.table), slot: Int(owner.slot)) else { return [] }
        let plan = view.layout.plans.tables[Int(owner.table)] + column
        let slot = Int(owner.slot) & Page.slotMask
        var refs: [ObjectRef] = []
        guard plan.pointee.shape != .inverse else {
            let ends = [(plan.pointee.otherTable, plan.pointee.otherPlace)]
            for (table, place) in ends + plan.pointee.moreEnds.map({ ($0.table, $0.place) }) {
                SlotCounts(word: place.root(page, slot)).forEach { source, times in
                    refs += repeatElement(ObjectRef(table: table, slot: source), count: times)
                    return true
                }
            }
            return refs
        }
        let elements = plan.pointee.element
        var cursor = plan.pointee.tree.cursor(UnsafeRawPointer(bitPattern: UInt(plan.pointee.place.root(page, slot))))
        while let element = cursor.next() {
            let value = elements.load(element)
            if !value.isNull, let ref = ObjectRef(word: value.low) { refs.append(ref) }
        }
        return refs
    }
}
