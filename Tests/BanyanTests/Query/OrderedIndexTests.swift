import Banyan
import Foundation
import Testing

@Model class Reading: Object {
    @Persisted(primaryKey: true, indexed: .ordered) var id = 0
    @Persisted(indexed: .ordered) var value = 0
    @Persisted(indexed: .ordered) var place = ""
    @Persisted(indexed: .ordered) var at: Date?
    @Persisted var kind = 0
}

@Suite("Ordered indexes")
struct OrderedIndexTests {
    static func fill(_ graph: Graph, _ count: Int, _ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        try graph.write {
            for i in 0..<count {
                let reading = Reading()
                reading.id = i
                reading.value = Int.random(in: -50...50, using: &random)
                reading.place = "place number \(Int.random(in: 0..<300, using: &random))"
                reading.at =
                    Int.random(in: 0..<5, using: &random) == 0
                    ? nil : Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0..<1000, using: &random)))
                reading.kind = i % 3
                try graph.add(reading)
            }
        }
    }

    /// What a plain filter and sort over all objects gives.
    static func check(_ graph: Graph) {
        let all = graph.objects(Reading.self).map { ($0.id, $0.value, $0.place, $0.at, $0.kind) }
        let results = graph.objects(Reading.self)
        let day = Date(timeIntervalSinceReferenceDate: 500)
        #expect(
            results.where { $0.value > 3 && $0.value <= 20 }.map(\.id) == all.filter { $0.1 > 3 && $0.1 <= 20 }.map(\.0)
        )
        #expect(results.where { $0.value > 3 }.count == all.count { $0.1 > 3 })
        #expect(results.where { $0.value == 7 }.map(\.id) == all.filter { $0.1 == 7 }.map(\.0))
        #expect(results.where { $0.value == 7 }.count == all.count { $0.1 == 7 })
        #expect(results.where { $0.value == 7 }.first?.id == all.first { $0.1 == 7 }?.0)
        #expect(
            results.where { $0.place.starts(with: "place number 1") }.count
                == all.count { $0.2.hasPrefix("place number 1") })
        #expect(
            results.where { $0.place == "place number 1" }.map(\.id) == all.filter { $0.2 == "place number 1" }.map(\.0)
        )
        #expect(results.where { $0.at < day }.count == all.count { $0.3.map { $0 < day } ?? false })
        #expect(results.where { $0.at == nil }.count == all.count { $0.3 == nil })
        #expect(results.where { $0.id >= 10 && $0.id < 20 }.map(\.id) == all.filter { 10..<20 ~= $0.0 }.map(\.0))
        let byValue = all.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
        #expect(results.sorted(by: \.value).map(\.id) == byValue.map(\.0))
        #expect(
            results.sorted(by: \.value, ascending: false).map(\.id)
                == all.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map(\.0))
        #expect(results.sorted(by: \.value).first?.id == byValue.first?.0)
        #expect(results.min(of: \.value) == all.map(\.1).min() && results.max(of: \.value) == all.map(\.1).max())
        #expect(
            results.min(of: \.at) == all.compactMap(\.3).min() && results.max(of: \.at) == all.compactMap(\.3).max())
        let kind = results.where { $0.kind == 1 }.sorted(by: \.value)
        #expect(kind.first?.id == byValue.first { $0.4 == 1 }?.0)
        #expect(kind.map(\.id) == byValue.filter { $0.4 == 1 }.map(\.0))
    }

    @Test("They give what filtering and sorting all objects gives, wherever the graph comes from")
    func everywhere() async throws {
        let directory = ScratchDirectory()
        let configuration = Store.Configuration(directory: directory.path, models: [Reading.self])
        var store = try await Store.open(configuration)
        let graph = Graph(store)
        try Self.fill(graph, 700, 1)
        Self.check(graph)
        try graph.write {
            for reading in graph.objects(Reading.self).where({ $0.kind == 2 }) { reading.value += 5 }
            graph.delete(graph.objects(Reading.self).where { $0.value > 40 })
            // Inside the write too.
            Self.check(graph)
        }
        Self.check(graph)
        #expect(throws: Undo.self) {
            try graph.write {
                for reading in graph.objects(Reading.self) { reading.place = "elsewhere" }
                graph.delete(graph.objects(Reading.self).where { $0.value < 0 })
                Self.check(graph)
                throw Undo()
            }
        }
        Self.check(graph)
        let fork = Graph(store.fork())
        try fork.write { fork.delete(fork.objects(Reading.self).where { $0.place.starts(with: "place number 2") }) }
        Self.check(fork)
        Self.check(graph)
        try await store.close()
        store = try await Store.open(configuration)
        store.read { Self.check($0) }
        try await store.checkpoint()
        try await store.close()
        store = try await Store.open(configuration)
        store.read { Self.check($0) }
        try Self.fill(Graph(try Store(.init(models: [Reading.self]))), 0, 2)
        try await store.close()
    }

    @Test("Adding an object again under its key moves it in the indexes")
    func updates() throws {
        let graph = Graph(try Store(.init(models: [Reading.self])))
        try Self.fill(graph, 200, 3)
        for policy in [UpdatePolicy.modified, .all] {
            try graph.write {
                for id in 0..<100 {
                    let reading = Reading()
                    (reading.id, reading.value, reading.place) = (id * 2, 1000 - id, "anew \(id)")
                    try graph.add(reading, update: policy)
                }
            }
            Self.check(graph)
        }
    }
}
