import BenchKit
import Banyan

extension RowGroup {
    /// Every round sets another age than is there, so no set is left out as a change of nothing.
    static let setting = RowGroup("5a", "5a-hand", title: "setting an Int") { world in
        let (graph, plain, database, keys) = (try world.banyan.graph, world.plain, try world.database, world.keys)
        let few = keys.prefix(world.some(100_000))
        var rounds = (0, 0, 0)
        let times = try await contest(
            [
                Entrant.changing(Peer.banyan, keys.count) {
                    rounds.0 += 1
                    let round = rounds.0
                    try graph.write {
                        var age = round
                        for key in keys {
                            graph.object(ofType: Person.self, forPrimaryKey: key)?.age = age
                            age = age == 99 ? 0 : age + 1
                        }
                    }
                },
                Entrant.changing(Peer.plain, keys.count) {
                    rounds.1 += 1
                    var age = rounds.1
                    for key in keys {
                        plain.people[key]?.age = age
                        age = age == 99 ? 0 : age + 1
                    }
                },
                Entrant.changing(Peer.grdb, few.count) {
                    rounds.2 += 1
                    try database.setAges(few, round: rounds.2)
                },
            ], runs: world.runs)
        let handles = keys.compactMap { graph.object(ofType: Person.self, forPrimaryKey: $0) }
        let objects = keys.compactMap { plain.people[$0] }
        let inHand = try await contest(
            [
                Entrant.changing(Peer.banyan, keys.count) {
                    rounds.0 += 1
                    let round = rounds.0
                    try graph.write {
                        var age = round
                        for person in handles {
                            person.age = age
                            age = age == 99 ? 0 : age + 1
                        }
                    }
                },
                Entrant.changing(Peer.plain, keys.count) {
                    rounds.1 += 1
                    var age = rounds.1
                    for person in objects {
                        person.age = age
                        age = age == 99 ? 0 : age + 1
                    }
                },
            ], runs: world.runs)
        world.forget()
        return [
            Row(
                "5a", "set Int, random keys, one transaction, with its commit", .nanoseconds, seconds: times,
                [.of(1, Peer.plain)]),
            Row(
                "5a-hand", "the same, objects in hand, at random", .nanoseconds, seconds: inHand,
                [.recorded(1, "realm", 181)]),
        ]
    }

    static let oneSetTransactions = RowGroup(
        "5b", "5b-long", "5b-memory", title: "one-set transactions"
    ) { world in
        let (graph, database, keys) = (try world.banyan.graph, try world.database, world.keys)
        let many = keys.prefix(world.some(200_000))
        let few = keys.prefix(world.some(20_000))
        var round = 0
        func entrants() -> [Entrant] {
            [
                Entrant.changing(Peer.banyan, many.count) {
                    round += 1
                    for (i, key) in many.enumerated() { try setAge(key, (i + round) % 100, graph) }
                },
                Entrant.changing(Peer.grdb, few.count) {
                    round += 1
                    try database.setAgesOneByOne(few, round: round)
                },
            ]
        }
        let fresh = try await contest(entrants(), runs: world.runs)
        let first = Row("5b", "one-set transactions, fresh", .perSecond, seconds: fresh, [.of(6, Peer.grdb)])
        if world.options.isGrowth {
            world.forget()
            return [first]
        }
        let before = Double(residentMemory()) / 1e6
        var random = SplitMix64(seed: 5)
        let sets = world.some(10_000_000)
        for i in 0..<sets {
            // Ages above 99 differ from what is there, and from each other in turn.
            try setAge(keys[random.below(keys.count)], 100 + i, graph)
        }
        let after = Double(residentMemory()) / 1e6
        let late = try await contest(entrants(), runs: world.runs)
        world.forget()
        return [
            first,
            Row(
                "5b-long", "one-set transactions, after \(Row.short(Double(sets))) random sets", .perSecond,
                seconds: late,
                [.of(6, Peer.grdb)]),
            Row(
                "5b-memory", "memory of the process after \(Row.short(Double(sets))) random sets", .megabytes,
                figures: [Peer.banyan: after, "before": before], [.of(1.1, "before")]),
        ]
    }
}

private func setAge(_ key: Int, _ age: Int, _ graph: Graph) throws {
    try graph.write { graph.object(ofType: Person.self, forPrimaryKey: key)?.age = age }
}
