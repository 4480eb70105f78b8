import Banyan

/// An observer with a copy of what it observes, to which it applies what it is told: it must come out as what is there.
protocol VillageFollower: AnyObject {
    func compare(before: NaiveVillage, after: NaiveVillage, life: VillageLife) throws
}

// MARK: - Collections

/// Follows a collection by its values, or by the identities of its objects.
final class CollectionFollower<C, T: Hashable>: VillageFollower {
    private let what: String
    private let read: () -> [T]?
    private let kind: (VillageLife) -> ToldPositions.Kind
    private var copy: [T]
    private var told: [ToldPositions] = []
    private var begun = 0
    private var token: NotificationToken?

    init(
        _ what: String, _ kind: @escaping (VillageLife) -> ToldPositions.Kind, _ read: @escaping () -> [T]?,
        _ observe: (@escaping (CollectionChange<C>) -> Void) -> NotificationToken
    ) {
        self.what = what
        self.read = read
        self.kind = kind
        copy = read() ?? []
        token = observe { [unowned self] change in
            switch change {
            case .initial: begun += 1
            case .update(_, let deletions, let insertions, let modifications):
                told.append(
                    ToldPositions(deletions: deletions, insertions: insertions, modifications: modifications))
            }
        }
    }

    func compare(before: NaiveVillage, after: NaiveVillage, life: VillageLife) throws {
        guard token != nil else { return try life.require(told.isEmpty, "\(what): told after the end") }
        try life.require(begun == 1, "\(what): begun \(begun) times")
        defer { told = [] }
        try life.require(told.count <= 1, "\(what): told \(told.count) times of one commit")
        guard let now = read() else {
            // The owner was deleted.
            try life.require(
                told == [ToldPositions(deletions: Array(copy.indices))], "\(what): told \(told), when \(copy) went")
            return token = nil
        }
        try life.require(told.first != ToldPositions(), "\(what): told of nothing")
        try (told.first ?? ToldPositions()).follow(from: copy, to: now, what, kind(life), life)
        copy = now
    }
}

func resultsFollower(_ what: String, _ results: Results<Villager>) -> any VillageFollower {
    CollectionFollower(what, { _ in .results }, { results.compactMap(\.objectID) }) { results.observe($0) }
}

func numbersFollower(_ villager: Villager, _ id: Int) -> any VillageFollower {
    let list = { (life: VillageLife) in ToldPositions.Kind.list(life.edits(of: "numbers \(id)")) }
    return CollectionFollower("numbers of \(id)", list, { villager.isInvalidated ? nil : Array(villager.numbers) }) {
        villager.numbers.observe($0)
    }
}

func palsFollower(_ villager: Villager, _ id: Int) -> any VillageFollower {
    let list = { (life: VillageLife) in ToldPositions.Kind.list(life.edits(of: "pals \(id)")) }
    let read = { villager.isInvalidated ? nil : villager.pals.compactMap(\.objectID) }
    return CollectionFollower("pals of \(id)", list, read) { villager.pals.observe($0) }
}

func tagsFollower(_ villager: Villager, _ id: Int) -> any VillageFollower {
    CollectionFollower("tags of \(id)", { _ in .set }, { villager.isInvalidated ? nil : Array(villager.tags) }) {
        villager.tags.observe($0)
    }
}

// MARK: - Maps

final class ScoresFollower: VillageFollower {
    private let villager: Villager
    private let id: Int
    private var copy: [String: Int]
    private var told: [(deletions: [String], insertions: [String], modifications: [String])] = []
    private var token: NotificationToken?

    init(_ villager: Villager, _ id: Int) {
        self.villager = villager
        self.id = id
        copy = NaiveVillager(villager).scores
        token = villager.scores.observe { [unowned self] change in
            if case .update(_, let deletions, let insertions, let modifications) = change {
                told.append((deletions, insertions, modifications))
            }
        }
    }

    func compare(before: NaiveVillage, after: NaiveVillage, life: VillageLife) throws {
        guard token != nil else { return try life.require(told.isEmpty, "scores of \(id): told after the end") }
        defer { told = [] }
        try life.require(told.count <= 1, "scores of \(id): told \(told.count) times of one commit")
        guard !villager.isInvalidated else {
            let gone = told.first?.deletions ?? ["nothing"]
            try life.require(gone == copy.keys.sorted(), "scores of \(id): told that \(gone) went, not \(copy)")
            return token = nil
        }
        let now = NaiveVillager(villager).scores
        try life.require(told.isEmpty == (copy == now), "scores of \(id): told \(told) of \(copy) and \(now)")
        for (deletions, insertions, modifications) in told {
            for key in deletions {
                try life.require(copy.removeValue(forKey: key) != nil, "scores of \(id): '\(key)' was not there")
            }
            for key in insertions {
                try life.require(copy[key] == nil, "scores of \(id): '\(key)' was there")
                copy[key] = now[key]
            }
            for key in modifications {
                try life.require(copy[key] != now[key], "scores of \(id): '\(key)' is what it was")
                copy[key] = now[key]
            }
        }
        try life.require(copy == now, "scores of \(id): \(copy), not \(now), told \(told)")
    }
}

// MARK: - Objects

final class VillagerFollower: VillageFollower {
    private let villager: Villager
    private let id: Int
    private var told: [[PropertyChange]] = []
    private var deletions = 0
    private var token: NotificationToken?

    init(_ villager: Villager, _ id: Int) {
        self.villager = villager
        self.id = id
        token = villager.observe { [unowned self] (change: ObjectChange<Villager>) in
            switch change {
            case .change(_, let properties): told.append(properties)
            case .deleted: deletions += 1
            }
        }
    }

    func compare(before: NaiveVillage, after: NaiveVillage, life: VillageLife) throws {
        defer { told = [] }
        guard token != nil else { return try life.require(told.isEmpty, "villager \(id): told after the end") }
        try life.require(told.count <= 1, "villager \(id): told \(told.count) times of one commit")
        try life.require(deletions == (villager.isInvalidated ? 1 : 0), "villager \(id): \(deletions) deletions told")
        guard deletions == 0, let old = before.villagers[id], let new = after.villagers[id] else { return token = nil }
        let changes = Dictionary(uniqueKeysWithValues: told.joined().map { ($0.name, $0) })
        let differing = villager.objectID.flatMap { life.changes.properties[$0] } ?? []
        // Exactly, but of collections that were changed and changed back, or given equal contents.
        let collections: Set = ["pals", "kin", "helpers", "numbers", "tags", "scores", "huts", "memories", "keepsake"]
        let excepted = life.touched.contains(id) ? collections : []
        try life.require(
            differing.isSubset(of: changes.keys) && differing.union(excepted).isSuperset(of: changes.keys),
            "villager \(id): \(changes.keys.sorted()) told, where \(differing.sorted()) differ")
        if let name = changes["name"] {
            try life.require(
                name.oldValue as? String == old.name && name.newValue as? String == new.name,
                "villager \(id): name from \(name.oldValue ?? "nil") to \(name.newValue ?? "nil")")
        }
        if let age = changes["age"] {
            try life.require(
                age.oldValue as? Int == old.age && age.newValue as? Int == new.age,
                "villager \(id): age from \(age.oldValue ?? "nil") to \(age.newValue ?? "nil")")
        }
    }
}
