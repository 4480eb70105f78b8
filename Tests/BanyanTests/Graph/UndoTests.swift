import Banyan
import BanyanCore
import BanyanTesting
import Testing

@Suite("Undoing a commit")
struct UndoTests {
    private static let models: [ObjectBase.Type] = [Owner.self, Fleet.self, Truck.self, Minibus.self]

    private func graph() throws -> Graph { Graph(try Store(.init(models: Self.models))) }

    /// What the graph holds, told without object ids.
    private static func told(_ graph: Graph) -> [String] {
        func name(_ hound: Hound?) -> String { hound.map { "\($0.name) \($0.age)" } ?? "nil" }
        return graph.objects(Owner.self).map { owner in
            [
                "\(owner.id) \(owner.name) \(owner.age)", name(owner.favourite), "\(owner.friend?.id ?? -1)",
                "\(owner.hounds.map(name))", "\(owner.walked.map(name).sorted())",
                "\(owner.byName.map { "\($0.key): \(name($0.value))" })", "\(owner.tags.sorted())",
                owner.abode?.city ?? "nil", "\(owner.formerAbodes.map(\.city))",
                "\(owner.namedAbodes.map { "\($0.key): \($0.value?.city ?? "nil")" })",
                "\(owner.friendOf.map(\.id).sorted())",
            ].joined(separator: "; ")
        }.sorted() + graph.objects(Hound.self).map { "\($0.name) \($0.owners.count) \($0.walkers.count)" }.sorted()
    }

    private static func abode(_ city: String) -> Abode {
        let abode = Abode()
        abode.city = city
        return abode
    }

    @discardableResult
    private static func owner(_ id: Int, in graph: Graph) throws -> Owner {
        let owner = Owner(id, "owner \(id)")
        let hounds = (0..<4).map { Hound("hound \(id).\($0)") }
        owner.favourite = hounds[0]
        owner.hounds.append(objectsIn: hounds + [hounds[1]])
        owner.walked.insert(hounds[2])
        owner.byName["a"] = hounds[3]
        owner.tags.insert("x")
        owner.abode = abode("home \(id)")
        owner.formerAbodes.append(objectsIn: (0..<5).map { abode("past \(id).\($0)") })
        owner.namedAbodes["summer"] = abode("lake \(id)")
        try graph.add(owner)
        return owner
    }

    @Test("Every kind of change is taken back", arguments: 0..<14)
    func kinds(_ kind: Int) throws {
        let graph = try graph()
        try graph.write {
            for id in 1...3 { try Self.owner(id, in: graph) }
            graph.objects(Owner.self)[1].friend = graph.objects(Owner.self)[0]
        }
        let before = Self.told(graph)
        let commit = try graph.commit { graph in
            let one = try #require(graph.object(ofType: Owner.self, forPrimaryKey: 1))
            switch kind {
            case 0: one.name = "renamed"
            case 1: try Self.owner(9, in: graph)
            case 2: graph.delete(one)
            case 3: graph.delete(one.hounds[1])
            case 4:
                one.hounds.remove(at: 0)
                one.hounds.append(Hound("new"))
                one.hounds.move(from: 0, to: 3)
            case 5: one.formerAbodes.remove(at: 2)
            case 6:
                one.formerAbodes.move(from: 4, to: 0)
                one.formerAbodes.insert(Self.abode("new"), at: 2)
            case 7:
                one.abode = Self.abode("elsewhere")
                one.namedAbodes["winter"] = Self.abode("hills")
            case 8: one.namedAbodes.removeAll()
            case 9:
                one.walked.removeAll()
                one.walked.insert(one.hounds[0])
                one.tags.insert("y")
                one.tags.remove("x")
            case 10:
                one.byName["a"] = nil
                one.byName["b"] = one.hounds[2]
            case 11: graph.deleteAll()
            case 12:
                graph.delete(one)
                try graph.add(Owner(1, "another with the key"))
            default:
                one.favourite = nil
                one.friend = one
                one.age = 7
            }
        }
        #expect(!commit.isEmpty && commit.sequence == graph.sequence)
        let changed = Self.told(graph)
        #expect(changed != before)
        graph.undoing { try graph.undo(commit) }
        #expect(Self.told(graph) == changed)
        let redo = try graph.commit { try $0.undo(commit) }
        #expect(Self.told(graph) == before)
        try graph.write { try graph.undo(redo) }
        #expect(Self.told(graph) == changed)
    }

    @Test("What was changed elsewhere since stays")
    func elsewhere() throws {
        let graph = try graph()
        try graph.write { for id in 1...2 { try Self.owner(id, in: graph) } }
        let commit = try graph.commit { $0.objects(Owner.self)[0].name = "one" }
        try graph.write {
            graph.objects(Owner.self)[0].age = 50
            graph.objects(Owner.self)[1].name = "two"
        }
        try graph.write { try graph.undo(commit) }
        #expect(graph.objects(Owner.self).map(\.name) == ["owner 1", "two"])
        #expect(graph.objects(Owner.self)[0].age == 50)
    }

    @Test("A conflict names what was changed since, and changes nothing", arguments: 0..<6)
    func conflicts(_ kind: Int) throws {
        let graph = try graph()
        try graph.write { for id in 1...2 { try Self.owner(id, in: graph) } }
        let owners = graph.objects(Owner.self)
        let commit = try graph.commit { graph in
            switch kind {
            case 0: owners[0].name = "x"
            case 1, 4: try Self.owner(3, in: graph)
            case 2: owners[0].hounds.removeLast()
            case 3: owners[0].favourite = nil
            default: graph.delete(owners[0])
            }
        }
        try graph.write {
            switch kind {
            case 0: owners[0].name = "y"
            case 1: owners[0].friend = owners[2]
            case 2: owners[0].hounds.append(owners[1].hounds[0])
            case 3: graph.delete(owners[0].hounds[0])
            case 4: owners[2].tags.insert("later")
            default: try graph.add(Owner(1))
            }
        }
        let told = Self.told(graph)
        let error = graph.fault { try $0.undo(commit) }
        #expect(error?.code == .conflict)
        #expect(error?.location.type == "Owner")
        #expect(error?.location.property == ["name", nil, "hounds", "favourite", "tags", "id"][kind])
        #expect(Self.told(graph) == told)
        // The write may go on.
        try graph.write {
            #expect(throws: BanyanError.self) { try graph.undo(commit) }
            owners[0].age = 99
        }
        #expect(owners[0].age == 99)
    }

    @Test("Texts that only look the same are told apart")
    func looks() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        let graph = try graph()
        try graph.write { try Self.owner(1, in: graph) }
        let owner = graph.objects(Owner.self)[0]
        let commit = try graph.commit { _ in owner.name = composed }
        try graph.write { owner.name = decomposed }
        #expect(graph.fault { try $0.undo(commit) }?.code == .conflict)

        try graph.write { owner.byName[composed] = owner.hounds[0] }
        let rekeyed = try graph.commit { _ in
            owner.byName[composed] = nil
            owner.byName[decomposed] = owner.hounds[0]
        }
        try graph.write { try graph.undo(rekeyed) }
        #expect(owner.byName.keys.map { Array($0.utf8) } == ["a", composed].map { Array($0.utf8) })
    }

    @Test("Undoing outside a write, and in another store, is refused; nothing is a commit as well")
    func refusals() throws {
        let store = try Store(.init(models: Self.models))
        let graph = Graph(store)
        let commit = try graph.commit { try $0.add(Owner(1)) }
        #expect(throws: BanyanError.self) { try graph.undo(commit) }
        let fork = Graph(store.fork())
        #expect(fork.fault { try $0.undo(commit) }?.code == .foreignObject)
        let nothing = try graph.commit { _ in }
        #expect(nothing.isEmpty && nothing.sequence == commit.sequence)
        try graph.write { try graph.undo(nothing) }
        #expect(graph.objects(Owner.self).count == 1)
    }

    @Test("Any commit is undone, whatever it did", arguments: 1...8)
    func random(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let graph = try graph()
        try graph.write { for id in 1...4 { try Self.owner(id, in: graph) } }
        var next = 10
        for step in 0..<40 {
            let before = Self.told(graph)
            let commit = try graph.commit { graph in
                for _ in 0...Int.random(in: 0..<5, using: &random) {
                    let owners = graph.objects(Owner.self)
                    guard let owner = Array(owners).randomElement(using: &random) else { continue }
                    let hound = Array(graph.objects(Hound.self)).randomElement(using: &random)
                    switch Int.random(in: 0..<11, using: &random) {
                    case 0:
                        next += 1
                        try Self.owner(next, in: graph)
                    case 1 where owners.count > 2: graph.delete(owner)
                    case 2: if let hound { graph.delete(hound) }
                    case 3: if let hound { owner.hounds.insert(hound, at: 0) }
                    case 4 where owner.hounds.count > 1: owner.hounds.move(from: 0, to: owner.hounds.count - 1)
                    case 5 where !owner.formerAbodes.isEmpty:
                        owner.formerAbodes.remove(at: Int.random(in: 0..<owner.formerAbodes.count, using: &random))
                    case 6: owner.formerAbodes.insert(Self.abode("step \(step)"), at: 0)
                    case 7: owner.abode = Bool.random(using: &random) ? nil : Self.abode("home of step \(step)")
                    case 8: owner.byName["k\(Int.random(in: 0..<4, using: &random))"] = hound
                    case 9: owner.friend = owners.randomElement(using: &random)
                    default: owner.namedAbodes["s\(step % 3)"] = Self.abode("\(step)")
                    }
                }
            }
            guard Bool.random(using: &random) else { continue }
            try graph.write { try graph.undo(commit) }
            #expect(Self.told(graph) == before, "seed \(seed), step \(step)")
        }
    }
}
