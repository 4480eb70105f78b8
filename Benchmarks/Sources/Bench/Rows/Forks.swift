import BenchKit
import Banyan

extension RowGroup {
    static let forks = RowGroup("17", "17-memory", title: "forks") { world in
        let store = try world.banyan.store
        let times = try await contest(
            [Entrant.changing(Peer.banyan, 1_000) { for _ in 0..<1_000 { keep(store.fork()) } }], runs: world.runs)
        let number = world.some(10_000)
        let keys = world.keys
        let before = residentMemory()
        var forks: [Store] = []
        forks.reserveCapacity(number)
        for i in 0..<number {
            let fork = store.fork()
            let graph = Graph(fork)
            try graph.write { graph.object(ofType: Person.self, forPrimaryKey: keys[i % keys.count])?.age = 1_000 }
            forks.append(fork)
        }
        let each = Double(residentMemory() - before) / Double(number)
        withExtendedLifetime(forks) {}
        return [
            Row("17", "fork", .microseconds, seconds: times, [.limit(10)]),
            Row(
                "17-memory", "memory of each of \(Row.short(Double(number))) forks with a write", .kilobytes,
                figures: [Peer.banyan: each / 1024], [.limit(32)]),
        ]
    }
}
