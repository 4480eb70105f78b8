// # First steps
//
// Models are classes, a graph of them lives in memory, and every change is one transaction. This page opens a store, fills it,
// asks it, watches it, and sees a transaction fail.

import Banyan

// ## Models
//
// `@Model` on the class, `@Persisted` on what is stored. `clubs` is not stored anywhere: the graph knows who links here.

@Model class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var dogs: List<Dog>
    @Persisted var address: Address?
    @Persisted(originProperty: "members") var clubs: LinkingObjects<DogClub>
}

@Model class Dog: Object {
    @Persisted var name = ""
    @Persisted var age = 0
}

@Model class Address: EmbeddedObject {
    @Persisted var city = ""
}

@Model class DogClub: Object {
    @Persisted var title = ""
    @Persisted var members: List<Person>
}

// ## A store
//
// Without a directory it lives in memory. Root types are enough: what they link to comes along.

let store = try Store(.init(models: [Person.self, DogClub.self]))

// ## Writing
//
// An object is an ordinary instance until it is added; then it is the same instance, live, with all that it reaches.

try await store.write { graph in
    let club = DogClub()
    club.title = "Long Walks"
    for (id, name, city) in [(1, "Ada", "Oslo"), (2, "Grace", "Bergen"), (3, "Alan", "Oslo")] {
        let person = Person()
        person.id = id
        person.name = name
        person.address = Address()
        person.address?.city = city
        for number in 1...id {
            let dog = Dog()
            dog.name = "\(name)'s dog \(number)"
            dog.age = number * 2
            person.dogs.append(dog)
        }
        club.members.append(person)
    }
    try graph.add(club)
}
store.read { graph in
    print("people: \(graph.objects(Person.self).count), dogs: \(graph.objects(Dog.self).count)")
}

// ## Asking
//
// A read sees one version, on any thread, and never waits. Conditions reach through links; the inverse is a collection like
// any other.

store.read { graph in
    let people = graph.objects(Person.self)
    print("in Oslo:", people.where { $0.address.city == "Oslo" }.sorted(by: \.name).map(\.name).joined(separator: ", "))
    print("with an old dog:", people.where { $0.dogs.age >= 6 }.map(\.name).joined(separator: ", "))
    let grace = graph.object(ofType: Person.self, forPrimaryKey: 2)
    print("Grace is in:", grace?.clubs.map(\.title).joined(separator: ", ") ?? "nothing")
}

// ## Watching
//
// A live graph belongs to one place, here the main actor, and its queries tell what each commit changed.

@MainActor func watch() async throws {
    let (reports, said) = AsyncStream.makeStream(of: String.self)
    let graph = Graph(store)
    let token = graph.objects(Person.self).where { $0.address.city == "Oslo" }.sorted(by: \.name).observe { change in
        switch change {
        case .initial(let people): said.yield("\(people.map(\.name)) to begin with")
        case .update(let people, let deletions, let insertions, let modifications):
            said.yield("\(people.map(\.name)): -\(deletions) +\(insertions) ~\(modifications)")
        }
    }
    var report = reports.makeAsyncIterator()
    print("live:", await report.next() ?? "")

    try await store.write { $0.object(ofType: Person.self, forPrimaryKey: 2)?.address?.city = "Oslo" }
    print("live:", await report.next() ?? "")
    try await store.write { graph in
        if let ada = graph.object(ofType: Person.self, forPrimaryKey: 1) { graph.delete(ada) }
    }
    print("live:", await report.next() ?? "")
    token.invalidate()
}
try await watch()

// ## Failing
//
// A transaction happens as a whole or not at all: what is thrown out of it undoes it, and so does a mistake inside.

struct SecondThoughts: Error {}
do {
    try await store.write { graph in
        graph.delete(graph.objects(Person.self))
        print("inside:", graph.objects(Person.self).count, "people")
        throw SecondThoughts()
    }
} catch is SecondThoughts {
    print("after:", store.read { $0.objects(Person.self).count }, "people")
}

do {
    try await store.write { graph in
        let twin = Person()
        twin.id = 3
        try graph.add(twin)
    }
} catch let error as BanyanError {
    print("refused:", error.message)
}

// ## Trying out
//
// A fork is a store of its own that shares what it has in common with the first: made at once, whatever its size.

let fork = store.fork()
try await fork.write { $0.deleteAll() }
for (name, store) in [("store", store), ("fork", fork)] {
    print("\(name):", store.read { $0.objects(Dog.self).count }, "dogs")
}
