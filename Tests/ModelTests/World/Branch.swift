import BanyanCore

/// One line of versions, a store's or a fork's, with its model beside it.
final class Branch {
    /// A version that is held, and what it must read as for as long as it is.
    struct Held {
        var version: Version
        var model: Model
        /// The objects that commits had made known by then: only those can a fork of it not give the ids of again.
        var ids: [Int: ObjectID]
    }

    private(set) var workspace: Workspace
    /// What the open transaction, or the newest version, must be.
    var model: Model
    /// What the newest version must be, and who links where in it.
    private(set) var committed: Model
    private(set) var committedInverses: Model.Inverses
    var held: [Held] = []
    /// Commits that may be undone, the newest last.
    private(set) var kept: [KeptCommit]
    private static let keptLimit = 5
    /// For a fork: the version it was made from; for a fork of a fork, also the one that was made from.
    let origins: [Version]

    // MARK: Objects by number

    private(set) var ids: [Int: ObjectID]
    /// The same at the newest version: undoing gives an object another id.
    private var committedIDs: [Int: ObjectID]
    /// Every id this process has given out.
    private var given: Set<ObjectID>
    /// Those of them that a commit has made known.
    private var known: Set<ObjectID>

    // MARK: The open transaction

    /// The faults it may have been failed with; nil while all is well. From then on the model stands still.
    private(set) var doom: Set<BanyanError.Code>?
    private struct Saved {
        var model: Model
        var ids: [Int: ObjectID]
        /// What was wrong when the savepoint began, and is none of its business.
        var violations: Set<Model.Violation>
    }
    /// What was there at the savepoints that are open.
    private var savepoints: [Saved] = []
    /// Whether the last transaction was not committed for what was wrong at its end.
    private(set) var wasRejected = false

    init(
        _ version: Version, model: Model = Model(), ids: [Int: ObjectID] = [:], origins: [Version] = [],
        kept: [KeptCommit] = []
    ) {
        workspace = Workspace(version)
        self.kept = kept
        self.origins = origins
        self.model = model
        committed = model
        committedInverses = model.inverses()
        self.ids = ids
        committedIDs = ids
        given = Set(ids.values)
        known = given
        disownKept()
    }

    /// Whether the transaction changed anything, though perhaps changed it back.
    private var isEffective: Bool { model.writes != committed.writes }
    var isInTransaction: Bool { workspace.transaction != nil }
    var version: Version { workspace.version }

    /// The newest version, to be held.
    var newest: Held {
        Held(version: version, model: committed, ids: ids.filter { known.contains($0.value) })
    }

    /// Stands on a version that was recovered from files, as a process does that has just started. Ids that no commit
    /// made known may be given out again.
    func restart(at version: Version) {
        workspace = Workspace(version)
        given = known
        ids = newest.ids
        committedIDs = ids
        disownKept()
    }

    private func disownKept() { for i in kept.indices { kept[i].isForeign = true } }

    func forgetKept() { kept = [] }

    // MARK: Operations

    /// Does one operation to graph and model and compares what they answer.
    ///
    /// - Returns: false when it names an object that this branch never had, so that nothing was done.
    func perform(_ operation: Operation) throws -> Bool {
        guard operation.operands.allSatisfy({ ids[$0] != nil }), operation.isApplicable(ids, kept) else {
            return false
        }
        let transaction = workspace.transaction ?? workspace.begin()
        var call = OperationCall(transaction: transaction, ids: ids, kept: kept)
        let answer = try call.perform(operation)
        for (number, id) in call.made {
            try checkNew(id)
            ids[number] = id
        }
        for (old, id) in call.revived {
            try checkNew(id)
            for (number, _) in ids.filter({ $0.value == old }) { ids[number] = id }
        }
        if doom != nil {
            try require(transaction.fault != nil, "the fault is forgotten")
            return true
        }
        let outcome = model.apply(operation, ids, made: call.made, revived: call.revived, kept: kept)
        try compare(answer, with: outcome, transaction)
        if !outcome.faults.isEmpty { doom = outcome.faults }
        return true
    }

    private func checkNew(_ id: ObjectID) throws {
        try require(given.insert(id).inserted, "the id \(id) is given out twice")
        try require(
            !model.contains(id) && (doom != nil || model.live[id.ref] == nil), "\(id) is made where another object is")
        // A link that leaves an object for one in its place would look as if nothing had changed.
        try require(committed.live[id.ref] == nil, "\(id) is made in a slot that this transaction freed")
    }

    private func compare(_ answer: OperationCall.Answer, with outcome: Outcome, _ transaction: Transaction) throws {
        if let fault = transaction.fault {
            try require(
                outcome.faults.contains(fault.code),
                "fails with \(fault.code) (\(fault)), expected \(outcome.faults.map(\.rawValue).sorted())")
        } else {
            try require(outcome.faults.isEmpty, "does not fail, expected \(outcome.faults.map(\.rawValue).sorted())")
        }
        try require(
            answer.thrown == outcome.thrown,
            "throws \(answer.thrown?.rawValue ?? "nothing"), expected \(outcome.thrown?.rawValue ?? "nothing")")
        if outcome.faults.isEmpty, let expected = outcome.answer, let found = answer.value {
            try require(found == expected, "returns \(found), expected \(expected)")
        }
    }

    // MARK: Savepoints

    var isInSavepoint: Bool { !savepoints.isEmpty }

    func beginSavepoint() {
        guard let transaction = workspace.transaction, doom == nil else { return }
        transaction.beginSavepoint()
        savepoints.append(Saved(model: model, ids: ids, violations: model.violations()))
    }

    func endSavepoint() throws {
        guard let transaction = workspace.transaction, let saved = savepoints.popLast() else { return }
        let violations = model.violations()
        do throws(BanyanError) {
            try transaction.endSavepoint()
        } catch {
            // What was wrong before it may have been made wrong again.
            let isExpected = doom?.contains(error.code) ?? (error.code == .constraint && !violations.isEmpty)
            try require(isExpected, "a savepoint fails with \(error)")
            return try goBack(to: saved)
        }
        try require(doom == nil, "a savepoint with a fault in it ends well")
        let new = violations.subtracting(saved.violations)
        try require(new.isEmpty, "a savepoint ends well with \(new)")
    }

    func rollbackSavepoint() throws {
        guard let transaction = workspace.transaction, let saved = savepoints.popLast() else { return }
        transaction.rollbackSavepoint()
        try goBack(to: saved)
    }

    private func goBack(to saved: Saved) throws {
        let touched = model.touched
        model = saved.model
        // Numbers of objects that are gone stay, to be used by mistake.
        ids.merge(saved.ids) { _, old in old }
        doom = nil
        try require(workspace.transaction?.fault == nil, "the fault outlives its savepoint")
        try GraphComparison(workspace.view, model).compare(Set(touched.keys))
    }

    // MARK: Ending the transaction

    /// What a commit gave.
    struct Commit {
        var changes: ChangeSet
        var before: Model
        var beforeInverses: Model.Inverses
    }

    /// Commits as a store would: a failed transaction is rolled back, and one that leaves something wrong; one without
    /// changes makes no version. Returns nil for all of them.
    func commit(time: Int64, keeping: Bool) throws -> Commit? {
        wasRejected = false
        while isInSavepoint { try endSavepoint() }
        guard let transaction = workspace.transaction else { return nil }
        guard doom == nil else {
            try rollback()
            return nil
        }
        try GraphComparison(transaction.view, model).compareTouched()
        guard transaction.hasChanges else {
            try require(!isEffective, "something was written, and there are no changes")
            try rollback()
            return nil
        }
        try require(isEffective, "nothing was changed, and there are changes")
        let violations = model.violations()
        if let error = transaction.takeViolation() {
            try require(error.code == .constraint && !violations.isEmpty, "the transaction ends with \(error)")
            wasRejected = true
            try rollback()
            return nil
        }
        try require(violations.isEmpty, "the transaction ends well with \(violations)")
        let base = workspace.version
        let sequence = base.sequence + 1
        guard let version = workspace.commit(sequence: sequence, time: time) else {
            throw Failure("no version was made")
        }
        let changeSets = base.changeSets(to: version)
        try require(changeSets.count == 1, "\(changeSets.count) change sets lead to the next version")
        let result = Commit(changes: changeSets[0], before: committed, beforeInverses: committedInverses)
        known.formUnion(model.touched.keys.filter { model.contains($0) })
        if keeping {
            kept.append(KeptCommit(result.changes, before: committed, after: model))
            if kept.count > Self.keptLimit { kept.removeFirst() }
        }
        committed = model
        committedInverses = model.inverses()
        committedIDs = ids
        doom = nil
        return result
    }

    func rollback() throws {
        guard isInTransaction else { return }
        workspace.rollback()
        let touched = model.touched
        model = committed
        ids.merge(committedIDs) { _, old in old }
        savepoints = []
        doom = nil
        try GraphComparison(workspace.view, model).compare(Set(touched.keys))
    }

    /// Forgets what the last transaction touched, once that was looked at.
    func settle() {
        model.settle()
        committed.settle()
    }
}
