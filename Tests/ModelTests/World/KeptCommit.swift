import BanyanCore

/// A commit that was kept, to be undone later.
struct KeptCommit {
    let changes: ChangeSet
    let before: Model
    let after: Model
    /// Whether it was made in another store: in the one that a fork was made of, or before the store was reopened.
    var isForeign = false

    // What it did, as its change set says, which has been held against the models.
    private(set) var created: Set<ObjectID> = []
    private(set) var deleted: [ObjectID] = []
    private(set) var modified: [(id: ObjectID, columns: [Int])] = []

    init(_ changes: ChangeSet, before: Model, after: Model) {
        self.changes = changes
        self.before = before
        self.after = after
        changes.forEachObject { change in
            switch change.kind {
            case .created: created.insert(change.id)
            case .deleted: deleted.append(change.id)
            case .modified:
                let properties = Model.schema(Int(change.id.table)).properties
                let own = change.columns.filter { $0 < properties.count && !properties[$0].isInverse }
                modified.append((change.id, own))
            }
        }
        modified.removeAll { $0.columns.isEmpty }
    }
}
