import Banyan

/// What a version of the graph holds, object by object, as values: what observers hear of is to be found out from two of these.
struct VillagePicture {
    struct Node {
        /// By property. Objects are their identities; lists and dictionaries in AnyValues are what is in them.
        var values: [String: AnyHashable] = [:]
        /// The objects that it links to or owns.
        var links: Set<ObjectID> = []
        /// The key of the villager, or of the one that owns the hut.
        var villager: Int
    }

    private(set) var nodes: [ObjectID: Node] = [:]
    let sequence: UInt64

    init(_ graph: Graph) {
        sequence = graph.sequence
        for villager in graph.objects(Villager.self) { add(villager) }
    }

    private mutating func add(_ villager: Villager) {
        var node = Node(villager: villager.id)
        node.values = ["name": villager.name, "age": villager.age]
        node.link("friend", villager.friend)
        node.set("pals", villager.pals.map { node.id($0) })
        node.set("kin", Set(villager.kin.map { node.id($0) }))
        node.set(
            "helpers",
            Dictionary(
                uniqueKeysWithValues: villager.helpers.map { entry in (entry.key, entry.value.map { node.id($0) }) })
        )
        node.set("numbers", Array(villager.numbers))
        node.set("tags", Set(villager.tags))
        node.set("scores", Dictionary(uniqueKeysWithValues: villager.scores.map { ($0.key, $0.value) }))
        node.link("hut", villager.hut)
        node.set("huts", villager.huts.map { node.id($0) })
        node.set("keepsake", node.any(villager.keepsake))
        node.set("memories", villager.memories.map { node.any($0) })
        if let elder = villager as? Elder {
            node.set("wisdom", elder.wisdom)
            node.link("pupil", elder.pupil)
        }
        if let id = villager.objectID { nodes[id] = node }
        for hut in [villager.hut].compactMap(\.self) + Array(villager.huts) { add(hut, of: villager.id) }
    }

    private mutating func add(_ hut: Hut, of villager: Int) {
        var node = Node(villager: villager)
        node.set("colour", hut.colour)
        node.link("guest", hut.guest)
        node.set("rooms", Array(hut.rooms))
        if let id = hut.objectID { nodes[id] = node }
    }
}

extension VillagePicture.Node {
    fileprivate mutating func set(_ name: String, _ value: AnyHashable) { values[name] = value }

    fileprivate mutating func link(_ name: String, _ object: ObjectBase?) {
        values[name] = object.map { AnyHashable(id($0)) } ?? AnyHashable("nobody")
    }

    fileprivate mutating func id(_ object: ObjectBase) -> ObjectID? {
        let id = object.objectID
        if let id { links.insert(id) }
        return id
    }

    fileprivate mutating func any(_ value: AnyValue) -> AnyHashable {
        switch value {
        case .none: return "none"
        case .int(let number): return ["int", number] as [AnyHashable]
        case .double(let number): return ["double", number] as [AnyHashable]
        case .string(let text): return ["text", text]
        case .object(let object): return id(object)
        case .list(let list): return list.map { any($0) }
        case .dictionary(let map):
            var entries: [String: AnyHashable] = [:]
            for (key, value) in map { entries[key] = any(value) }
            return entries
        default: return "something else: \(value)"
        }
    }
}

/// What differs between two versions, by value.
struct VillageChanges {
    /// Whether there was a commit. If not, nobody is told anything.
    let isCommit: Bool
    /// By object that was there before and after: the properties that have other values.
    let properties: [ObjectID: Set<String>]
    /// Objects that differ, or reach one that does by up to four links: these count as modified.
    let modified: Set<ObjectID>
    /// The same with objects whose collections were changed and changed back, or given equal contents. Of those observers may be
    /// told too: that a collection holds what it held is not found out.
    let mayBeModified: Set<ObjectID>
    /// Of these, those that were changed themselves.
    let mayHaveChanged: Set<ObjectID>

    /// - Parameter touched: the villagers in whose collections something was done.
    init(_ before: VillagePicture, _ after: VillagePicture, touched: Set<Int>) {
        isCommit = before.sequence != after.sequence
        var properties: [ObjectID: Set<String>] = [:]
        var touchedIDs: Set<ObjectID> = []
        for (id, new) in after.nodes {
            guard let old = before.nodes[id] else { continue }
            if touched.contains(new.villager) { touchedIDs.insert(id) }
            let names = Set(new.values.keys).union(old.values.keys).filter { old.values[$0] != new.values[$0] }
            if !names.isEmpty { properties[id] = names }
        }
        self.properties = properties
        modified = Self.reaching(Set(properties.keys), in: after)
        mayHaveChanged = touchedIDs.union(properties.keys)
        mayBeModified = Self.reaching(mayHaveChanged, in: after)
    }

    private static func reaching(_ changed: Set<ObjectID>, in picture: VillagePicture) -> Set<ObjectID> {
        var (reached, frontier) = (changed, changed)
        for _ in 0..<4 {
            frontier = Set(
                picture.nodes.filter { !reached.contains($0.key) && !$0.value.links.isDisjoint(with: frontier) }.keys)
            reached.formUnion(frontier)
        }
        return reached
    }
}
