// The lists and dictionaries of AnyValues stand in objects of their own, each owned by the value that holds it.
// Whoever asks about one means the property in which the outermost stands: here is the way there, and the way back.

extension GraphView {
    /// The property that holds an owned object, and the object it belongs to; nil while nobody owns it. O(1).
    package func owningLink(of ref: ObjectRef) -> (owner: ObjectRef, column: Int)? {
        guard let page = page(ref.table, slot: ref.slot) else { return nil }
        for column in layout.storage[ref.table].backlinks {
            let plan = layout.plans.tables[ref.table] + column
            let owners = SlotCounts(word: plan.pointee.place.root(page, ref.slot & Page.slotMask))
            guard !owners.isEmpty else { continue }
            return (ObjectRef(table: plan.pointee.otherTable, slot: owners.slot(at: 0)), plan.pointee.otherColumn)
        }
        return nil
    }

    /// The property in which a nested list or dictionary stands, within others or not, and its object, which is none
    /// of them. Nil while nobody holds the outermost, and for one that is nested deeper than a graph holds them.
    /// O(depth).
    package func holder(of nested: ObjectRef) -> (owner: ObjectRef, column: Int)? {
        var current = nested
        for _ in 0...NestedValues.maximumDepth {
            guard let link = owningLink(of: current) else { return nil }
            if link.owner.table != layout.nestedTable { return link }
            current = link.owner
        }
        return nil
    }

    /// The objects to which links in a nested list or dictionary lead, and in those within it, each as often as it is
    /// linked to. Not what is owned twice, of which only a damaged file has any. O(elements).
    package func nestedLinks(of nested: ObjectRef) -> [ObjectRef] {
        var found: [ObjectRef] = []
        var pending = [nested]
        while let next = pending.popLast() {
            for column in [NestedValues.listColumn, NestedValues.dictionaryColumn] {
                forEachElement(CollectionRef(next, column)) { _, value in
                    guard let link = AnyCell.link(value) else { return true }
                    if !link.isOwned {
                        found.append(link.target)
                    } else if linkCount(to: link.target) == 1 {
                        pending.append(link.target)
                    }
                    return true
                }
            }
        }
        return found
    }
}

/// Finds lists and dictionaries that are nested too deep, for readers of files.
///
/// What was found is remembered, so that asking for every one of a graph is O(those there are).
package struct NestingLevels {
    private let view: GraphView
    private var known: [ObjectRef: Int] = [:]

    package init(_ view: GraphView) { self.view = view }

    /// What is wrong with where a list or dictionary stands: it is nested too deep, or in itself. Each must have one
    /// owner.
    package mutating func problem(_ nested: ObjectRef) -> NestingProblem? {
        var path: [ObjectRef] = []
        var next = nested
        var level = 0
        while next.table == view.layout.nestedTable {
            if let known = known[next] {
                level = known
                break
            }
            path.append(next)
            guard path.count <= NestedValues.maximumDepth, let owner = view.owner(of: next) else {
                return NestingProblem(nested, view)
            }
            next = owner
        }
        for ref in path.reversed() {
            level += 1
            known[ref] = level
        }
        return level > NestedValues.maximumDepth ? NestingProblem(nested, view) : nil
    }
}

package struct NestingProblem {
    package let message: String
    /// The object with the property that holds the value; the object that stands for it, where there is none.
    package let object: ObjectRef
    package let column: Int?

    fileprivate init(_ nested: ObjectRef, _ view: GraphView) {
        var path: Set<ObjectRef> = []
        var next = nested
        while path.insert(next).inserted, let link = view.owningLink(of: next) {
            next = link.owner
            guard next.table == view.layout.nestedTable else {
                message = "lists and dictionaries are nested more than \(NestedValues.maximumDepth) deep"
                (object, column) = link
                return
            }
        }
        message = "a list or a dictionary is nested in itself"
        (object, column) = (nested, nil)
    }
}
