import Banyan

// What the page on querying takes as given.

@Model class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted(indexed: .ordered) var age = 0
    @Persisted var column = ""
    @Persisted var address: Address?
    @Persisted var dogs: List<Dog>
}

@Model class Address: EmbeddedObject {
    @Persisted var city = ""
}

@Model class Dog: Object {
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

@MainActor let graph: Graph = {
    do {
        let store = try Store(.init(models: [Person.self]))
        return Graph(store)
    } catch { fatalError("\(error)") }
}()
@MainActor let people = graph.objects(Person.self)
let prefix = "ad"
let name = "Ada"
let column = "address.city"
