import Banyan

// The benchmark's objects, as a user would write them.

@Model final class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var score = 0.0
    @Persisted var active = false
    @Persisted var email: String?
    @Persisted var dog: Dog?
    @Persisted var friends: List<Person>
}

@Model final class Dog: Object {
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted(originProperty: "dog") var owners: LinkingObjects<Person>
}

/// For the rows about indexes: hash indexes serve equality, ordered ones prefixes too.
@Model final class Indexed: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted(indexed: true) var age = 0
}

@Model final class Ordered: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: .ordered) var name = ""
}
