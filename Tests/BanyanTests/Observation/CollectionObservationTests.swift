import Banyan
import Testing

@Suite("Observing lists, sets and maps")
struct CollectionObservationTests {
    @Test("A list tells exact positions")
    func list() throws {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1)) { for i in 0..<5 { $0.hounds.append(Hound("\(i)")) } }
        let log = Log()
        let token = owner.hounds.observe { log.add(Told($0)) }
        #expect(log.take() == [.initial(5)])
        try graph.write {
            owner.hounds.remove(at: 1)
            owner.hounds.append(Hound("new"))
            owner.hounds.insert(Hound("first"), at: 0)
        }
        #expect(log.take() == [.update(count: 6, deletions: [1], insertions: [0, 5], modifications: [])])
        try graph.write { owner.hounds[2].name = "renamed" }
        #expect(log.take() == [.update(count: 6, deletions: [], insertions: [], modifications: [2])])
        try graph.write { graph.delete(owner.hounds[3]) }
        #expect(log.take() == [.update(count: 5, deletions: [3], insertions: [], modifications: [])])
        try graph.write { owner.age = 9 }
        #expect(log.take().isEmpty)
        graph.undoing { owner.hounds.removeAll() }
        #expect(log.take().isEmpty)
        try graph.write { graph.delete(owner) }
        #expect(log.take() == [.update(count: 0, deletions: [0, 1, 2, 3, 4], insertions: [], modifications: [])])
        try graph.added(Owner(1))
        #expect(log.take().isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test("Several commits elsewhere come as one exact change of the list")
    func merged() throws {
        let store = try Store(.init(models: [Item.self]))
        let (here, there) = (Graph(store), Graph(store))
        let item = try here.added(Item()) { $0.numbers = [1, 2, 3, 4, 5] }
        let log = Log()
        let token = item.numbers.observe { log.add(Told($0)) }
        _ = log.take()
        there.refresh()
        let numbers = try #require(there.objects(Item.self).first).numbers
        try there.write { numbers.remove(at: 0) }
        try there.write { numbers.append(6) }
        try there.write { numbers[0] = 20 }
        try there.write { numbers.insert(0, at: 0) }
        try there.write { numbers.remove(at: 0) }
        here.refresh()
        #expect(log.take() == [.update(count: 5, deletions: [0], insertions: [4], modifications: [1])])
        #expect(Array(item.numbers) == [20, 3, 4, 5, 6])
        withExtendedLifetime(token) {}
    }

    @Test("A set tells positions in its order, a map its keys")
    func sortedOnes() throws {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1)) {
            $0.tags = MutableSet(["b", "d", "f"])
            $0.byName["x"] = Hound("x")
            $0.byName["y"] = Hound("y")
        }
        let log = Log()
        var keys: [String] = []
        let tokens = [
            owner.tags.observe { log.add(Told($0)) },
            owner.byName.observe { change in
                if case .update(_, let deletions, let insertions, let modifications) = change {
                    keys.append("-\(deletions) +\(insertions) ~\(modifications)")
                }
            },
        ]
        _ = log.take()
        try graph.write {
            owner.tags.remove("d")
            owner.tags.insert("a")
            owner.tags.insert("e")
        }
        #expect(log.take() == [.update(count: 4, deletions: [1], insertions: [0, 2], modifications: [])])
        #expect(keys.isEmpty)
        try graph.write {
            owner.byName["x"] = nil
            owner.byName["z"] = Hound("z")
        }
        try graph.write { (owner.byName["y"] ?? nil)?.name = "renamed" }
        try graph.write { owner.byName["z"] = Hound("another") }
        try graph.write { if let hound = owner.byName["y"] ?? nil { graph.delete(hound) } }
        let expected = [#"-["x"] +["z"] ~[]"#, #"-[] +[] ~["y"]"#, #"-[] +[] ~["z"]"#, #"-[] +[] ~["y"]"#]
        #expect(keys == expected)
        #expect(log.take().isEmpty)
        withExtendedLifetime(tokens) {}
    }

    @Test(
        "Applying what a list's observer is told to a plain array gives the list, over random commits", arguments: 1...3
    )
    func replay(_ seed: Int) throws {
        let store = try Store(.init(models: [Item.self]))
        let (here, there) = (Graph(store), Graph(store))
        let item = try here.added(Item()) { $0.numbers = List(0..<30) }
        there.refresh()
        let numbers = try #require(there.objects(Item.self).first).numbers
        var mirror: [Int] = []
        let token = item.numbers.observe { change in
            switch change {
            case .initial(let list): mirror = Array(list)
            case .update(let list, let deletions, let insertions, let modifications):
                var kept = mirror.indices.filter { !deletions.contains($0) }
                for position in deletions.reversed() { mirror.remove(at: position) }
                for position in insertions {
                    mirror.insert(list[position], at: position)
                    kept.insert(-1, at: position)
                }
                for old in modifications { if let now = kept.firstIndex(of: old) { mirror[now] = list[now] } }
            }
        }
        var random = SplitMix(seed: UInt64(seed))
        func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
        for _ in 0..<150 {
            for _ in 0..<number(1..<4) {
                try there.write {
                    for _ in 0..<number(1..<4) {
                        switch number(0..<6) {
                        case 0, 1: numbers.insert(number(0..<100), at: number(0..<numbers.count + 1))
                        case 2 where !numbers.isEmpty: numbers.remove(at: number(0..<numbers.count))
                        case 3 where !numbers.isEmpty: numbers[number(0..<numbers.count)] = number(0..<100)
                        case 4 where numbers.count > 1:
                            numbers.move(from: number(0..<numbers.count), to: number(0..<numbers.count))
                        default: numbers.append(number(0..<100))
                        }
                    }
                }
            }
            here.refresh()
            #expect(mirror == Array(item.numbers))
        }
        withExtendedLifetime(token) {}
    }

    @Test("An inverse tells who comes and goes, as often as they link, and who changes")
    func inverse() throws {
        let graph = try kinGraph()
        let hound = try graph.added(Hound("Rex"))
        let (ada, eve) = (try graph.added(Owner(1)), try graph.added(Owner(2)))
        let log = Log()
        let token = hound.owners.observe { log.add(Told($0)) }
        #expect(log.take() == [.initial(0)])
        try graph.write {
            ada.hounds.append(hound)
            ada.hounds.append(hound)
        }
        #expect(log.take() == [.update(count: 2, deletions: [], insertions: [0, 1], modifications: [])])
        try graph.write { eve.hounds.append(hound) }
        #expect(log.take() == [.update(count: 3, deletions: [], insertions: [2], modifications: [])])
        try graph.write { ada.name = "Ada" }
        #expect(log.take() == [.update(count: 3, deletions: [], insertions: [], modifications: [0, 1])])
        graph.undoing { ada.hounds.removeAll() }
        #expect(log.take().isEmpty)
        try graph.write { graph.delete(eve) }
        #expect(log.take() == [.update(count: 2, deletions: [2], insertions: [], modifications: [])])
        try graph.write { ada.hounds.removeAll() }
        #expect(log.take() == [.update(count: 0, deletions: [0, 1], insertions: [], modifications: [])])
        withExtendedLifetime(token) {}
    }

    @Test("Whatever kind of collection an erased one is made of, it tells the same")
    func erased() throws {
        let graph = try kinGraph()
        let hound = Hound("Rex")
        let owner = try graph.added(Owner(1)) {
            $0.hounds.append(hound)
            $0.walked.insert(hound)
        }
        let collections = [
            AnyObjectCollection(owner.hounds), AnyObjectCollection(owner.walked),
            AnyObjectCollection(graph.objects(Hound.self)),
            AnyObjectCollection(AnyObjectCollection(owner.hounds.where { $0.age < 9 })),
        ]
        let (log, told) = (Log(), Log())
        let tokens =
            collections.map { collection in collection.observe { log.add(Told($0)) } }
            + [
                AnyObjectCollection(hound.owners).observe { told.add(Told($0)) },
                AnyObjectCollection(owner.tags).observe { told.add(Told($0)) },
            ]
        #expect(log.take() == Array(repeating: .initial(1), count: 4))
        #expect(told.take() == [.initial(1), .initial(0)])
        try graph.write { hound.name = "Fido" }
        #expect(
            log.take()
                == Array(repeating: .update(count: 1, deletions: [], insertions: [], modifications: [0]), count: 4))
        _ = told.take()
        try graph.write { owner.tags.insert("t") }
        #expect(told.take().contains(.update(count: 1, deletions: [], insertions: [0], modifications: [])))
        try graph.write { graph.delete(hound) }
        #expect(
            log.take()
                == Array(repeating: .update(count: 0, deletions: [0], insertions: [], modifications: []), count: 4))
        withExtendedLifetime(tokens) {}
    }
}
