// A link within nested lists and dictionaries counts twice: in the hidden column of the list or dictionary in which
// it stands, as every link does, and in that of the property which holds the outermost. So the inverse of that
// property knows of all the objects it links to, however deep, and reading it costs what reading any inverse does.

extension Transaction {
    /// Called when a link of an AnyValue has been entered in its inverse.
    @inline(__always)
    func didLink(_ link: (target: ObjectRef, isOwned: Bool), from source: ObjectRef, _ plan: UnsafePointer<ColumnPlan>)
    {
        if link.isOwned || source.table == layout.nestedTable { count(link, from: source, plan, isNew: true) }
    }

    /// Called when a link of an AnyValue has been taken out of its inverse. What it owned must be there still.
    @inline(__always)
    func didUnlink(
        _ link: (target: ObjectRef, isOwned: Bool), from source: ObjectRef, _ plan: UnsafePointer<ColumnPlan>
    ) {
        if link.isOwned || source.table == layout.nestedTable { count(link, from: source, plan, isNew: false) }
    }

    /// O(depth) for an object; O(elements) for a list or dictionary that comes to or leaves an object.
    @inline(never)
    private func count(
        _ link: (target: ObjectRef, isOwned: Bool), from source: ObjectRef, _ plan: UnsafePointer<ColumnPlan>,
        isNew: Bool
    ) {
        var (owner, plan) = (source, plan)
        if source.table == layout.nestedTable {
            // As long as it belongs to nobody, as while a value is made from the inside out, there is nobody to count
            // for.
            guard let holder = view.holder(of: source) else { return }
            owner = holder.owner
            plan = self.plan(owner.table, holder.column)
        }
        var targets = [link.target]
        if link.isOwned {
            // A journal may move one in its list, so that it is there twice for a moment.
            guard view.linkCount(to: link.target) == (isNew ? 1 : 0) else { return }
            targets = view.nestedLinks(of: link.target)
        }
        for target in targets {
            if isNew {
                addBacklink(from: owner, plan, to: target)
            } else {
                removeBacklink(from: owner, plan, to: target)
            }
        }
    }

    /// Called before the links of a nested list or dictionary to an object that is deleted are cleared: they no
    /// longer count for the property that holds it.
    func forgetNestedLinks(from nested: ObjectRef, to target: ObjectRef, times: Int) {
        guard let holder = view.holder(of: nested) else { return }
        removeBacklink(from: holder.owner, plan(holder.owner.table, holder.column), to: target, times: times)
    }

    /// The same of all links in a list or dictionary that is deleted while its owner still holds it.
    func forgetNestedLinks(of nested: ObjectRef) {
        guard let holder = view.holder(of: nested) else { return }
        let plan = plan(holder.owner.table, holder.column)
        for target in view.nestedLinks(of: nested) { removeBacklink(from: holder.owner, plan, to: target) }
    }
}
