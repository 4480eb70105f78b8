// flags: -default-isolation MainActor
import Banyan
import Foundation

enum Status: String, PersistableEnum { case open, closed }

struct Celsius: CustomPersistable {
    var degrees: Double
    init(persistedValue: Double) { degrees = persistedValue }
    var persistableValue: Double { degrees }
}

@Model class Dog: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var owner: Person?
    @Persisted var status = Status.open
    @Persisted var temperature: Celsius
    var cache: [Int] = []

    convenience init(called name: String) {
        self.init()
        self.name = name
    }
}

@Model(indexes: [["age", "born"]]) final class Person: Object {
    @Persisted var age = 0
    @Persisted var born = Date()
    @Persisted var address: Address?
    @Persisted(deleteRule: .cascade) var dogs: List<Dog>
    @Persisted var byName: Map<String, Dog?>
    @Persisted(originProperty: "owner") var owned: LinkingObjects<Dog>
    @Persisted(deleteRule: .deny) var best: Dog

    init(age: Int) {
        super.init()
        self.age = age
    }
}

@Model class Puppy: Dog, Codable {
    @Persisted var weeks: Int?
}

@Model class Address: EmbeddedObject {
    @Persisted var city: String?
    @Persisted var next: Address?
}

/// On the main actor.
func rename(_ dog: Dog, in graph: Graph) throws {
    try graph.write { dog.name = "Rex" }
    let oldest = graph.objects(Person.self).where { $0.age > 3 }.sorted(by: \.age).first
    let value = oldest?.detached(depth: 1)
    print(value?.age ?? 0, dog.name)
}

/// Anywhere.
nonisolated func names(in store: Store) -> [String] {
    store.read { graph in graph.objects(Dog.self).map(\.name) }
}
