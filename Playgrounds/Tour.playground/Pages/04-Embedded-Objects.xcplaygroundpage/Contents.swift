// # Embedded objects
//
// Parts of an object that are objects themselves: each has exactly one owner, and goes with it.

import Banyan

@Model class Customer: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var home: Address?
    @Persisted var deliveries: List<Address>

    convenience init(_ id: Int) {
        self.init()
        self.id = id
    }
}

@Model class Address: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var city: City?
    @Persisted(originProperty: "home") var residents: LinkingObjects<Customer>

    convenience init(_ street: String, _ city: City?) {
        self.init()
        self.street = street
        self.city = city
    }
}

@Model class City: Object {
    @Persisted(primaryKey: true) var name = ""

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }
}

let graph = Graph(try Store(.init(models: [Customer.self])))

// ## Owning
//
// They are stored with their owner. They may link to objects that stand on their own, and know who owns them.

let oslo = City("Oslo")
let (one, two) = (Customer(1), Customer(2))
one.home = Address("Storgata 1", oslo)
one.deliveries.append(Address("Back door", oslo))
try graph.write { try graph.add([one, two]) }
print("customer 1 lives at", one.home?.street ?? "?", "in", one.home?.city?.name ?? "?")
print("who lives there:", one.home?.residents.map(\.id) ?? [])

// ## Replacing
//
// Another in its place deletes the old one. A rollback brings it back.

let old = one.home
struct SecondThoughts: Error {}
do {
    try graph.write {
        one.home = Address("Nowhere", nil)
        print("inside, the old one is gone:", old?.isInvalidated ?? true)
        throw SecondThoughts()
    }
} catch is SecondThoughts {
    print("afterwards it is back:", old?.isInvalidated == false)
}

// ## One owner
//
// A second owner is a mistake, and fails the write. An update changes an address where it is.

do {
    try graph.write { two.home = one.home }
} catch let error as BanyanError {
    print("refused:", error.code, "at", error.location.property ?? "?")
}
let moved = Customer(1)
moved.home = Address("Storgata 2", oslo)
try graph.write { try graph.add(moved, update: .modified) }
print("the same address, changed:", old?.street ?? "?")

// ## Asking through them

print("in Oslo:", graph.objects(Customer.self).where { $0.home.city.name == "Oslo" }.map(\.id))

// ## Going together

try graph.write { graph.delete(one) }
print("gone with its owner:", old?.isInvalidated ?? false, "- the city is still there:", !oslo.isInvalidated)
