import Banyan

/// An observer with a copy of what it observes, to which it applies what it is told: it must come out as what is there.
protocol VillageFollower: AnyObject {
    func compare(before: NaiveVillage, after: NaiveVillage, life: VillageLife) throws
}

/// Positions as a collection tells of them.
struct ToldPositions {
    var deletions: [Int] = []
    var insertions: [Int] = []
    var modifications: [Int] = []

    /// Takes the way from `old` to `new`; what stays must be the same, or told as modified where it must be.
    func follow<T: Equatable>(
        from old: [T], to new: [T], _ what: String, _ life: VillageLife, mustBeModified: (T) -> Bool = { _ in false },
        isSame: (T, T) -> Bool = { $0 == $1 }
    ) throws {
        let (gone, come, modified) = (Set(deletions), Set(insertions), Set(modifications))
        let text = "-\(deletions) +\(insertions) ~\(modifications), from \(old) to \(new)"
        try life.require(
            deletions == gone.sorted() && insertions == come.sorted() && modifications == modified.sorted()
                && gone.isDisjoint(with: modified), "\(what): positions out of order or told twice: \(text)")
        try life.require(
            gone.union(modified).allSatisfy(old.indices.contains) && come.allSatisfy(new.indices.contains),
            "\(what): positions out of bounds: \(text)")
        let staying = old.indices.filter { !gone.contains($0) }
        let there = new.indices.filter { !come.contains($0) }
        try life.require(staying.count == there.count, "\(what): so much does not come out: \(text)")
        for (i, j) in zip(staying, there) {
            try life.require(isSame(old[i], new[j]) || modified.contains(i), "\(what): \(i) became \(j): \(text)")
            try life.require(!mustBeModified(new[j]) || modified.contains(i), "\(what): \(i) was modified: \(text)")
        }
    }
}

extension NaiveVillager {
    /// Without what is inside the lists and dictionaries of its AnyValues.
    var surface: NaiveVillager {
        func surface(_ value: NaiveAny) -> NaiveAny {
            switch value {
            case .list: .list([])
            case .dictionary: .dictionary([:])
            default: value
            }
        }
        var result = self
        result.keepsake = surface(keepsake)
        result.memories = memories.map(surface)
        return result
    }
}

/// Whether an object has other values than before.
private func isModified(_ id: Int, _ before: NaiveVillage, _ after: NaiveVillage) -> Bool {
    guard let old = before.villagers[id], let new = after.villagers[id] else { return false }
    return old.surface != new.surface
}

// MARK: - Collections

/// Follows a collection by the texts, numbers or keys of its elements.
final class CollectionFollower<C, T: Equatable>: VillageFollower {
    private let what: String
    private let read: () -> [T]?
    /// The keys of objects, which may be modified.
    private let key: (T) -> Int?
    private var copy: [T]
    private var told: [ToldPositions] = []
    private var begun = 0
    private var token: NotificationToken?

    init(
        _ what: String, _ read: @escaping () -> [T]?, key: @escaping (T) -> Int? = { _ in nil },
        _ observe: (@escaping (CollectionChange<C>) -> Void) -> NotificationToken
    ) {
        self.what = what
        self.read = read
        self.key = key
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
        try life.require(begun == 1, "\(what): begun \(begun) times")
        defer { told = [] }
        guard let now = read() else { return token = nil }
        try life.require(told.count <= 1, "\(what): told \(told.count) times of one commit")
        try (told.first ?? ToldPositions()).follow(
            from: copy, to: now, what, life,
            mustBeModified: { element in self.key(element).map { isModified($0, before, after) } ?? false })
        copy = now
    }
}

func resultsFollower(_ what: String, _ results: Results<Villager>) -> any VillageFollower {
    CollectionFollower(what, { results.map(\.id) }, key: { $0 }) { results.observe($0) }
}

func numbersFollower(_ villager: Villager, _ id: Int) -> any VillageFollower {
    CollectionFollower("numbers of \(id)", { villager.isInvalidated ? nil : Array(villager.numbers) }) {
        villager.numbers.observe($0)
    }
}

func palsFollower(_ villager: Villager, _ id: Int) -> any VillageFollower {
    CollectionFollower("pals of \(id)", { villager.isInvalidated ? nil : villager.pals.map(\.id) }, key: { $0 }) {
        villager.pals.observe($0)
    }
}

func tagsFollower(_ villager: Villager, _ id: Int) -> any VillageFollower {
    CollectionFollower("tags of \(id)", { villager.isInvalidated ? nil : Array(villager.tags) }) {
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
        defer { told = [] }
        guard !villager.isInvalidated else { return token = nil }
        try life.require(told.count <= 1, "scores of \(id): told \(told.count) times of one commit")
        let now = NaiveVillager(villager).scores
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
        guard token != nil else { return }
        try life.require(told.count <= 1, "villager \(id): told \(told.count) times of one commit")
        try life.require(deletions == (villager.isInvalidated ? 1 : 0), "villager \(id): \(deletions) deletions told")
        guard deletions == 0, let old = before.villagers[id], let new = after.villagers[id] else { return token = nil }
        let changes = Dictionary(uniqueKeysWithValues: told.joined().map { ($0.name, $0) })
        // Exactly, but of links (to another object with the same key) and of collections (changed, and changed back).
        func compare<T: Equatable>(_ name: String, _ a: T, _ b: T, isExact: Bool = true) throws {
            let isTold = changes[name] != nil
            try life.require(
                isTold == (a != b) || (isTold && !isExact),
                "villager \(id): \(name), \(a) → \(b), is \(isTold ? "" : "not ")told")
        }
        try compare("name", old.name, new.name)
        try compare("age", old.age, new.age)
        try compare("friend", old.friend, new.friend, isExact: false)
        try compare("wisdom", old.wisdom, new.wisdom)
        try compare("pupil", old.pupil, new.pupil, isExact: false)
        try compare("pals", old.pals, new.pals, isExact: false)
        try compare("kin", old.kin, new.kin, isExact: false)
        try compare("helpers", old.helpers, new.helpers, isExact: false)
        try compare("numbers", old.numbers, new.numbers, isExact: false)
        try compare("tags", old.tags, new.tags, isExact: false)
        try compare("scores", old.scores, new.scores, isExact: false)
        try compare("keepsake", old.surface.keepsake, new.surface.keepsake, isExact: false)
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
