// The same objects in plain Swift: what objects cost without transactions. Inverse links are arrays kept by hand; they do not
// retain, as the objects live in the dictionary.

final class PlainPerson {
    var id = 0
    var name = ""
    var age = 0
    var score = 0.0
    var active = false
    var email: String?
    var dog: PlainDog?
    var friends: [PlainPerson] = []
    /// Who has this one as a friend.
    var friendOf: [Unmanaged<PlainPerson>] = []
}

final class PlainDog {
    var name = ""
    var age = 0
    var owners: [Unmanaged<PlainPerson>] = []
}

/// Persons by key, and all objects in the order in which they were made.
final class PlainGraph {
    var people: [Int: PlainPerson] = [:]
    var inOrder: [PlainPerson] = []
    var dogs: [PlainDog] = []

    func insert(_ samples: Samples) {
        dogs.reserveCapacity(samples.count)
        people.reserveCapacity(samples.count)
        for sample in samples.dogs { insert(sample) }
        for sample in samples.people { insert(sample) }
    }

    @inline(__always)
    func insert(_ sample: Samples.Dog) {
        let dog = PlainDog()
        dog.name = sample.name
        dog.age = sample.age
        dogs.append(dog)
    }

    @inline(__always)
    func insert(_ sample: Samples.Person) {
        let person = PlainPerson()
        person.id = sample.id
        person.name = sample.name
        person.age = sample.age
        person.score = sample.score
        person.active = sample.active
        person.email = sample.email
        let dog = dogs[sample.dog]
        person.dog = dog
        dog.owners.append(.passUnretained(person))
        people[sample.id] = person
    }

    /// An array of all persons, for those rows that go through them. Not part of an insert.
    func putInOrder() { inOrder = (0..<people.count).compactMap { people[$0] } }

    func delete(_ person: PlainPerson) {
        people.removeValue(forKey: person.id)
        if let dog = person.dog { PlainGraph.remove(person, from: &dog.owners) }
        for friend in person.friends { PlainGraph.remove(person, from: &friend.friendOf) }
        for other in person.friendOf {
            let other = other.takeUnretainedValue()
            if let i = other.friends.firstIndex(where: { $0 === person }) { other.friends.remove(at: i) }
        }
    }

    private static func remove(_ person: PlainPerson, from list: inout [Unmanaged<PlainPerson>]) {
        guard let i = list.firstIndex(where: { $0.toOpaque() == Unmanaged.passUnretained(person).toOpaque() }) else {
            return
        }
        list.swapAt(i, list.count - 1)
        list.removeLast()
    }
}
