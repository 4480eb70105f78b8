import Banyan

// What the page on observing takes as given.

@Model class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var dogs: List<Dog>
    @Persisted var nicknames: MutableSet<String>
    @Persisted var phones: Map<String, String>
}

@Model class Dog: Object {
    @Persisted var name = ""
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

@MainActor let store: Store = {
    do { return try Store(.init(models: [Person.self])) } catch { fatalError("\(error)") }
}()
@MainActor let graph = Graph(store)
@MainActor let ada: Person = {
    do {
        return try graph.write {
            try graph.create(Person.self, value: ["id": 1, "name": "Ada", "age": 36, "dogs": [["name": "Rex"]]])
        }
    } catch { fatalError("\(error)") }
}()
