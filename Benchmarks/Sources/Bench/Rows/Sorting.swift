import BenchKit
import Banyan

extension RowGroup {
    /// A sort is done when the order is known; nobody makes the objects.
    static let sorting = RowGroup("8a", "8a-presorted", "8a-permuted", title: "sorting") { world in
        let (graph, plain, database) = (try world.banyan.graph, world.plain, try world.database)
        let integers = try await contest(
            [
                Entrant(Peer.banyan, 1) { graph.objects(Person.self).sorted(by: \.age).last?.age },
                Entrant(Peer.plain, 1) { plain.inOrder.sorted { $0.age < $1.age }.last?.age },
                Entrant(Peer.grdb, 1) { try database.lastAge("SELECT id FROM person ORDER BY age", of: "person") },
            ], runs: world.runs)
        let presorted = try await contest(
            [
                Entrant(Peer.banyan, 1) { graph.objects(Person.self).sorted(by: \.name).last?.age },
                Entrant(Peer.plain, 1) { plain.inOrder.sorted { $0.name < $1.name }.last?.age },
                Entrant(Peer.grdb, 1) { try database.lastAge("SELECT id FROM person ORDER BY name", of: "person") },
            ], runs: world.runs)
        let permuted = try await contest(
            [
                Entrant(Peer.banyan, 1) { graph.objects(Dog.self).sorted(by: \.name).last?.age },
                Entrant(Peer.plain, 1) { plain.dogs.sorted { $0.name < $1.name }.last?.age },
                Entrant(Peer.grdb, 1) { try database.lastAge("SELECT id FROM dog ORDER BY name", of: "dog") },
            ], runs: world.runs)
        return [
            Row("8a", "sort all by an Int", .milliseconds, seconds: integers, [.of(0.5, Peer.plain)]),
            Row(
                "8a-presorted", "sort all by a String, in order already", .milliseconds, seconds: presorted,
                [.of(1.5, Peer.plain)]),
            Row(
                "8a-permuted", "sort all by a String, permuted", .milliseconds, seconds: permuted,
                [.of(0.8, Peer.plain)]),
        ]
    }

    static let firstOfSort = RowGroup("8b", "8b-string", title: "the first 100 of a sort") { world in
        let (graph, plain, database) = (try world.banyan.graph, world.plain, try world.database)
        let integers = try await contest(
            [
                Entrant(Peer.banyan, 1) {
                    var sum = 0
                    for person in graph.objects(Person.self).sorted(by: \.age).prefix(100) { sum &+= person.age }
                    return sum
                },
                Entrant(Peer.plain, 1) {
                    firstHundred(plain.inOrder) { $0.age < $1.age }.reduce(0) { $0 + $1.age }
                },
                Entrant(Peer.grdb, 1) {
                    try database.sumOfColumn("SELECT age FROM person ORDER BY age LIMIT 100")
                },
            ], runs: world.runs)
        let strings = try await contest(
            [
                Entrant(Peer.banyan, 1) {
                    var sum = 0
                    for dog in graph.objects(Dog.self).sorted(by: \.name).prefix(100) { sum &+= dog.name.utf8.count }
                    return sum
                },
                Entrant(Peer.plain, 1) {
                    firstHundred(plain.dogs) { $0.name < $1.name }.reduce(0) { $0 + $1.name.utf8.count }
                },
                Entrant(Peer.grdb, 1) {
                    try database.lengthOfColumn("SELECT name FROM dog ORDER BY name LIMIT 100")
                },
            ], runs: world.runs)
        return [
            Row("8b", "first 100 of a sort by an Int", .milliseconds, seconds: integers, [.of(0.7, Peer.plain)]),
            Row(
                "8b-string", "first 100 of a sort by a String", .milliseconds, seconds: strings,
                [.of(0.7, Peer.plain)]),
        ]
    }
}

/// The hundred least elements in order: one pass, with what was found so far kept in order.
@inline(__always)
private func firstHundred<T>(_ all: [T], _ isBefore: (T, T) -> Bool) -> [T] {
    var first: [T] = []
    first.reserveCapacity(101)
    for element in all {
        if first.count == 100, !isBefore(element, first[99]) { continue }
        var (low, high) = (0, first.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(element, first[middle]) { high = middle } else { low = middle + 1 }
        }
        first.insert(element, at: low)
        if first.count > 100 { first.removeLast() }
    }
    return first
}
