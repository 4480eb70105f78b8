import BanyanCore

/// Holds what the change sets of many commits come to, one after another, against the difference between a held version
/// and the newest: what an observer is told that was away for a while.
struct SpanComparison {
    let held: Branch.Held
    let newest: Version
    let model: Model

    func compare() throws {
        let changeSets = held.version.changeSets(to: newest)
        try require(
            changeSets.count == Int(newest.sequence - held.version.sequence),
            "\(changeSets.count) change sets lead from commit \(held.version.sequence) to \(newest.sequence)")
        var scripts: [CollectionRef: EditScript] = [:]
        var present = Set(held.model.objects.keys)
        var created: Set<ObjectID> = []
        for changes in changeSets {
            try changes.forEachObject { change in
                switch change.kind {
                case .created:
                    present.insert(change.id)
                    created.insert(change.id)
                case .deleted:
                    try require(present.remove(change.id) != nil, "\(change.id) is deleted, and was not there")
                    scripts = scripts.filter { $0.key.owner != change.id.ref }
                case .modified: try require(present.contains(change.id), "\(change.id) is modified, and is not there")
                }
            }
            for (c, script) in changes.listEdits {
                scripts[c] = scripts[c].map { EditScript.compose($0, script) } ?? script
            }
        }
        try require(present == Set(model.objects.keys), "the change sets lead to other objects")
        for (c, script) in scripts {
            guard let id = model.live[c.owner], !created.contains(id) else { continue }
            guard case .list(let old)? = held.model[id, c.column], case .list(let new)? = model[id, c.column] else {
                throw Failure("there are edits of column \(c.column) of \(id), which is no list that lasted")
            }
            try ScriptComparison(script, old, new, "\(id).[\(c.column)]").compare()
        }
    }
}
