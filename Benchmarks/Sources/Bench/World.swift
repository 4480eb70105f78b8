import BenchKit
import Banyan
import Foundation

/// What the rows measure on: the samples, and graphs filled with them, made when a row first asks.
///
/// Rows may change a graph as long as the next row finds the same objects, whichever that is; one that does more takes the
/// graph away. A smoke run checks that: see `check(after:)`.
final class World {
    let options: Options
    /// Persons; there are as many dogs.
    var count: Int { options.objects }
    var runs: Int { options.runs }
    let directory: String

    private(set) lazy var samples = Samples(count)
    private(set) lazy var keys = samples.shuffledKeys()
    private var cachedStore: BanyanWorld?
    private var cachedPlain: PlainGraph?
    private var cachedDatabase: SQLPeer?

    init(_ options: Options, directory: String) {
        self.options = options
        self.directory = directory
    }

    /// A smaller number for slow operations, in proportion to the run's size.
    func some(_ atFullSize: Int) -> Int { options.isSmoke ? max(1, min(atFullSize, 200)) : atFullSize }

    var banyan: BanyanWorld {
        get throws {
            if let cachedStore { return cachedStore }
            let made = try BanyanWorld(samples)
            cachedStore = made
            return made
        }
    }

    var plain: PlainGraph {
        if let cachedPlain { return cachedPlain }
        let made = PlainGraph()
        made.insert(samples)
        made.putInOrder()
        cachedPlain = made
        return made
    }

    var database: SQLPeer {
        get throws {
            if let cachedDatabase { return cachedDatabase }
            let made = try SQLPeer()
            try made.insert(samples)
            cachedDatabase = made
            return made
        }
    }

    var existingBanyan: BanyanWorld? { cachedStore }
    var existingPlain: PlainGraph? { cachedPlain }
    var existingDatabase: SQLPeer? { cachedDatabase }

    /// The graphs are spent: the next row that asks gets new ones.
    func forget() {
        cachedStore = nil
        cachedPlain = nil
        cachedDatabase = nil
    }

    /// A path for files of a row.
    func path(_ name: String) -> String { "\(directory)/\(name)" }
}

/// A store filled with the samples, and a graph on it.
final class BanyanWorld {
    static let models: [ObjectBase.Type] = [Person.self, Dog.self]
    let store: Store
    let graph: Graph

    init(_ samples: Samples) throws {
        store = try Store(.init(models: Self.models))
        graph = Graph(store)
        try Self.insert(samples, into: graph)
    }

    /// All samples in one transaction.
    static func insert(_ samples: Samples, into graph: Graph) throws {
        try graph.write {
            var dogs: [Dog] = []
            dogs.reserveCapacity(samples.count)
            for sample in samples.dogs {
                let dog = Dog(sample)
                try graph.add(dog)
                dogs.append(dog)
            }
            for sample in samples.people {
                let person = Person(sample)
                person.dog = dogs[sample.dog]
                try graph.add(person)
            }
        }
    }

    func person(_ key: Int) -> Person { graph.object(ofType: Person.self, forPrimaryKey: key)! }
}

extension Dog {
    convenience init(_ sample: Samples.Dog) {
        self.init()
        name = sample.name
        age = sample.age
    }
}

extension Person {
    /// Without the dog.
    convenience init(_ sample: Samples.Person) {
        self.init()
        id = sample.id
        name = sample.name
        age = sample.age
        score = sample.score
        active = sample.active
        email = sample.email
    }
}
