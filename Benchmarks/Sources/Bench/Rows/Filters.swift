import BenchKit
import Banyan

extension RowGroup {
    static let filters = RowGroup("6a", title: "filter on two columns") { world in
        let (graph, plain, database) = (try world.banyan.graph, world.plain, try world.database)
        let ages = world.samples.people.map(\.age)
        let active = world.samples.people.map(\.active)
        let times = try await contest(
            [
                Entrant(Peer.banyan, world.count) {
                    return graph.objects(Person.self).where { $0.age > 50 && $0.active }.count
                },
                Entrant(Peer.plain, world.count) {
                    var count = 0
                    for person in plain.inOrder where person.age > 50 && person.active { count += 1 }
                    return count
                },
                Entrant(Peer.columns, world.count) {
                    return countOfActive(ages, active)
                },
                Entrant(Peer.grdb, world.count) {
                    return try database.number("SELECT COUNT(*) FROM person WHERE age > 50 AND active")
                },
            ], runs: world.runs)
        return [
            Row(
                "6a", "count age > 50 && active, no index, per object", .nanoseconds, seconds: times,
                [.of(2, Peer.columns)])
        ]
    }

    static let textFilters = RowGroup(
        "6b", "6b-contains", "6b-begins", title: "filters on text"
    ) { world in
        let (graph, plain, database, count) = (try world.banyan.graph, world.plain, try world.database, world.count)
        let sought = world.samples.people[count / 2].name
        let inside = String(sought.dropFirst(8))
        let start = String(sought.dropLast(3))
        let equal = try await contest(
            [
                Entrant(Peer.banyan, count) { graph.objects(Person.self).where { $0.name == sought }.count },
                Entrant(Peer.plain, count) { matches(plain) { $0 == sought } },
                Entrant(Peer.grdb, count) {
                    return try database.number("SELECT COUNT(*) FROM person WHERE name = ?", text: sought)
                },
            ], runs: world.runs)
        let contains = try await contest(
            [
                Entrant(Peer.banyan, count) {
                    return graph.objects(Person.self).where { $0.name.contains(inside) }.count
                },
                Entrant(Peer.plain, count) { matches(plain) { $0.contains(inside) } },
                Entrant(Peer.grdb, count) {
                    return try database.number("SELECT COUNT(*) FROM person WHERE instr(name, ?) > 0", text: inside)
                },
            ], runs: world.runs)
        let begins = try await contest(
            [
                Entrant(Peer.banyan, count) {
                    return graph.objects(Person.self).where { $0.name.starts(with: start) }.count
                },
                Entrant(Peer.plain, count) { matches(plain) { $0.hasPrefix(start) } },
                Entrant(Peer.grdb, count) {
                    return try database.number("SELECT COUNT(*) FROM person WHERE name GLOB ?", text: start + "*")
                },
            ], runs: world.runs)
        return [
            Row("6b", "name ==, no index, per object", .nanoseconds, seconds: equal, [.limit(2)]),
            Row("6b-contains", "name contains, no index, per object", .nanoseconds, seconds: contains, [.limit(4)]),
            Row("6b-begins", "name begins with, no index, per object", .nanoseconds, seconds: begins, [.limit(3)]),
        ]
    }
}

@inline(__always)
private func matches(_ plain: PlainGraph, _ isMatch: (String) -> Bool) -> Int {
    var count = 0
    for person in plain.inOrder where isMatch(person.name) { count += 1 }
    return count
}

/// Without branches and bounds checks, so that the compiler uses vectors.
private func countOfActive(_ ages: [Int], _ active: [Bool]) -> Int {
    ages.withUnsafeBufferPointer { ages in
        active.withUnsafeBufferPointer { active in
            var count = 0
            for i in 0..<min(ages.count, active.count) { count &+= (ages[i] > 50 ? 1 : 0) & (active[i] ? 1 : 0) }
            return count
        }
    }
}
