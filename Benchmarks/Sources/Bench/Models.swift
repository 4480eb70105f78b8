import Banyan

/// The benchmark's objects, as a user would write them.
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
}

/// The same in plain Swift: what objects cost without transactions, with inverse links kept by hand.
final class PlainPerson {
    var id = 0
    var name = ""
    var age = 0
    var score = 0.0
    var active = false
    var email: String?
    var dog: PlainDog?
    var friends: [PlainPerson] = []
}

final class PlainDog {
    var name = ""
    var age = 0
    var owners: [Unmanaged<PlainPerson>] = []
}

/// The contents of person number `i`, the same for both.
struct Sample {
    let name: String
    let age: Int
    let email: String?
    let dog: Int

    init(_ i: Int, of count: Int) {
        name = "person \(1_000_000 + i % 999_983)"
        age = (i &* 2_654_435_761) % 100
        email = i % 5 == 0 ? nil : "person\(1_000_000 + i)@example.org"
        dog = (i &* 40_503) % count
    }
}
