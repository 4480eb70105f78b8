import BenchKit
import Banyan
import Foundation

extension RowGroup {
    /// A store with a journal and no snapshot, opened; less what an empty one takes.
    static let replay = RowGroup("18", title: "journal replay") { world in
        let (full, empty) = (world.path("journal"), world.path("empty"))
        let commits = world.some(400_000)
        let objects = min(world.count, 1_000)
        func configuration(_ directory: String) -> Store.Configuration {
            var configuration = Store.Configuration(directory: directory, models: BanyanWorld.models)
            configuration.durability = .onClose
            return configuration
        }
        for directory in [full, empty] { try await Store.open(configuration(directory)).close() }
        let store = try await Store.open(configuration(full))
        try await fill(store, commits, objects, world.samples)
        try await store.close()
        guard try !FileManager.default.contentsOfDirectory(atPath: full).contains(where: { $0.hasSuffix(".bsn") })
        else {
            throw Child.Failure(description: "row 18: the store wrote a snapshot, so there is less to replay")
        }
        func open(_ directory: String) async throws -> (processor: Double, wall: Double) {
            let (processor, wall) = (Clock.processor.now, Clock.wall.now)
            let store = try await Store.open(configuration(directory))
            let taken = (Clock.processor.now - processor, Clock.wall.now - wall)
            try await store.close()
            return taken
        }
        var (processor, wall): ([Double], [Double]) = ([], [])
        for _ in 0..<world.runs {
            let (a, b) = (try await open(full), try await open(empty))
            processor.append((a.processor - b.processor) / Double(commits))
            wall.append((a.wall - b.wall) / Double(commits))
        }
        return [
            Row(
                "18", "journal replay, commits per second and core", .perSecond,
                seconds: [Peer.banyan: median(processor), "by the wall": median(wall)], [.limit(1e6)])
        ]
    }

    /// Small commits: the age of one person each.
    private static func fill(_ store: Store, _ commits: Int, _ objects: Int, _ samples: Samples) async throws {
        let graph = Graph(store)
        try graph.write { for sample in samples.people.prefix(objects) { try graph.add(Person(sample)) } }
        let people = Array(graph.objects(Person.self))
        for i in 1..<commits {
            try graph.write { people[i % people.count].age = 1_000 + i }
        }
    }
}
