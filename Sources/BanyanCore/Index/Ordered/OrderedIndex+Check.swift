extension OrderedIndex {
    func check(_ root: Root, _ report: IndexReport) {
        _forEachNode(root) { node, _ in report.claim(node) }
        var seen: Set<Int> = []
        Self.forEachSlot(root, isWide: isWide, 0..<count(root)) { slots, count in
            for i in 0..<count {
                let slot = Int(slots[i])
                if !seen.insert(slot).inserted { report.fail("\(report.name) has slot \(slot) twice") }
                if !report.isObject(slot) {
                    report.fail("\(report.name) has slot \(slot), where there is no object")
                }
            }
            return true
        }
        guard report.isSound() else { return }
        // Every entry is a live slot, none is there twice, and there are as many as objects: nothing is missing.
        if seen.count != report.count {
            report.fail("\(report.name) has \(seen.count) entries for \(report.count) objects")
        }
        let problem =
            isWide ? problem(Self.wide, root) { wideKey($0).key } : problem(Self.narrow, root) { narrowKey($0).key }
        if let problem { report.fail("\(report.name): \(problem)") }
    }

    /// What is wrong with a tree, nil if all is well.
    private func problem<Key>(_ tree: OrderedTree<Key>, _ root: Root, _ key: (IndexEntry) -> Key) -> String? {
        if let problem = tree._invariantCheck(root, isOrdered: { isBefore($0, IndexEntry(slot: Int($1))) }) {
            return problem
        }
        var problem: String?
        tree.forEachRun(root, 0..<tree.count(root)) { run in
            for i in 0..<run.count where key(IndexEntry(slot: Int(run.slots[i]))) != run.keys[i] {
                problem = "slot \(run.slots[i]) is entered under another key than its value's"
                return false
            }
            return true
        }
        return problem
    }

    func _forEachNode(_ root: Root, _ body: (UnsafeRawPointer, Int) -> Void) {
        if isWide { Self.wide._forEachNode(root, body) } else { Self.narrow._forEachNode(root, body) }
    }
}
