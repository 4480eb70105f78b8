import BanyanCore
import Foundation
import Testing

@testable import Banyan

@Suite("What queries leave behind")
struct QueryMemoryTests {
    @Test("A query holds no version: the one it was made at goes with the next write")
    func versions() throws {
        let graph = Graph(try Store(.init(models: [Item.self])))
        try graph.write { try graph.add(Item()) }
        weak let before = graph.workspace.version
        let items = graph.objects(Item.self).where {
            $0.parent.parent.parent.price == 0 && !$0.parent.place.city.contains("x")
        }
        _ = items.sorted(by: \.parent?.parent?.parent?.place?.city)
        try graph.write { graph.objects(Item.self).first?.group += 1 }
        #expect(before == nil)
    }

    @Test("Queries and writes that take turns need no more memory the longer they go on")
    func memory() throws {
        let graph = Graph(try Store(.init(models: [Item.self])))
        try graph.write { for i in 0..<300 { try graph.create(Item.self, value: ["id": i]) } }
        func run(_ rounds: Range<Int>) throws -> Int {
            for i in rounds {
                let items = graph.objects(Item.self).where { $0.price >= 0 && $0.name == "" }.sorted(by: \.group)
                try graph.write { items.first?.price = Double(i) }
            }
            return graph.workspace.version.lineage.arena.reserved
        }
        let before = try run(1..<100)
        #expect(try run(100..<1_000) == before)
    }
}
