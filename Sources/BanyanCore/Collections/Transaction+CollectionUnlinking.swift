extension Transaction {
    /// Takes a deleted object out of a collection in which it occurs so often: a list and a set lose the entry, a map keeps
    /// the key with nil. AnyValues in lists and maps stay with nothing in them. O(log n) for a set, else O(elements up to the last occurrence).
    func unlinkInCollection(_ c: CollectionRef, _ target: ObjectRef, _ times: Int) {
        let plan = plan(c)
        let tree = plan.pointee.tree
        var next = 0
        for _ in 0..<times {
            guard let rank = rank(of: target, from: next, in: c, plan) else {
                return assertionFailure("an inverse without its link")
            }
            switch plan.pointee.shape {
            case .map:
                clearElement(c, rank, plan)
            case .list where plan.pointee.kind == .any:
                recordEdit(c) { $0.set(at: rank) }
                clearElement(c, rank, plan)
            case .list:
                recordEdit(c) { $0.remove(rank..<(rank + 1)) }
                withRoot(c) { tree.remove(&$0, rank..<(rank + 1), in: memory) }
            case .set, .single, .inverse:
                withRoot(c) { tree.remove(&$0, rank..<(rank + 1), in: memory) }
            }
            next = rank
        }
    }

    private func clearElement(_ c: CollectionRef, _ rank: Int, _ plan: UnsafePointer<ColumnPlan>) {
        let (tree, offset) = (plan.pointee.tree, plan.pointee.element.valueOffset)
        let width = plan.pointee.kind.width
        withRoot(c) { root in
            let value = tree.mutableElement(&root, at: rank, in: memory) + offset
            value.initializeMemory(as: UInt8.self, repeating: 0, count: width)
        }
    }

    /// The lowest rank from `first` on at which an object stands.
    private func rank(
        of target: ObjectRef, from first: Int, in c: CollectionRef, _ plan: UnsafePointer<ColumnPlan>
    ) -> Int? {
        let root = root(c)
        let tree = plan.pointee.tree
        if plan.pointee.shape == .set {
            if plan.pointee.kind == .any { return view.rank(of: AnyCell.link(.object, to: target), in: c) }
            let place = tree.find(root) { element in
                let word = element.load(as: UInt64.self)
                return word < target.word ? -1 : word == target.word ? 0 : 1
            }
            return place.isMatch ? place.rank : nil
        }
        let offset = plan.pointee.element.valueOffset
        let count = tree.count(root)
        var rank = first
        while rank < count {
            let run = tree.run(root, at: rank)
            for i in 0..<run.count
            where run.start.load(fromByteOffset: i &* tree.stride &+ offset, as: UInt64.self) == target.word {
                guard plan.pointee.kind == .any else { return rank + i }
                // An AnyValue may only look like the link.
                let value = plan.pointee.element.load(run.start + i &* tree.stride)
                if AnyCell.link(value) != nil { return rank + i }
            }
            rank += run.count
        }
        return nil
    }
}
