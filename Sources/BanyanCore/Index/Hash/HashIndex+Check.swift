extension HashIndex {
    func check(_ root: Root, _ report: IndexReport) {
        let name = report.name
        let kind = values.kind
        Self.trie._forEachNode(root) { node, _ in report.claim(node) }
        var postings = 0
        var entries = 0
        var firsts: [Cell] = []
        Self.trie.forEach(root) { word in
            let posting = SlotCounts(word: word)
            postings += 1
            posting._forEachNode { node, _ in report.claim(node) }
            if let problem = posting._invariantCheck() { return report.fail("\(name): \(problem)") }
            guard !posting.isEmpty else { return report.fail("\(name) has an empty posting") }
            var first: Cell?
            posting.forEach { slot, times in
                entries += 1
                if times != 1 { report.fail("\(name) has slot \(slot) \(times) times") }
                guard report.isObject(slot) else {
                    report.fail("\(name) has slot \(slot), where there is no object")
                    return false
                }
                let cell = values.cell(UInt64(slot))
                if let first, !CellOrder.equal(first, cell, kind) {
                    report.fail("\(name) has slot \(slot) under another value")
                }
                if first == nil {
                    first = cell
                    firsts.append(cell)
                }
                return true
            }
        }
        guard report.isSound() else { return }
        // Every entry is a live slot under a value it shares; as many as objects, no value twice: nothing is missing.
        if entries != report.count {
            report.fail("\(name) has \(entries) entries for \(report.count) objects")
        }
        firsts.sort { CellOrder.compare($0, $1, kind) < 0 }
        for (a, b) in zip(firsts, firsts.dropFirst()) where CellOrder.equal(a, b, kind) {
            report.fail("\(name) has a value twice")
        }
        if let problem = Self.trie._invariantCheck(root, count: postings, hash: values.hash(posting:)) {
            report.fail("\(name): \(problem)")
        }
        for cell in firsts where find(root, cell).isEmpty { report.fail("\(name) does not find a value it has") }
    }
}
