import Banyan
import Testing

@Suite("Observed results, kept up with the changes")
struct KeptResultsTests {
    /// Keeps up with results by what it is told of them.
    private final class Follower {
        let results: Results<Item>
        var ids: [Int] = []
        var told: (deletions: [Int], insertions: [Int], modifications: [Int])?
        var token: NotificationToken?

        init(_ results: Results<Item>) {
            self.results = results
            token = results.observe { [unowned self] change in
                switch change {
                case .initial(let results): ids = results.map(\.id)
                case .update(_, let deletions, let insertions, let modifications):
                    told = (deletions, insertions, modifications)
                }
            }
        }

        /// Applies what was told; returns the ids that were deleted and inserted, and those modified in place.
        func take() -> (moved: Set<Int>, modified: Set<Int>) {
            guard let told else { return ([], []) }
            self.told = nil
            let now = results.map(\.id)
            let modified = told.modifications.map { ids[$0] }
            let moved = Set(told.deletions.map { ids[$0] } + told.insertions.map { now[$0] })
            for position in told.deletions.reversed() { ids.remove(at: position) }
            for position in told.insertions { ids.insert(now[position], at: position) }
            return (moved, Set(modified))
        }

        /// What is wrong with what was told of the way from `before` to `after`: it has to be all that differs, and no more.
        func complaints(_ before: Naive, _ after: Naive) -> [String] {
            let (old, new) = (ids, results.map(\.id))
            let (moved, modified) = take()
            var complaints = ids == new ? [] : ["\(old) becomes \(ids), not \(new)"]
            func place(_ ids: [Int]) -> [Int: Int] {
                Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
            }
            let (was, now) = (place(old), place(new))
            let staying = old.filter { now[$0] != nil && !moved.contains($0) }
            for id in Set(old).union(new) {
                let isSame = before[id]?.birth == after[id]?.birth
                guard let i = was[id], let j = now[id], isSame else {
                    // It came, it went, or it is another one with the same key.
                    if !moved.contains(id) { complaints.append("\(id) came or went, untold") }
                    continue
                }
                let differs = before[id] != after[id]
                if !moved.contains(id) {
                    if modified.contains(id) != differs {
                        complaints.append("\(id) is \(differs ? "" : "not ")modified")
                    }
                } else if !differs {
                    complaints.append("\(id) moved, and does not differ")
                } else if staying.allSatisfy({ (was[$0, default: 0] < i) == (now[$0, default: 0] < j) }) {
                    complaints.append("\(id) could have stayed")
                }
            }
            return complaints
        }
    }

    /// What items hold, by key.
    private typealias Naive = [Int: NaiveItem]

    private struct NaiveItem: Equatable {
        /// Tells one from another that had the same key before.
        let birth: Int
        var group = 0
        var flag = false
        var price = 0.0
        var note: String?
        var parts = 0
    }

    /// Some changes in one write. What is changed and changed back does not differ.
    private func change(
        _ count: Int, among keys: Int, _ naive: inout Naive, _ births: inout Int, _ random: inout SplitMix,
        in graph: Graph, changesParts: Bool
    ) throws {
        for _ in 0..<count {
            let id = Int.random(in: 0..<keys, using: &random)
            guard let item = graph.object(ofType: Item.self, forPrimaryKey: id) else {
                try graph.create(Item.self, value: ["id": id, "flag": true])
                births += 1
                naive[id] = NaiveItem(birth: births, flag: true)
                continue
            }
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                item.group = Int.random(in: 0..<50, using: &random)
                naive[id]?.group = item.group
            case 1:
                item.flag.toggle()
                naive[id]?.flag.toggle()
            case 2:
                item.price += 0.5
                naive[id]?.price += 0.5
            case 3 where changesParts:
                item.parts.append(item)
                naive[id]?.parts += 1
            case 3:
                let note = ["one", "a note that is longer than fifteen bytes"].randomElement(using: &random)
                item.note = note
                naive[id]?.note = note
            case 4:
                let group = item.group
                item.group = group + 100
                item.group = group
            default:
                graph.delete(item)
                naive[id] = nil
            }
        }
    }

    @Test("What differs is told, all of it and nothing else, with many objects on many pages", arguments: 1...3)
    func exact(_ seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        let graph = Graph(try Store(.init(models: [Item.self])))
        try graph.write { for i in 0..<2_000 { try graph.create(Item.self, value: ["id": i, "group": i % 50]) } }
        var births = 2_000
        var naive = Dictionary(uniqueKeysWithValues: (0..<2_000).map { ($0, NaiveItem(birth: $0, group: $0 % 50)) })
        let all = graph.objects(Item.self)
        let followers = [
            all, all.where { $0.group < 25 }, all.sorted(by: \.group), all.where { $0.flag }.sorted(by: \.price),
            all.where { $0.group < 25 }.sorted(by: \.id, ascending: false),
        ].map { Follower($0) }
        for round in 0..<40 {
            let before = naive
            try graph.write {
                try change(
                    [1, 3, 40, 400][round % 4], among: 2_400, &naive, &births, &random, in: graph, changesParts: false)
            }
            for (i, follower) in followers.enumerated() {
                #expect(follower.complaints(before, naive) == [], "results \(i), round \(round)")
            }
        }
    }

    @Test("Observers of a part of the results follow it, whatever comes into it and goes out of it", arguments: 1...3)
    func cut(_ seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        let graph = Graph(try Store(.init(models: [Item.self])))
        try graph.write { for i in 0..<200 { try graph.create(Item.self, value: ["id": i, "group": i % 50]) } }
        var births = 200
        var naive = Dictionary(uniqueKeysWithValues: (0..<200).map { ($0, NaiveItem(birth: $0, group: $0 % 50)) })
        let all = graph.objects(Item.self)
        let followers = [
            all.limit(10), all.offset(190), all.sorted(by: \.group).limit(20),
            all.where { $0.flag }.sorted(by: \.price, ascending: false).offset(2).limit(5),
            all.sorted { $0.parts.count }.limit(30),
        ].map { Follower($0) }
        for round in 0..<40 {
            let before = naive
            try graph.write {
                try change([1, 3, 40][round % 3], among: 220, &naive, &births, &random, in: graph, changesParts: true)
            }
            for (i, follower) in followers.enumerated() {
                #expect(follower.complaints(before, naive) == [], "results \(i), round \(round)")
            }
        }
    }

    @Test("An object that changes places with its neighbour moves alone")
    func neighbours() throws {
        let graph = Graph(try Store(.init(models: [Item.self])))
        try graph.write { for i in 0..<500 { try graph.create(Item.self, value: ["id": i, "group": i * 10]) } }
        let follower = Follower(graph.objects(Item.self).sorted(by: \.group))
        func item(_ id: Int) -> Item? { graph.object(ofType: Item.self, forPrimaryKey: id) }
        try graph.write { item(100)?.group = 1_015 }
        #expect(follower.take() == ([100], []))
        try graph.write {
            item(7)?.group = 80
            item(8)?.group = 70
        }
        let (moved, modified) = follower.take()
        #expect(moved.count == 1 && modified.count == 1 && moved.union(modified) == [7, 8])
        try graph.write {
            item(200)?.group = 2_001
            item(300)?.group = 3_001
        }
        #expect(follower.take() == ([], [200, 300]))
        #expect(follower.ids == follower.results.map(\.id))
    }

    @Test("Observers of other tables are told nothing, and what they were told last holds no version")
    func others() throws {
        let graph = try kinGraph()
        let (owner, hound) = (Owner(1), Hound("Rex"))
        try graph.write {
            try graph.add([owner]); try graph.add([hound])
        }
        let log = Log()
        let tokens = (0..<100).map { i in
            graph.objects(Hound.self).where { $0.name == "\(i)" }.observe { log.add(Told($0)) }
        }
        _ = log.take()
        for i in 0..<50 { try graph.write { owner.age = i } }
        #expect(log.take().isEmpty)
        try graph.write { hound.name = "7" }
        #expect(log.take() == [.update(count: 1, deletions: [], insertions: [0], modifications: [])])
        for token in tokens.prefix(60) { token.invalidate() }
        try graph.write { hound.name = "70" }
        #expect(log.take() == [.update(count: 1, deletions: [], insertions: [0], modifications: [])])
        withExtendedLifetime(tokens) {}
    }
}
