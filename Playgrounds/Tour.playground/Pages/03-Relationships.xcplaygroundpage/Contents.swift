// # Relationships
//
// Links to one object or to many, and the inverses that the graph keeps of them.

import Banyan

@Model class Person: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var friend: Person?
    @Persisted var dogs: List<Dog>
    @Persisted(originProperty: "friend") var befriendedBy: LinkingObjects<Person>

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }
}

@Model class Dog: Object {
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>

    convenience init(_ name: String, _ age: Int) {
        self.init()
        self.name = name
        self.age = age
    }
}

let graph = Graph(try Store(.init(models: [Person.self])))

// ## Linking
//
// What an added object reaches is added with it; circles are fine.

let (ada, bob) = (Person("Ada"), Person("Bob"))
ada.friend = bob
bob.friend = ada
ada.dogs.append(objectsIn: [Dog("Rex", 3), Dog("Fido", 9)])
bob.dogs.append(ada.dogs[0])
try graph.write { try graph.add(ada) }
print("people:", graph.objects(Person.self).count, "dogs:", graph.objects(Dog.self).count)

// ## The other way round
//
// An inverse is a collection like any other, and is never set: it changes with the links.

let rex = ada.dogs[0]
print("Rex belongs to:", rex.owners.map(\.name).sorted())
try graph.write { bob.dogs.removeAll() }
print("and then to:", rex.owners.map(\.name))
print("Bob is the friend of:", bob.befriendedBy.map(\.name))

// ## Asking along links
//
// A condition on many means that one of them satisfies it.

let people = graph.objects(Person.self)
print("with an old dog:", people.where { $0.dogs.age > 5 }.map(\.name))
print("whose friend has two dogs:", people.where { $0.friend.dogs.count == 2 }.map(\.name))
print("dogs of Ada, oldest first:", ada.dogs.sorted(by: \.age, ascending: false).map(\.name))

// ## Deleting
//
// Links to what is deleted are cleared, and lists lose it. Nothing else goes.

try graph.write { graph.delete(bob) }
print("Ada's friend:", ada.friend?.name ?? "none")
try graph.write { graph.delete(rex) }
print("her dogs:", ada.dogs.map(\.name), "- Rex is gone:", rex.isInvalidated)
