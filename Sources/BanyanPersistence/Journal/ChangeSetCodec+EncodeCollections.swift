import BanyanCore

// What became of a collection: of a list the edits, of sets and maps the entries that differ.

extension ChangeSetEncoder {
    /// Elements of one tree that are to be written, copied out of it: key (of a map) and value.
    private typealias Entries = [(key: Cell, value: Cell)]

    private static func put(_ cell: Cell, _ element: ElementLayout, _ target: Int, to out: inout PayloadWriter) {
        out.put(nilable: cell, element.kind, isOptional: element.isOptional, target: target)
    }

    private func target(_ c: CollectionRef) -> Int {
        changes.after.view.layout.tables[c.owner.table].columns[c.column].linkTarget
    }

    // MARK: - Lists

    mutating func putListEdits(_ c: CollectionRef) {
        let (before, after) = (changes.before.view, changes.after.view)
        let element = after.elementLayout(c)
        let target = target(c)
        let runs = listRuns(c)
        forward.put(count: runs.count)
        var old = 0
        var new = 0
        for run in runs {
            forward.put(count: run.count << 2 | run.operation)
            switch run.operation {
            case ChangeSetCodec.ListOperation.set, ChangeSetCodec.ListOperation.inserted:
                after.forEachElement(c, new..<(new + run.count)) { _, value in
                    Self.put(value, element, target, to: &forward)
                    return true
                }
            default: break
            }
            switch run.operation {
            case ChangeSetCodec.ListOperation.set, ChangeSetCodec.ListOperation.removed:
                before.forEachElement(c, old..<(old + run.count)) { _, value in
                    Self.put(value, element, target, to: &backward)
                    return true
                }
            default: break
            }
            if run.operation != ChangeSetCodec.ListOperation.inserted { old += run.count }
            if run.operation != ChangeSetCodec.ListOperation.removed { new += run.count }
        }
    }

    // MARK: - Sets

    mutating func putSetChange(_ c: CollectionRef) {
        let element = changes.after.view.elementLayout(c)
        let target = target(c)
        var removed: Entries = []
        var inserted: Entries = []
        diff(c, element) { old, new in
            if let old { removed.append((.null, element.load(old))) }
            if let new { inserted.append((.null, element.load(new))) }
        }
        for list in [removed, inserted] {
            forward.put(count: list.count)
            for (_, value) in list { Self.put(value, element, target, to: &forward) }
        }
    }

    // MARK: - Maps

    mutating func putMapChange(_ c: CollectionRef) {
        let element = changes.after.view.elementLayout(c)
        guard let kind = element.key else { return }
        let target = target(c)
        var removed: Entries = []
        var inserted: Entries = []
        var changed: [(key: Cell, old: Cell, new: Cell)] = []
        diff(c, element) { old, new in
            switch (old, new) {
            case (let old?, let new?): changed.append((element.loadKey(new), element.load(old), element.load(new)))
            case (let old?, nil): removed.append((element.loadKey(old), element.load(old)))
            case (nil, let new?): inserted.append((element.loadKey(new), element.load(new)))
            case (nil, nil): break
            }
        }
        forward.put(count: removed.count)
        for (key, value) in removed {
            forward.put(key, kind, target: -1)
            Self.put(value, element, target, to: &backward)
        }
        forward.put(count: inserted.count)
        for (key, value) in inserted {
            forward.put(key, kind, target: -1)
            Self.put(value, element, target, to: &forward)
        }
        forward.put(count: changed.count)
        for (key, old, new) in changed {
            forward.put(key, kind, target: -1)
            Self.put(new, element, target, to: &forward)
            Self.put(old, element, target, to: &backward)
        }
    }

    /// Calls `body` with each element that is only in the tree before, only in the one after, or in both with other bits
    /// that mean another value.
    private func diff(
        _ c: CollectionRef, _ element: ElementLayout, _ body: (UnsafeRawPointer?, UnsafeRawPointer?) -> Void
    ) {
        RankTree(stride: element.stride).diff(
            changes.before.view.root(c), changes.after.view.root(c),
            compare: { a, b in
                if let key = element.key { return CellOrder.compare(element.loadKey(a), element.loadKey(b), key) }
                return CellOrder.compare(element.load(a), element.load(b), element.kind)
            },
            onRemoved: { old, _ in body(old, nil) },
            onInserted: { new, _ in body(nil, new) },
            onChanged: { old, _, new, _ in
                // A text that left and came back stands in another block.
                let (a, b) = (element.load(old), element.load(new))
                let isSame =
                    element.kind.isText && !a.isNull && !b.isNull ? Text.equal(a, b) : CellOrder.identical(a, b)
                if !isSame { body(old, new) }
            })
    }
}
