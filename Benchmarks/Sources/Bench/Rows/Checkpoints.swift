import BenchKit
import Banyan
import Synchronization

extension RowGroup {
    /// A fifth of the persons, in a durable store. The longest of many commits one after the other, alone and while a checkpoint
    /// writes all of them to a snapshot: without waiting for the disk, so that what is left is the engine's own (and the
    /// scheduler's, for snapshots are written by as many threads as there are cores), and with.
    static let checkpoints = RowGroup(
        "14c", "14c-durable", title: "a writer beside a checkpoint"
    ) { world in
        [
            try await longestPause(
                "14c", "longest pause of a writer beside a checkpoint, not waiting for the disk", world,
                .interval(.seconds(3600)), [.limit(10)]),
            try await longestPause(
                "14c-durable", "the same, each commit flushed", world, .everyCommit, [.limit(20)]),
        ]
    }

    private final class End: Sendable {
        let isReached = Atomic<Bool>(false)
    }

    private static let alone = "without a checkpoint"

    private static func longestPause(
        _ id: String, _ operation: String, _ world: World, _ durability: Store.Durability, _ conditions: [Condition]
    ) async throws -> Row {
        var configuration = Store.Configuration(directory: world.path("store-\(id)"), models: BanyanWorld.models)
        configuration.durability = durability
        let store = try await Store.open(configuration)
        let graph = Graph(store)
        let people = world.samples.people.prefix(max(1, world.count / 5))
        try graph.write {
            for (key, sample) in people.enumerated() {
                let person = Person(sample)
                person.id = key
                try graph.add(person)
            }
        }
        var pauses: [Double] = []
        var pausesAlone: [Double] = []
        for _ in 0..<max(3, world.runs) {
            let end = End()
            var longest = 0.0
            var commits = 0
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { end.isReached.store(true, ordering: .releasing) }
                    try await store.checkpoint()
                }
                while !end.isReached.load(ordering: .acquiring) || commits < 100 {
                    commits += 1
                    longest = max(longest, try commit(commits, graph, people.count))
                }
                try await group.waitForAll()
            }
            pauses.append(longest)
            longest = 0
            for i in 0..<commits { longest = max(longest, try commit(i, graph, people.count)) }
            pausesAlone.append(longest)
        }
        try await store.close()
        func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] * 1e3 }
        return Row(
            id, operation, .milliseconds, figures: [Peer.banyan: median(pauses), alone: median(pausesAlone)],
            conditions)
    }

    private static func commit(_ i: Int, _ graph: Graph, _ count: Int) throws -> Double {
        try Clock.wall.seconds {
            try graph.write {
                graph.object(ofType: Person.self, forPrimaryKey: i &* 7919 % count)?.age += 1
            }
        }
    }
}
