import Banyan
import Testing

/// A store in memory with one graph, for tests that tell a story.
struct CollectionFixture {
    let store: Store
    let graph: Graph
    let kennel: Kennel

    /// A managed kennel with the dogs 0, 1, 2, …
    init(dogs count: Int = 3) throws {
        store = try Store(.init(models: [Kennel.self, Lists.self, Sets.self, Maps.self, UpdatedHolder.self]))
        let graph = Graph(store)
        let kennel = Kennel()
        kennel.dogs.append(objectsIn: (0..<count).map { Dog($0, "dog \($0)") })
        try graph.write { try graph.add(kennel) }
        self.graph = graph
        self.kennel = kennel
    }

    func add<T: Object>(_ object: T) throws -> T {
        try graph.write { try graph.add(object) }
        return object
    }

    /// The code of the error that `body` fails its write with.
    func failure(_ body: () throws -> Void) -> BanyanError.Code? {
        do {
            try graph.write { try body() }
            return nil
        } catch {
            return (error as? BanyanError)?.code
        }
    }

    /// How many commits `body` makes.
    func commits(_ body: () throws -> Void) throws -> UInt64 {
        let before = graph.sequence
        try body()
        return graph.sequence - before
    }
}
