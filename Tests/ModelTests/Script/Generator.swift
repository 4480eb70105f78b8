import BanyanCore
import BanyanTesting

/// Draws the next step of a script, looking at the model to make most operations sensible, and some of them not.
struct Generator {
    let profile: Profile
    var random: SeededGenerator
    /// By branch, in the world's order; what a rollback undoes is drawn from the copy.
    var populations: [Population] = [Population()]
    /// The branch that steps are for.
    var branchIndex = 0
    private var settled = Population()
    /// The populations at the open savepoints.
    private var saved: [Population] = []
    private var nextNumber = 0
    /// Which of the numbers of nested values stand for lists; the others are dictionaries.
    var nestedLists: Set<Int> = []

    private var isInTransaction = false
    private var operationsLeft = 0
    /// Whether the last step was to commit.
    private var isCommitted = false
    /// What belongs to the operation before.
    var following: [Operation] = []
    /// Whether the transaction begins with taking back an earlier one.
    private var mayUndo = false
    var mood = Mood.mixed

    /// What the operations of one transaction are mostly like.
    enum Mood: CaseIterable { case mixed, grow, shrink, link, collect, wrong }

    init(seed: UInt64, profile: Profile) {
        self.profile = profile
        random = SeededGenerator(seed: seed &* 0x9E37_79B9_97F4_A7C1 &+ 17)
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func number() -> Int {
        nextNumber += 1
        return nextNumber
    }

    mutating func next(_ world: World) -> Step {
        if !isInTransaction {
            if isCommitted, world.branch.wasRejected { takeBack(world) }
            isCommitted = false
            if let step = between(world) { return step }
            begin(world)
        }
        if !following.isEmpty { return .operate(following.removeFirst()) }
        if operationsLeft > 0 {
            operationsLeft -= 1
            if mayUndo, let operation = undo(world) { return .operate(operation) }
            if let step = savepoint(world) { return step }
            if let operation = operation(world) { return .operate(operation) }
        }
        return end(world)
    }

    // MARK: Savepoints

    private mutating func savepoint(_ world: World) -> Step? {
        // Those that the world has ended, with the transaction.
        guard world.branch.isInTransaction, chance(profile.savepoints) else { return nil }
        if world.branch.isInSavepoint, chance(65) {
            let before = saved.removeLast()
            guard world.branch.doom != nil || chance(50) else { return .endSavepoint }
            let made = populations[world.active].made
            populations[world.active] = before
            populations[world.active].bury(made.filter { !before.made.contains($0) })
            return chance(50) ? .rollbackSavepoint : world.branch.doom == nil ? .rollbackSavepoint : .endSavepoint
        }
        guard world.branch.doom == nil, saved.count < 4 else { return nil }
        saved.append(populations[world.active])
        return .beginSavepoint
    }

    // MARK: Transactions

    /// Takes back one of the commits that were kept, mostly the newest; and sometimes another one in the same
    /// transaction.
    private mutating func undo(_ world: World) -> Operation? {
        let kept = world.branch.kept
        mayUndo = chance(20)
        guard !kept.isEmpty else { return nil }
        let own = kept.indices.filter { !kept[$0].isForeign }
        // A few times is enough for those of other stores.
        guard !own.isEmpty || chance(20) else { return nil }
        let index = chance(60) ? own.last ?? kept.count - 1 : draw(kept.count)
        // What it deleted comes back, if it does, and is drawn again.
        let numbers = Dictionary(world.branch.ids.map { ($0.value, $0.key) }) { _, last in last }
        for id in kept[index].deleted {
            if let number = numbers[id] { populations[branchIndex].add(number, Int(id.table)) }
        }
        return .undo(index)
    }

    private mutating func begin(_ world: World) {
        isInTransaction = true
        saved = []
        populations[world.active].made = []
        settled = populations[world.active]
        let lengths = [1, 1, 2, 3, 5, 8, 12, 20, 40]
        following = []
        operationsLeft = lengths[Int.random(in: lengths.indices, using: &random)]
        mood = .mixed
        mayUndo = chance(15)
        if chance(profile.faults) {
            mood = .wrong
        } else if chance(profile.bursts) {
            let moods: [Mood] = [.grow, .shrink, .link, .collect]
            mood = moods[Int.random(in: moods.indices, using: &random)]
            operationsLeft = Int.random(in: 10...120, using: &random)
        }
    }

    private mutating func end(_ world: World) -> Step {
        if chance(8) { return .compareAll }
        isInTransaction = false
        guard world.branch.doom == nil, !chance(12) else {
            takeBack(world)
            return chance(50) || world.branch.doom == nil ? .rollback : .commit(keeping: false)
        }
        isCommitted = true
        return .commit(keeping: chance(25))
    }

    private mutating func takeBack(_ world: World) {
        settled.bury(populations[world.active].made)
        populations[world.active] = settled
    }

    private mutating func between(_ world: World) -> Step? {
        guard chance(22) else { return nil }
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<4 where world.branch.held.count < 5: return .hold
        case 0..<7: return world.branch.held.isEmpty ? nil : .release(draw(world.branch.held.count))
        case 7, 8: return fork(world)
        case 9, 10: return world.branches.count > 1 ? .select(draw(world.branches.count)) : nil
        case 11:
            guard world.branches.count > 1 else { return nil }
            let index = 1 + draw(world.branches.count - 1)
            populations.remove(at: index)
            return .dropFork(index)
        case 12: return world.active == 0 ? .checkpoint : .select(0)
        case 13, 14:
            guard world.active == 0 else { return .select(0) }
            let endings: [Step.Ending] = [.closed, .killed, .powerCut(seed: random.next())]
            return .reopen(endings[draw(3)])
        case 15: return world.active == 0 ? .readBack(commitsAgo: draw(10)) : .select(0)
        default: return chance(20) ? .compareAll : nil
        }
    }

    private mutating func fork(_ world: World) -> Step? {
        guard world.branches.count < 4 else { return nil }
        populations.append(populations[world.active])
        let held = world.branch.held.count
        return .fork(held: held > 0 && chance(30) ? draw(held) : nil)
    }

    mutating func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
}
