import BenchKit
import Banyan

extension RowGroup {
    static let bulkInsert = RowGroup("1", title: "bulk insert") { world in
        let samples = world.samples
        let few = Samples(min(world.count, 200_000))
        let objects = 2 * world.count
        let times = try await contest(
            [
                Entrant(
                    Peer.banyan, objects,
                    timing: {
                        let graph = Graph(try Store(.init(models: BanyanWorld.models)))
                        let start = Clock.processor.now
                        try BanyanWorld.insert(samples, into: graph)
                        return Clock.processor.now - start
                    }),
                Entrant(
                    Peer.plain, objects,
                    timing: {
                        let plain = PlainGraph()
                        let start = Clock.processor.now
                        plain.insert(samples)
                        return Clock.processor.now - start
                    }),
                Entrant(
                    Peer.grdb, 2 * few.count,
                    timing: {
                        let database = try SQLPeer()
                        let start = Clock.processor.now
                        try database.insert(few)
                        return Clock.processor.now - start
                    }),
            ], runs: world.runs)
        return [
            Row(
                "1", "bulk insert with link, one transaction", .objectsPerSecond, seconds: times, [.of(0.6, Peer.plain)]
            )
        ]
    }

    /// Each in a process of its own, as what one leaves behind would be given to the next.
    static let memory = RowGroup("1m", title: "memory per object") { world in
        var figures: [String: Double] = [:]
        for name in [Peer.banyan, Peer.plain, Peer.grdb] {
            figures[name] = try Child.number(["--child", "memory", name, "\(world.count)"])
        }
        return [
            Row(
                "1m", "memory per object, mean of both classes", .bytes, figures: figures,
                [.limit(75), .of(0.45, Peer.plain)])
        ]
    }
}

/// What a child process does for row 1m: fills one graph and prints the bytes it takes per object. Samples are made one by
/// one, so that they are not counted.
func measureMemory(_ name: String, _ count: Int) throws -> Double {
    var source = SampleSource(count)
    let held: Any
    let before = residentMemory()
    switch name {
    case Peer.banyan:
        let graph = Graph(try Store(.init(models: BanyanWorld.models)))
        try graph.write {
            var dogs: [Dog] = []
            for i in 0..<count {
                let dog = Dog(source.dog(i))
                try graph.add(dog)
                dogs.append(dog)
            }
            for i in 0..<count {
                let sample = source.person(i)
                let person = Person(sample)
                person.dog = dogs[sample.dog]
                try graph.add(person)
            }
        }
        held = graph
    case Peer.plain:
        let plain = PlainGraph()
        plain.people.reserveCapacity(count)
        for i in 0..<count { plain.insert(source.dog(i)) }
        for i in 0..<count { plain.insert(source.person(i)) }
        held = plain
    default:
        held = try SQLPeer(source, count)
    }
    let after = residentMemory()
    withExtendedLifetime(held) {}
    return Double(after - before) / Double(2 * count)
}
