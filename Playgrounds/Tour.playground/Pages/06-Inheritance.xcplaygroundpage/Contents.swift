// # Inheritance
//
// Models inherit as classes do. A query on a class finds its subclasses, and links and collections hold them.

import Banyan

@Model class Animal: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var legs = 4

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }

    func sound() -> String { "…" }
}

@Model class Dog: Animal {
    @Persisted var tricks: List<String>

    override func sound() -> String { "Woof" }
}

@Model class Puppy: Dog {
    @Persisted var mother: Dog?

    override func sound() -> String { "Yip" }
}

@Model class Farm: Object {
    @Persisted var animals: List<Animal>
    @Persisted var watchdog: Dog?
}

let graph = Graph(try Store(.init(models: [Farm.self, Dog.self, Puppy.self])))

let farm = Farm()
let (rex, tiny) = (Dog("Rex"), Puppy("Tiny"))
rex.tricks.append("roll over")
tiny.mother = rex
farm.animals.append(objectsIn: [Animal("Snail"), rex, tiny])
farm.watchdog = tiny
try graph.write {
    farm.animals[0].legs = 0
    try graph.add(farm)
}

// ## Each is what it is

for animal in farm.animals { print(animal.name, "says", animal.sound()) }
print("the watchdog is a puppy:", farm.watchdog is Puppy, "of", (farm.watchdog as? Puppy)?.mother?.name ?? "nobody")

// ## Asking for a class, with or without what inherits from it

print("dogs:", graph.objects(Dog.self).sorted(by: \.name).map(\.name))
print("dogs that are just dogs:", graph.objects(Dog.self, includingSubclasses: false).map(\.name))
print("on four legs:", graph.objects(Animal.self).where { $0.legs == 4 }.count)

// ## One key for all
//
// The class that declares the key decides: no dog has the name of another animal.

print("found:", graph.object(ofType: Animal.self, forPrimaryKey: "Tiny").map { "\(type(of: $0))" } ?? "nothing")
do {
    try graph.write { try graph.add(Dog("Snail")) }
} catch let error as BanyanError {
    print("refused:", error.code)
}
