import BanyanCore

/// Holds a commit's change set against the difference between the model before and after.
///
/// A change set may name a collection, or an inverse, that was changed and is now what it was: it compares roots, not
/// elements. It may name nothing that was not written, and no single value that is the same.
struct ChangeSetComparison {
    let changes: ChangeSet
    let before: Model
    let after: Model
    let beforeInverses: Model.Inverses
    let afterInverses: Model.Inverses

    func compare() throws {
        var created: Set<ObjectID> = []
        var deleted: Set<ObjectID> = []
        var modified: [ObjectID: Set<Int>] = [:]
        try changes.forEachObject { change in
            switch change.kind {
            case .created: try require(created.insert(change.id).inserted, "\(change.id) is created twice")
            case .deleted: try require(deleted.insert(change.id).inserted, "\(change.id) is deleted twice")
            case .modified:
                try require(modified[change.id] == nil, "\(change.id) is modified twice")
                try require(change.columns == change.columns.sorted(), "the columns of \(change.id) are out of order")
                modified[change.id] = Set(change.columns)
            }
        }
        let touched = Set(after.touched.keys)
        try compare(created, touched.filter { after.contains($0) && !before.contains($0) }, "created")
        try compare(deleted, touched.filter { before.contains($0) && !after.contains($0) }, "deleted")
        let lasting = touched.filter { before.contains($0) && after.contains($0) }
        try compareModified(modified, lasting)
        try compareListEdits()
    }

    private func compare(_ found: Set<ObjectID>, _ expected: Set<ObjectID>, _ what: String) throws {
        try require(
            found == expected,
            "\(what): \(found.subtracting(expected).sorted()) too many, \(expected.subtracting(found).sorted()) missing"
        )
    }

    // MARK: Modified objects

    private func compareModified(_ modified: [ObjectID: Set<Int>], _ lasting: Set<ObjectID>) throws {
        for (id, columns) in modified {
            for column in columns where column < Model.schema(Int(id.table)).properties.count {
                let isWritten = after.touched[id]?.contains(column) ?? false
                try require(isWritten, "\(id).[\(column)] is reported, and was not written")
                if case .single(let old)? = before[id, column], case .single(let new)? = after[id, column] {
                    try require(!old.isIdentical(to: new), "\(id).[\(column)] is reported, and is what it was")
                }
            }
        }
        for id in lasting {
            for column in after.touched[id] ?? [] where Self.differs(before[id, column], after[id, column]) {
                let isReported = modified[id]?.contains(column) ?? false
                try require(isReported, "\(id).[\(column)] changed, and is not reported")
            }
        }
        try compareInverses(modified)
    }

    /// Who lost or gained a link to it is a change of an object too.
    private func compareInverses(_ modified: [ObjectID: Set<Int>]) throws {
        for id in after.objects.keys where before.contains(id) {
            let columns = modified[id]
            for (column, link) in GraphComparison.hiddenColumns[Int(id.table)] {
                guard beforeInverses[link][id.ref] != afterInverses[link][id.ref] else { continue }
                try require(
                    columns?.contains(column) == true,
                    "the links to \(id) changed (column \(column)), which is not reported")
            }
        }
    }

    static func differs(_ a: Model.Property?, _ b: Model.Property?) -> Bool {
        switch (a, b) {
        case (.single(let a)?, .single(let b)?): !a.isIdentical(to: b)
        case (.list(let a)?, .list(let b)?), (.set(let a)?, .set(let b)?):
            a.count != b.count || !zip(a, b).allSatisfy { $0.isIdentical(to: $1) }
        case (.map(let a)?, .map(let b)?):
            a.count != b.count
                || !zip(a, b).allSatisfy { $0.key.isIdentical(to: $1.key) && $0.value.isIdentical(to: $1.value) }
        default: false
        }
    }

    // MARK: Lists

    private func compareListEdits() throws {
        for (c, script) in changes.listEdits {
            guard let id = after.live[c.owner], before.contains(id),
                case .list(let old)? = before[id, c.column], case .list(let new)? = after[id, c.column]
            else { throw Failure("there are edits of column \(c.column) of \(c.owner), which is no list that lasted") }
            try ScriptComparison(script, old, new, "\(id).[\(c.column)]").compare()
        }
        for (id, columns) in after.touched where before.contains(id) && after.contains(id) {
            for column in columns {
                guard case .list? = after[id, column], Self.differs(before[id, column], after[id, column]) else {
                    continue
                }
                try require(
                    changes.listEdits[CollectionRef(id.ref, column)] != nil, "\(id).[\(column)] changed without edits")
            }
        }
    }
}
