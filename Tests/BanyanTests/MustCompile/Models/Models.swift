import Banyan

@Model class Dog: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var owner: Person?
}

@Model class Person: Object {
    @Persisted var age = 0
    @Persisted var address: Address?
    @Persisted var dogs: List<Dog>
    @Persisted(originProperty: "owner") var owned: LinkingObjects<Dog>
}

@Model class Address: EmbeddedObject {
    @Persisted var city: String?
}

@Model final class Puppy: Dog {
    @Persisted(indexed: .ordered) var weeks: Int
}
