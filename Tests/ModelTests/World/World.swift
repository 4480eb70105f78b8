import BanyanCore
import BanyanPersistence

/// The store under test, its forks, and the models of all of them.
///
/// A script of steps is run against it one by one; every step compares what it can afford to. The same script in a new
/// world gives the same result: ids, hashes and the simulated disk depend on nothing else.
final class World {
    private(set) var branches: [Branch]
    private(set) var active = 0
    let files: StoreOnDisk
    /// Commits so far, in all branches.
    private(set) var commits = 0
    /// How often, in commits, everything is compared.
    let period: Int
    /// What the store was after its newest commits, to read back from the files.
    private(set) var history: [(sequence: UInt64, model: Model)] = [(0, Model())]
    private static let historyLimit = 12

    init(period: Int) throws {
        self.period = period
        let (files, version) = try StoreOnDisk.make()
        self.files = files
        branches = [Branch(version)]
    }

    var branch: Branch { branches[active] }

    /// Does one step. Steps that make no sense here, as happens when others were left out, do nothing.
    func run(_ step: Step) throws {
        if case .operate(let operation) = step {
            _ = try branch.perform(operation)
            return
        }
        switch step {
        case .operate: break
        case .commit(let keeping):
            let before = commits
            try commit(keeping: keeping)
            if commits != before, commits % period == 0 { try compareAll() }
        case .rollback: try branch.rollback()
        case .beginSavepoint: branch.beginSavepoint()
        case .endSavepoint: try branch.endSavepoint()
        case .rollbackSavepoint: try branch.rollbackSavepoint()
        case .compareAll: try compareAll()
        default:
            guard !branch.isInTransaction else { return }
            try runBetween(step)
        }
    }

    private func runBetween(_ step: Step) throws {
        switch step {
        case .hold: branch.held.append(branch.newest)
        case .release(let index): try release(index)
        case .fork(let index): fork(index)
        case .select(let index): if branches.indices.contains(index) { active = index }
        case .dropFork(let index): try dropFork(index)
        case .checkpoint: if active == 0 { try files.checkpoint(branch.version) }
        case .reopen(let ending): if active == 0 { try reopen(ending) }
        case .readBack(let commits): if active == 0 { try readBack(commits) }
        case .operate, .commit, .rollback, .beginSavepoint, .endSavepoint, .rollbackSavepoint, .compareAll: break
        }
    }

    /// Compares and releases all there is, and accounts for the memory of every lineage.
    func finish() throws {
        for branch in branches { try branch.rollback() }
        while branches.count > 1 { try dropFork(branches.count - 1) }
        try compareAll()
        try reopen(.closed)
        while !branch.held.isEmpty { try release(0) }
        branch.forgetKept()
        try MemoryComparison(branch, of: branches).compare()
    }

    // MARK: Steps

    private func commit(keeping: Bool) throws {
        guard let commit = try branch.commit(time: Int64(commits) * 1_000_000, keeping: keeping) else {
            branch.settle()
            return
        }
        commits += 1
        let version = branch.version
        try GraphComparison(version.view, branch.model).compareTouched()
        try GraphComparison(version.view, branch.model).compare(inverses: branch.committedInverses)
        try ChangeSetComparison(
            changes: commit.changes, before: commit.before, after: branch.model,
            beforeInverses: commit.beforeInverses, afterInverses: branch.committedInverses
        ).compare()
        let payload = ChangeSetCodec.encode(commit.changes)
        let record = try ChangeSetCodec.decode(payload, layout: version.lineage.layout)
        try RecordComparison(record: record, before: commit.before, after: branch.model).compare()
        branch.settle()
        if active == 0 {
            try files.append(payload, version)
            history.append((version.sequence, branch.model))
            if history.count > Self.historyLimit { history.removeFirst() }
        }
    }

    private func compareAll() throws {
        if branch.isInTransaction {
            // A failed transaction may be anything; the graph it started from may not.
            if branch.doom == nil {
                try GraphComparison(branch.workspace.view, branch.model).compareAll(inTransaction: true)
            }
            return
        }
        try GraphComparison(branch.version.view, branch.model).compareAll(branch.committedInverses)
        try MemoryComparison(branch, of: branches).compare()
    }

    private func release(_ index: Int) throws {
        guard branch.held.indices.contains(index) else { return }
        let held = branch.held.remove(at: index)
        try GraphComparison(held.version.view, held.model).compareAll()
        if held.version.lineage === branch.version.lineage {
            try SpanComparison(held: held, newest: branch.version, model: branch.model).compare()
        }
    }

    private func fork(_ index: Int?) {
        var source = branch.newest
        if let index {
            guard branch.held.indices.contains(index) else { return }
            source = branch.held[index]
        }
        branches.append(
            Branch(
                source.version.fork(), model: source.model, ids: source.ids, origins: branch.origins + [source.version],
                kept: branch.kept.suffix(1))
        )
        active = branches.count - 1
    }

    private func dropFork(_ index: Int) throws {
        guard index > 0, branches.indices.contains(index), !branches[index].isInTransaction else { return }
        let dropped = branches.remove(at: index)
        for held in dropped.held { try GraphComparison(held.version.view, held.model).compareAll() }
        if active == index { active = 0 } else if active > index { active -= 1 }
    }

    // MARK: Files

    private func reopen(_ ending: Step.Ending) throws {
        let sequence = branch.version.sequence
        let version = try files.reopen(ending)
        try require(version.sequence == sequence, "recovery gives commit \(version.sequence), not \(sequence)")
        branch.restart(at: version)
        try GraphComparison(branch.version.view, branch.model).compareAll(branch.committedInverses)
        try MemoryComparison(branch, of: branches).compare()
    }

    private func readBack(_ commitsAgo: Int) throws {
        let (sequence, model) = history[max(0, history.count - 1 - commitsAgo)]
        guard let version = try files.read(commit: sequence) else { return }
        try require(version.sequence == sequence, "reading commit \(sequence) gives \(version.sequence)")
        try GraphComparison(version.view, model).compareAll()
    }
}
