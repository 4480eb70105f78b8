import BenchKit
import Banyan
import Foundation

extension RowGroup {
    /// Disks have moods: many short turns, so that all meet the same ones.
    static let durableCommits = RowGroup("13a", title: "durable commits, one writer", measure: oneWriter)

    private static func oneWriter(_ world: World) async throws -> [Row] {
        let store = try await Store.open(.init(directory: world.path("one-writer"), models: BanyanWorld.models))
        let graph = Graph(store)
        try graph.write { try graph.add(Person(world.samples.people[0])) }
        let person = graph.object(ofType: Person.self, forPrimaryKey: 0)
        let database = try SQLPeer(durableAt: world.path("one-writer.sqlite"))
        try database.insertOneByOne(world.samples.people[0..<1], firstKey: 0)
        let disk = try RawDisk(world.path("raw"))
        let commits = world.some(250)
        var age = 100
        let times = try await contest(
            [
                Entrant.changing(Peer.banyan, commits, clock: .wall) {
                    for _ in 0..<commits {
                        age += 1
                        try graph.write { person?.age = age }
                    }
                },
                Entrant.changing(Peer.grdb, max(1, commits / 5), clock: .wall) {
                    for _ in 0..<max(1, commits / 5) {
                        age += 1
                        try database.setAge(0, age)
                    }
                },
                Entrant.changing(Peer.raw, commits, clock: .wall) {
                    for _ in 0..<commits { try disk.append(512) }
                },
            ], runs: world.options.isSmoke ? 1 : 4 * world.runs, atLeast: 0)
        try await store.close()
        try database.close()
        return [
            Row(
                "13a", "durable one-object commits, one writer; raw: append 512 B and fdatasync", .perSecond,
                seconds: times, [.of(0.95, Peer.raw)])
        ]
    }

    static let concurrentCommits = RowGroup(
        "13b", "13b-8", title: "durable commits, many writers", measure: manyWriters)

    private static func manyWriters(_ world: World) async throws -> [Row] {
        let store = try await Store.open(.init(directory: world.path("writers"), models: BanyanWorld.models))
        let database = try SQLPeer(durableAt: world.path("writers.sqlite"))
        try await store.write { graph in
            for id in 0..<64 {
                let person = Person()
                person.id = id
                try graph.add(person)
            }
        }
        let sample = world.samples.people[0]
        for id in 0..<64 { try database.insertOneByOne([sample], firstKey: id) }

        func entrants(_ tasks: Int) -> [Entrant] {
            let commits = max(1, world.some(12_800) / tasks)
            let fewer = max(1, world.some(1_600) / tasks)
            return [
                Entrant(
                    Peer.banyan, tasks * commits,
                    timing: {
                        try await Clock.wall.seconds {
                            try await withThrowingTaskGroup { group in
                                for id in 0..<tasks {
                                    group.addTask { try await countUp(store, id, commits) }
                                }
                                try await group.waitForAll()
                            }
                        }
                    }),
                Entrant(
                    Peer.grdb, tasks * fewer,
                    timing: {
                        let writer = database.writer
                        return try await Clock.wall.seconds {
                            try await withThrowingTaskGroup { group in
                                for id in 0..<tasks {
                                    group.addTask {
                                        for age in 0..<fewer { try await SQLPeer.setAge(id, age, waitingFor: writer) }
                                    }
                                }
                                try await group.waitForAll()
                            }
                        }
                    }),
            ]
        }
        let many = try await contest(entrants(64), runs: world.runs, atLeast: 0)
        let eight = try await contest(entrants(8), runs: world.runs, atLeast: 0)
        try await store.close()
        try database.close()
        return [
            Row(
                "13b", "durable one-object commits, 64 tasks", .perSecond, seconds: many,
                [.limit(50_000), .of(5, Peer.grdb)]),
            Row("13b-8", "durable one-object commits, 8 tasks", .perSecond, seconds: eight, [.of(5, Peer.grdb)]),
        ]
    }
}

private func countUp(_ store: Store, _ id: Int, _ times: Int) async throws {
    for _ in 0..<times {
        try await store.write { graph in graph.object(ofType: Person.self, forPrimaryKey: id)?.age += 1 }
    }
}
