import Banyan

/// The oracle of the random lives: what the graph holds as values, with keys where there are links.
struct NaiveVillage: Equatable {
    var villagers: [Int: NaiveVillager] = [:]

    /// Takes a villager away, and every link to it.
    mutating func delete(_ id: Int) {
        villagers[id] = nil
        for other in villagers.keys { villagers[other]?.forget(id) }
    }
}

struct NaiveVillager: Equatable {
    var isElder = false
    var name = ""
    var age = 0
    var friend: Int?
    var pals: [Int] = []
    var kin: Set<Int> = []
    var helpers: [String: Int?] = [:]
    var numbers: [Int] = []
    var tags: Set<String> = []
    var scores: [String: Int] = [:]
    var hut: NaiveHut?
    var huts: [NaiveHut] = []
    var keepsake = NaiveAny.none
    var memories: [NaiveAny] = []
    var wisdom = 0.0
    var pupil: Int?

    fileprivate mutating func forget(_ id: Int) {
        if friend == id { friend = nil }
        if pupil == id { pupil = nil }
        pals.removeAll { $0 == id }
        kin.remove(id)
        for (key, helper) in helpers where helper == id { helpers.updateValue(nil, forKey: key) }
        if hut?.guest == id { hut?.guest = nil }
        for i in huts.indices where huts[i].guest == id { huts[i].guest = nil }
        keepsake = keepsake.without(id)
        memories = memories.map { $0.without(id) }
    }
}

struct NaiveHut: Equatable {
    var colour = ""
    var guest: Int?
    var rooms: [String] = []
}

indirect enum NaiveAny: Equatable {
    case none
    case int(Int)
    case double(Double)
    case text(String)
    case villager(Int)
    case list([NaiveAny])
    case dictionary([String: NaiveAny])

    fileprivate func without(_ id: Int) -> NaiveAny {
        switch self {
        case .villager(id): .none
        case .list(let values): .list(values.map { $0.without(id) })
        case .dictionary(let entries): .dictionary(entries.mapValues { $0.without(id) })
        case .none, .int, .double, .text, .villager: self
        }
    }
}

// MARK: - What live objects show

extension NaiveVillager {
    init(_ live: Villager) {
        let elder = live as? Elder
        self.init(
            isElder: elder != nil, name: live.name, age: live.age, friend: live.friend?.id, pals: live.pals.map(\.id),
            kin: Set(live.kin.map(\.id)),
            helpers: Dictionary(uniqueKeysWithValues: live.helpers.map { ($0.key, $0.value?.id) }),
            numbers: Array(live.numbers), tags: Set(live.tags),
            scores: Dictionary(uniqueKeysWithValues: live.scores.map { ($0.key, $0.value) }),
            hut: live.hut.map(NaiveHut.init), huts: live.huts.map(NaiveHut.init), keepsake: NaiveAny(live.keepsake),
            memories: live.memories.map(NaiveAny.init), wisdom: elder?.wisdom ?? 0, pupil: elder?.pupil?.id)
    }
}

extension NaiveHut {
    init(_ live: Hut) { self.init(colour: live.colour, guest: live.guest?.id, rooms: Array(live.rooms)) }
}

extension NaiveAny {
    init(_ live: AnyValue) {
        switch live {
        case .int(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .text(value)
        case .object(let object): self = (object as? Villager).map { .villager($0.id) } ?? .text("a stranger")
        case .list(let list): self = .list(list.map(NaiveAny.init))
        case .dictionary(let map):
            self = .dictionary(Dictionary(uniqueKeysWithValues: map.map { ($0.key, NaiveAny($0.value)) }))
        case .none: self = .none
        default: self = .text("something else: \(live)")
        }
    }
}

// MARK: - Live objects of what is naive

extension NaiveVillager {
    /// An unmanaged villager; `live` gives those it is linked to.
    func unmanaged(_ id: Int, _ live: (Int) -> Villager?) -> Villager {
        let elder = isElder ? Elder() : nil
        let result = elder ?? Villager()
        result.id = id
        result.name = name
        result.age = age
        result.friend = friend.flatMap(live)
        result.pals.append(objectsIn: pals.compactMap(live))
        result.kin.insert(objectsIn: kin.compactMap(live))
        for (key, helper) in helpers { result.helpers.updateValue(helper.flatMap(live), forKey: key) }
        result.numbers.append(objectsIn: numbers)
        result.tags.insert(objectsIn: tags)
        for (key, score) in scores { result.scores[key] = score }
        result.hut = hut.map { $0.unmanaged(live) }
        result.huts.append(objectsIn: huts.map { $0.unmanaged(live) })
        result.keepsake = keepsake.live(live)
        result.memories.append(objectsIn: memories.map { $0.live(live) })
        elder?.wisdom = wisdom
        elder?.pupil = pupil.flatMap(live)
        return result
    }
}

extension NaiveHut {
    func unmanaged(_ live: (Int) -> Villager?) -> Hut {
        let result = Hut()
        result.colour = colour
        result.guest = guest.flatMap(live)
        result.rooms.append(objectsIn: rooms)
        return result
    }
}

extension NaiveAny {
    func live(_ live: (Int) -> Villager?) -> AnyValue {
        switch self {
        case .none: .none
        case .int(let value): .int(value)
        case .double(let value): .double(value)
        case .text(let value): .string(value)
        case .villager(let id): live(id).map { .object($0) } ?? .none
        case .list(let values): .fromArray(values.map { $0.live(live) })
        case .dictionary(let entries): .fromDictionary(entries.mapValues { $0.live(live) })
        }
    }
}
