import BenchKit
import Banyan
import Foundation

extension RowGroup {
    /// GRDB opens a file in no time and reads from it what is asked for; what is timed is what makes it equal to us, a
    /// database in memory: a copy of its pages, and, as another measure, reading every property once.
    static let files = RowGroup("14a", "14a-size", "14b", title: "snapshots") { world in
        let (store, database, samples) = (try world.banyan.store, try world.database, world.samples)
        let (snapshot, copy) = (world.path("snapshot.bsn"), world.path("copy.sqlite"))
        let write = try await contest(
            [
                Entrant(
                    Peer.banyan, 1,
                    timing: {
                        try remove(snapshot)
                        return try await Clock.wall.seconds { try await store.snapshot(to: snapshot) }
                    }),
                Entrant(
                    Peer.grdb, 1,
                    timing: {
                        try remove(copy)
                        return try Clock.wall.seconds { try database.copy(to: copy) }
                    }),
            ], runs: world.runs)
        let sizes = [Peer.banyan: try megabytes(snapshot), Peer.grdb: try megabytes(copy)]
        let last = world.count - 1
        let open = try await contest(
            [
                Entrant(Peer.banyan, 1, clock: .wall) {
                    let store = try Store(.init(base: snapshot, models: BanyanWorld.models))
                    return store.read { graph in graph.object(ofType: Person.self, forPrimaryKey: last)?.dog?.age }
                },
                Entrant("GRDB page copy", 1, clock: .wall) {
                    try SQLPeer.load(copy).number(
                        "SELECT dog.age FROM person JOIN dog ON dog.id = dogID WHERE person.id = ?", integer: last)
                },
                Entrant("GRDB reading all", 1, clock: .wall) {
                    keep(try SQLPeer.readAll(copy))
                    return nil
                },
                Entrant("plain rebuild", 1, clock: .wall) {
                    let plain = PlainGraph()
                    plain.insert(samples)
                    return plain.people[last]?.dog?.age
                },
            ], runs: world.runs)
        return [
            Row(
                "14a", "snapshot of everything to disk, flushed", .seconds, seconds: write,
                [.recorded(1, "realm", 0.123)]),
            Row("14a-size", "size of the snapshot", .megabytes, figures: sizes, [.of(0.6, Peer.grdb)]),
            Row(
                "14b", "open the snapshot, every property readable", .milliseconds, seconds: open,
                [.recorded(0.8, "GRDB", 350)]),
        ]
    }

    private static func remove(_ path: String) throws {
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }

    private static func megabytes(_ path: String) throws -> Double {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return Double((attributes[.size] as? Int) ?? 0) / 1e6
    }
}
