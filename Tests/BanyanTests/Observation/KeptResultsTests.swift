import Banyan
import Testing

@Suite("Observed results, kept up with the changes")
struct KeptResultsTests {
    /// What a change of results must tell at least and at most, from what they were and are.
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
    }

    @Test("Only what changed is told, and everything that did, with many objects on many pages", arguments: 1...3)
    func exact(_ seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        let graph = Graph(try Store(.init(models: [Item.self])))
        try graph.write { for i in 0..<2_000 { try graph.create(Item.self, value: ["id": i, "group": i % 50]) } }
        let all = graph.objects(Item.self)
        let followers = [
            all, all.where { $0.group < 25 }, all.sorted(by: \.group), all.where { $0.flag }.sorted(by: \.price),
            all.where { $0.group < 25 }.sorted(by: \.id, ascending: false),
        ].map { Follower($0) }
        for round in 0..<40 {
            var changed: Set<Int> = []
            // Changed, whatever else happened to them.
            var certain: Set<Int> = []
            try graph.write {
                for _ in 0..<[1, 3, 40, 400][round % 4] {
                    let id = Int.random(in: 0..<2_400, using: &random)
                    changed.insert(id)
                    guard let item = graph.object(ofType: Item.self, forPrimaryKey: id) else {
                        try graph.create(Item.self, value: ["id": id, "flag": true])
                        continue
                    }
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0: item.group = Int.random(in: 0..<50, using: &random)
                    case 1: item.flag.toggle()
                    case 2:
                        item.price += 0.5
                        certain.insert(id)
                    case 3: item.note = "\(round)"
                    default: graph.delete(item)
                    }
                }
            }
            for (i, follower) in followers.enumerated() {
                let (moved, modified) = follower.take()
                #expect(follower.ids == follower.results.map(\.id), "results \(i), round \(round)")
                #expect(moved.union(modified).isSubset(of: changed), "results \(i), round \(round)")
                #expect(moved.isDisjoint(with: modified), "results \(i), round \(round)")
                #expect(moved.union(modified).isSuperset(of: certain.intersection(follower.ids)), "results \(i)")
            }
        }
    }

    @Test("Observers of a part of the results follow it, whatever comes into it and goes out of it", arguments: 1...3)
    func cut(_ seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        let graph = Graph(try Store(.init(models: [Item.self])))
        try graph.write { for i in 0..<200 { try graph.create(Item.self, value: ["id": i, "group": i % 50]) } }
        let all = graph.objects(Item.self)
        let followers = [
            all.limit(10), all.offset(190), all.sorted(by: \.group).limit(20),
            all.where { $0.flag }.sorted(by: \.price, ascending: false).offset(2).limit(5),
            all.sorted { $0.parts.count }.limit(30),
        ].map { Follower($0) }
        for round in 0..<40 {
            try graph.write {
                for _ in 0..<[1, 3, 40][round % 3] {
                    let id = Int.random(in: 0..<220, using: &random)
                    guard let item = graph.object(ofType: Item.self, forPrimaryKey: id) else {
                        try graph.create(Item.self, value: ["id": id, "flag": true])
                        continue
                    }
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0: item.group = Int.random(in: 0..<50, using: &random)
                    case 1: item.flag.toggle()
                    case 2: item.price += 0.5
                    case 3: item.parts.append(item)
                    default: graph.delete(item)
                    }
                }
            }
            for (i, follower) in followers.enumerated() {
                let (moved, modified) = follower.take()
                #expect(follower.ids == follower.results.map(\.id), "results \(i), round \(round)")
                #expect(moved.isDisjoint(with: modified), "results \(i), round \(round)")
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
