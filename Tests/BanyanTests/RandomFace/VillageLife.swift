import Banyan

/// One random life of a graph beside its oracle. The handles it works with are kept for as long as their objects live.
final class VillageLife {
    struct Failure: Error, CustomStringConvertible { let description: String }
    /// Thrown out of writes and savepoints that are to be taken back.
    struct TakenBack: Error {}

    let seed: UInt64
    let graph: Graph
    var random: SplitMix
    /// What the graph is to hold, in an open write too.
    var village = NaiveVillage()
    /// By key: handles of the same object, made at different times.
    var handles: [Int: [Villager]] = [:]
    /// Some whose objects are gone.
    var gone: [Villager] = []
    var followers: [any VillageFollower] = []
    private var frozen: [(graph: Graph, village: NaiveVillage)] = []
    /// What the transaction did so far.
    var log: [String] = []
    /// The villagers in whose collections, or whose huts', it did something.
    var touched: Set<Int> = []
    /// What it did to lists, by their names: how each operation is to be told. Nil where that is not known.
    var edits: [String: [ToldPositions?]] = [:]
    /// Whether it was undone just now.
    private var isUndone = false
    /// What differs since followers compared last.
    private(set) var changes: VillageChanges
    /// What there is now.
    private(set) var after: VillagePicture?
    private(set) var transactions = 0

    init(seed: UInt64) throws {
        self.seed = seed
        random = SplitMix(seed: seed)
        graph = Graph(try Store(.init(models: [Villager.self, Elder.self])))
        let nothing = VillagePicture(graph)
        (changes, after) = (VillageChanges(nothing, nothing, touched: []), nothing)
        let all = graph.objects(Villager.self)
        followers = [
            resultsFollower("all", all), resultsFollower("all by key", all.sorted(by: \.id)),
            resultsFollower("the young by name", all.where { $0.age < 4 }.sorted(by: \.name)),
        ]
    }

    var ids: [Int] { village.villagers.keys.sorted() }

    /// A handle of a living villager.
    func live(_ id: Int) -> Villager? { handles[id]?[0] }

    func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        guard !condition else { return }
        throw Failure(
            description: """
                \(message())
                in transaction \(transactions) of seed \(seed). To run it again: BANYAN_DEV=village=\(seed)
                \(log.joined(separator: "\n"))
                """)
    }

    // MARK: Transactions

    func transaction() throws {
        transactions += 1
        (log, touched, edits) = ([], [], [:])
        expected = nil
        let (before, handlesBefore) = (village, handles)
        let kind = random.draw(100)
        switch kind {
        case 0..<12: try takeBack { _ in throw TakenBack() }
        case 12..<18: try takeBack { try self.misuse($0) }
        case 18..<24: try commitAndUndo()
        default: try graph.write { graph in try operate(graph, depth: 0) }
        }
        if kind < 18 { try restore(before, handlesBefore) }
        try settle()
        try compareAll()
        try compareFollowers(before: before)
        try changeCompany()
    }

    /// A write that fails in the end, by throwing or by a misuse.
    private func takeBack(_ fail: (Graph) throws -> Void) throws {
        do {
            try graph.write { graph in
                try operate(graph, depth: 0)
                try fail(graph)
            }
        } catch is TakenBack {
            return
        } catch let error as BanyanError {
            return try require(expected == error.code, "the write throws \(error)")
        }
        try require(false, "the write does not throw \(expected?.rawValue ?? "what the block throws")")
    }

    /// What the misuse of this transaction is to be called.
    private var expected: BanyanError.Code?

    private func misuse(_ graph: Graph) throws {
        expected = nil
        guard let id = ids.randomElement(using: &random), let villager = live(id) else { throw TakenBack() }
        switch random.draw(4) {
        case 0:
            // Those that were deleted in a savepoint that was taken back are there.
            guard let gone = gone.last(where: \.isInvalidated) else { throw TakenBack() }
            log.append("a deleted villager's age")
            expected = .invalidatedObject
            gone.age = 7
        case 1:
            log.append("another key for \(id)")
            expected = .primaryKeyChanged
            villager.id = -1
        case 2:
            log.append("beyond the numbers of \(id)")
            expected = .outOfBounds
            villager.numbers.insert(1, at: villager.numbers.count + 1)
        default:
            guard let hut = villager.hut else { throw TakenBack() }
            log.append("a second owner of the hut of \(id)")
            expected = .secondOwner
            villager.huts.append(hut)
        }
    }

    private func commitAndUndo() throws {
        let before = village
        let commit = try graph.commit { graph in try operate(graph, depth: 0) }
        try settle()
        try compareAll()
        try compareFollowers(before: before)
        log.append("undo")
        isUndone = true
        defer { isUndone = false }
        let (after, handlesAfter) = (village, handles)
        try graph.write { try graph.undo(commit) }
        village = before
        // What comes back is another object with the same key.
        for id in after.villagers.keys where before.villagers[id] == nil { bury(id) }
        for id in before.villagers.keys {
            let now = graph.object(ofType: Villager.self, forPrimaryKey: id)
            try require(now != nil, "villager \(id) has not come back")
            if let now, handlesAfter[id]?[0] != now { handles[id] = [now] }
        }
        try compareFollowers(before: after)
    }

    /// What was done to a list, as it is to be told.
    func edits(of list: String) -> [ToldPositions?] { isUndone ? [nil] : edits[list] ?? [] }

    private func compareFollowers(before: NaiveVillage) throws {
        let now = VillagePicture(graph)
        changes = VillageChanges(after ?? now, now, touched: touched)
        after = now
        for follower in followers { try follower.compare(before: before, after: village, life: self) }
    }

    private func operate(_ graph: Graph, depth: Int) throws {
        for _ in 0...random.draw(6) {
            guard depth < 3, random.chance(12) else {
                try operate(on: graph)
                continue
            }
            try savepoint(graph, depth: depth)
        }
    }

    private func savepoint(_ graph: Graph, depth: Int) throws {
        let (before, handlesBefore, editsBefore) = (village, handles, edits)
        log.append("savepoint {")
        do {
            try graph.savepoint {
                try operate(graph, depth: depth + 1)
                if random.chance(40) { throw TakenBack() }
                if random.chance(20), let id = ids.first {
                    log.append("another key for \(id)")
                    live(id)?.id = -1
                }
            }
            log.append("}")
        } catch is TakenBack {
            log.append("} taken back")
            edits = editsBefore
            try restore(before, handlesBefore)
            try compareAll()
        } catch let error as BanyanError where error.code == .primaryKeyChanged {
            log.append("} failed")
            edits = editsBefore
            try restore(before, handlesBefore)
            try compareAll()
        }
    }

    // MARK: Handles

    /// Goes back to what was, handles and all; those of what was made since are of nothing.
    private func restore(_ before: NaiveVillage, _ handlesBefore: [Int: [Villager]]) throws {
        let made = handles.filter { handlesBefore[$0.key]?[0] != $0.value[0] }.flatMap(\.value)
        village = before
        handles = handlesBefore
        for villager in made { try require(villager.isInvalidated, "a villager that was taken back is there") }
    }

    func bury(_ id: Int) {
        gone += handles[id] ?? []
        gone = Array(gone.suffix(10))
        handles[id] = nil
    }

    private func settle() throws {
        // Those that were deleted in what was taken back are there again.
        gone.removeAll { villager in handles.values.joined().contains { $0 == villager } }
        for villager in gone { try require(villager.isInvalidated, "a deleted villager is there") }
    }

    private func compareAll() throws {
        let found = graph.objects(Villager.self)
        try require(found.count == village.villagers.count, "\(found.count) villagers, not \(village.villagers.count)")
        let elders = graph.objects(Elder.self).count
        try require(elders == village.villagers.values.count(where: \.isElder), "\(elders) elders")
        for (id, naive) in village.villagers {
            for (i, handle) in (handles[id] ?? []).enumerated() {
                try require(!handle.isInvalidated, "handle \(i) of \(id) is of nothing")
                let shown = NaiveVillager(handle)
                try require(shown == naive, "handle \(i) of \(id) shows\n\(shown), not\n\(naive)")
            }
            let looked = graph.object(ofType: Villager.self, forPrimaryKey: id)
            try require(looked != nil && looked == live(id), "\(id) is looked up as another object")
        }
        let inverse = Dictionary(grouping: village.villagers.filter { $0.value.friend != nil }) { $0.value.friend }
        for id in ids.shuffled(using: &random).prefix(3) {
            let expected = Set((inverse[id] ?? []).map(\.key))
            try require(Set(live(id)?.friendOf.map(\.id) ?? []) == expected, "the friends of \(id) are others")
        }
        let name = random.word()
        try require(
            Set(found.where { $0.name == name }.map(\.id))
                == Set(village.villagers.filter { $0.value.name == name }.keys), "those named '\(name)' are others")
    }

    // MARK: Company

    /// Watches others from time to time, and keeps a version to look at later.
    private func changeCompany() throws {
        if random.chance(25), let id = ids.randomElement(using: &random), let villager = live(id) {
            let follower: any VillageFollower =
                switch random.draw(5) {
                case 0: numbersFollower(villager, id)
                case 1: palsFollower(villager, id)
                case 2: tagsFollower(villager, id)
                case 3: ScoresFollower(villager, id)
                default: VillagerFollower(villager, id)
                }
            followers.append(follower)
        }
        if followers.count > 12 { followers.remove(at: 3) }
        if random.chance(10) { frozen.append((graph.freeze(), village)) }
        guard frozen.count > 3 || (!frozen.isEmpty && random.chance(5)) else { return }
        let (graph, then) = frozen.removeFirst()
        var shown = NaiveVillage()
        for villager in graph.objects(Villager.self) { shown.villagers[villager.id] = NaiveVillager(villager) }
        try require(shown == then, "a frozen version shows\n\(shown), not\n\(then)")
    }
}
