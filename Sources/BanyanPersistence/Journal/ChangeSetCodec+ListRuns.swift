import BanyanCore

extension ChangeSetEncoder {
    /// A step over a list; see `ChangeSetCodec.ListOperation`.
    struct ListRun {
        var operation: Int
        var count: Int
    }

    /// What was done to a list, from its start; what follows the last run is kept. An element that moved counts as removed
    /// and inserted.
    func listRuns(_ c: CollectionRef) -> [ListRun] {
        var result: [ListRun] = []
        func add(_ operation: Int, _ count: Int) {
            guard count > 0 else { return }
            if result.last?.operation == operation {
                result[result.count - 1].count += count
            } else {
                result.append(ListRun(operation: operation, count: count))
            }
        }
        let oldCount = changes.before.view.elementCount(c)
        guard let script = changes.listEdits[c] else {
            add(ChangeSetCodec.ListOperation.removed, oldCount)
            add(ChangeSetCodec.ListOperation.inserted, changes.after.view.elementCount(c))
            return result
        }
        var old = 0
        for run in script.runs {
            switch run {
            case .kept(let start, let count):
                add(ChangeSetCodec.ListOperation.removed, start - old)
                add(ChangeSetCodec.ListOperation.kept, count)
                old = start + count
            case .set(let start, let count):
                add(ChangeSetCodec.ListOperation.removed, start - old)
                add(ChangeSetCodec.ListOperation.set, count)
                old = start + count
            case .moved(_, let count), .inserted(let count):
                add(ChangeSetCodec.ListOperation.inserted, count)
            }
        }
        add(ChangeSetCodec.ListOperation.removed, oldCount - old)
        if result.last?.operation == ChangeSetCodec.ListOperation.kept { result.removeLast() }
        return result
    }
}
