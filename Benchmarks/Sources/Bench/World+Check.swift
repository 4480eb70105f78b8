import BenchKit
import Banyan

extension World {
    /// Rows are run in any selection, so each must find the graphs as the samples say: whoever changes one changes it back, or
    /// takes it away. Graphs that nobody has asked for are not made for this. O(objects).
    ///
    /// - Throws: `Disagreement`, naming the row that left something behind.
    func check(after row: String) throws {
        func expect(_ whose: String, _ found: [Int], _ expected: [Int]) throws {
            guard found != expected else { return }
            throw Disagreement(
                description: "row \(row) left \(whose) other than it was: people, dogs, ages, scores, links "
                    + "and friends add up to \(found), and were \(expected)")
        }
        let dogs = samples.dogs
        let expected = [
            count, count, samples.people.reduce(0) { $0 &+ $1.age &* ($1.id + 1) },
            samples.people.reduce(0) { $0 &+ Int($1.score * 1e9) }, samples.people.reduce(0) { $0 &+ dogs[$1.dog].age },
            0,
        ]
        if let graph = existingBanyan?.graph {
            let people = graph.objects(Person.self)
            var (ages, scores, links, friends) = (0, 0, 0, 0)
            for person in people {
                ages &+= person.age &* (person.id + 1)
                scores &+= Int(person.score * 1e9)
                links &+= person.dog?.age ?? 0
                friends += person.friends.count
            }
            try expect(
                Peer.banyan, [people.count, graph.objects(Dog.self).count, ages, scores, links, friends], expected)
        }
        if let plain = existingPlain {
            let people = plain.people.values
            try expect(
                Peer.plain,
                [
                    plain.inOrder.count, plain.dogs.count, people.reduce(0) { $0 &+ $1.age &* ($1.id + 1) },
                    people.reduce(0) { $0 &+ Int($1.score * 1e9) }, people.reduce(0) { $0 &+ ($1.dog?.age ?? 0) },
                    people.reduce(0) { $0 + $1.friends.count },
                ], expected)
        }
        if let database = existingDatabase {
            try expect(
                Peer.grdb,
                try [
                    "COUNT(*) FROM person", "COUNT(*) FROM dog", "SUM(age * (id + 1)) FROM person",
                    "SUM(CAST(score * 1e9 AS INTEGER)) FROM person",
                    "SUM(dog.age) FROM person JOIN dog ON dog.id = dogID", "COUNT(*) FROM friendship",
                ].map { try database.number("SELECT \($0)") }, expected)
        }
    }
}
