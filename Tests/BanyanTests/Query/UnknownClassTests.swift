import Banyan
import Testing

/// Reading objects of a class that the store was not opened with.
@Suite("Classes outside the schema")
struct UnknownClassTests {
    private func graph() throws -> Graph {
        let graph = Graph(try Store(.init(models: [Warden.self])))
        try graph.write { try graph.add(Warden()) }
        return graph
    }

    private static let ways: [@Sendable (Graph) throws -> Results<UnknownCockatoo>] = [
        { $0.objects(UnknownCockatoo.self) },
        { $0.objects(UnknownCockatoo.self, includingSubclasses: false) },
        { $0.objects(UnknownCockatoo.self).where { $0.name == "a" && $0.id.in([1, 2]) } },
        { $0.objects(UnknownCockatoo.self).where { $0.id == 1 } },
        { $0.objects(UnknownCockatoo.self).sorted(by: \.name) },
        { $0.objects(UnknownCockatoo.self).distinct(by: [\.name]).limit(3).offset(1) },
        { $0.objects(UnknownCockatoo.self).freeze() },
    ]

    private func expectUnknown(_ error: BanyanError?) {
        #expect(error?.code == .unknownType && error?.message.contains("UnknownCockatoo") == true)
        #expect(error?.remedy?.contains("Configuration.models") == true && error?.location.type == "UnknownCockatoo")
    }

    @Test("Results are empty and say why", arguments: ways.indices)
    func reading(_ way: Int) throws {
        let graph = try graph()
        let results = try Self.ways[way](graph)
        expectUnknown(results.fault)
        #expect(results.isEmpty && results.count == 0 && results.first == nil && results.last == nil)
        #expect(Array(results).isEmpty && results.map(\.name).isEmpty && results.sum(of: \.id) == 0)
        #expect(
            results.min(of: \.id) == nil && results.values(of: \.id).isEmpty && !results.contains(UnknownCockatoo()))
        #expect(results.index(matching: { $0.id == 1 }) == nil && !results.explain().isEmpty && !"\(results)".isEmpty)
        expectUnknown(#expect(throws: BanyanError.self) { try results.checked() })
        if !results.isFrozen {
            let token = results.observe { _ in }
            try graph.write { try graph.add(Warden()) }
            #expect(results.isEmpty)
            token.invalidate()
        }
        expectUnknown(#expect(throws: BanyanError.self) { try results.filter("id == 1").checked() })
        expectUnknown(#expect(throws: BanyanError.self) { try results.sorted(byKeyPath: "name").checked() })
    }

    @Test("In a write they fail the transaction", arguments: ways.indices)
    func writing(_ way: Int) throws {
        let graph = try graph()
        expectUnknown(
            #expect(throws: BanyanError.self) {
                try graph.write {
                    try graph.add(Warden())
                    for object in try Self.ways[way](graph) { graph.delete(object) }
                }
            })
        #expect(graph.objects(Warden.self).count == 1)
    }

    @Test("Every other way fails as misuse does")
    func others() throws {
        let graph = try graph()
        let ways: [(Graph) throws -> Void] = [
            { try $0.add(UnknownCockatoo()) }, { try $0.create(UnknownCockatoo.self) },
            { try $0.create(UnknownCockatoo.self, value: ["id": 1], update: .modified) },
            { _ = $0.object(ofType: UnknownCockatoo.self, forPrimaryKey: 1) },
            { _ = try $0.lookUp(UnknownCockatoo.self, primaryKey: 1) },
        ]
        #expect(graph.object(ofType: UnknownCockatoo.self, forPrimaryKey: 1) == nil)
        for way in ways { expectUnknown(#expect(throws: BanyanError.self) { try graph.write { try way(graph) } }) }
        #expect(throws: BanyanError.self) { try Store(.init(models: [])) }
    }
}
