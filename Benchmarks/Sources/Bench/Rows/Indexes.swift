import BenchKit
import Banyan

extension RowGroup {
    static let indexes = RowGroup("7a", "7b", "7b-fetch", title: "indexed lookups") { world in
        let samples = world.samples
        let graph = Graph(try Store(.init(models: [Indexed.self])))
        try graph.write {
            for sample in samples.people {
                let object = Indexed()
                (object.id, object.name, object.age) = (sample.id, sample.name, sample.age)
                try graph.add(object)
            }
        }
        var byName: [String: [PlainPerson]] = [:]
        var byAge: [Int: [PlainPerson]] = [:]
        for person in world.plain.inOrder {
            byName[person.name, default: []].append(person)
            byAge[person.age, default: []].append(person)
        }
        let database = try SQLPeer()
        try database.insert(samples)
        try database.addIndexes()

        let names = world.keys.prefix(world.some(200_000)).map { samples.people[$0].name }
        let fewNames = names.prefix(world.some(20_000))
        let one = try await contest(
            [
                Entrant(Peer.banyan, names.count) {
                    var sum = 0
                    for name in names { sum += graph.objects(Indexed.self).where { $0.name == name }.count }
                    return sum
                },
                Entrant(Peer.plain, names.count) {
                    var sum = 0
                    for name in names { sum += byName[name]?.count ?? 0 }
                    return sum
                },
                Entrant(Peer.grdb, fewNames.count) {
                    try database.sumOfCounts("SELECT COUNT(*) FROM person WHERE name = ?", fewNames)
                },
            ], runs: world.runs)
        let counting = world.some(1_000)
        let count = try await contest(
            [
                Entrant(Peer.banyan, counting) {
                    var sum = 0
                    for i in 0..<counting { sum += graph.objects(Indexed.self).where { $0.age == i % 20 }.count }
                    return sum
                },
                Entrant(Peer.plain, counting) {
                    var sum = 0
                    for i in 0..<counting { sum += byAge[i % 20]?.count ?? 0 }
                    return sum
                },
                Entrant(Peer.grdb, 20) {
                    var sum = 0
                    for i in 0..<20 {
                        sum += try database.number("SELECT COUNT(*) FROM person WHERE age = ?", integer: i)
                    }
                    return sum
                },
            ], runs: world.runs)
        let fetch = try await contest(
            [
                Entrant(Peer.banyan, 20) {
                    var sum = 0
                    for age in 0..<20 {
                        let found = graph.objects(Indexed.self).where { $0.age == age }
                        keep(found.last)
                        sum += found.count
                    }
                    return sum
                },
                Entrant(Peer.grdb, 20) {
                    var sum = 0
                    for age in 0..<20 {
                        sum += try database.fetchIdentifiers("SELECT id FROM person WHERE age = ?", integer: age)
                    }
                    return sum
                },
            ], runs: world.runs)
        return [
            Row("7a", "indexed name ==, one match", .nanoseconds, seconds: one, [.of(1.2, Peer.plain)]),
            Row("7b", "indexed age ==, a hundredth matches: count", .microseconds, seconds: count, [.limit(0.4)]),
            Row(
                "7b-fetch", "indexed age ==, a hundredth matches: identities of all", .microseconds, seconds: fetch,
                [.limit(30)]),
        ]
    }

    static let orderedIndex = RowGroup("7c", title: "ordered index") { world in
        let samples = world.samples
        let graph = Graph(try Store(.init(models: [Ordered.self])))
        try graph.write {
            for sample in samples.people {
                let object = Ordered()
                (object.id, object.name) = (sample.id, sample.name)
                try graph.add(object)
            }
        }
        let database = try SQLPeer()
        try database.insert(samples)
        try database.addIndexes()
        // All names that share the first digits with the last one: at full size a hundredth of them.
        let start = String(samples.people[samples.count - 1].name.dropLast(4))
        let times = try await contest(
            [
                Entrant(Peer.banyan, 10) {
                    var sum = 0
                    for _ in 0..<10 { sum += graph.objects(Ordered.self).where { $0.name.starts(with: start) }.count }
                    return sum
                },
                Entrant(Peer.grdb, 10) {
                    var sum = 0
                    for _ in 0..<10 {
                        sum += try database.number("SELECT COUNT(*) FROM person WHERE name GLOB ?", text: start + "*")
                    }
                    return sum
                },
            ], runs: world.runs)
        return [
            Row(
                "7c", "ordered index: begins with, 10 k matches, count", .milliseconds, seconds: times,
                [.of(0.5, Peer.grdb)])
        ]
    }
}
