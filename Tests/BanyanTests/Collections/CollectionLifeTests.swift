import Banyan
import Testing

@Suite("Collections from unmanaged to managed to gone")
struct CollectionLifeTests {
    @Test("The collection of an unmanaged object is the same instance each time")
    func sameInstance() {
        let kennel = Kennel()
        #expect(kennel.dogs === kennel.dogs && kennel.dogSet === kennel.dogSet && kennel.dogMap === kennel.dogMap)
        #expect(kennel.dogs != Kennel().dogs)
    }

    @Test("Whoever holds the collection of an object that is added holds a live one")
    func adopted() throws {
        let fixture = try CollectionFixture()
        let kennel = Kennel()
        let (list, set, map) = (kennel.dogs, kennel.dogSet, kennel.dogMap)
        let dog = Dog(7)
        list.append(dog)
        set.insert(dog)
        map["a"] = dog
        #expect(list.graph == nil && !list.isInvalidated)
        _ = try fixture.add(kennel)
        #expect(list.graph === fixture.graph && list.ownerID == kennel.objectID)
        #expect(list == kennel.dogs && set == kennel.dogSet && map == kennel.dogMap)
        #expect(list.hashValue == kennel.dogs.hashValue)
        #expect(list[0] === list[0] || list[0] == dog)
        try fixture.graph.write { kennel.dogs.append(Dog(8)) }
        #expect(list.count == 2 && set.count == 1 && map.count == 1)
        #expect(map["a"] == .some(dog) && dog.objectID != nil)
    }

    @Test("A collection made by itself needs no object")
    func free() {
        let list: List<Int> = [3, 1, 2]
        list.sort()
        let set: MutableSet<String> = ["b", "a", "b"]
        let map: Map<Int, String?> = [2: "two", 1: nil]
        #expect(Array(list) == [1, 2, 3] && Array(set) == ["a", "b"] && map.keys == [1, 2])
        #expect(map[1] == .some(nil) && map[3] == nil)
        #expect("\(list) \(set) \(map) \(Map<Int, Int>())" == #"[1, 2, 3] ["a", "b"] [1: nil, 2: Optional("two")] [:]"#)
    }

    @Test("A set by itself finds an object again that was added to a graph meanwhile")
    func addedMeanwhile() throws {
        let fixture = try CollectionFixture()
        let (a, b) = (Dog(40), Dog(41))
        let set: MutableSet<Dog> = [a, b, fixture.kennel.dogs[0]]
        _ = try fixture.add(a)
        let again = try #require(fixture.graph.object(ofType: Dog.self, forPrimaryKey: 40))
        #expect(again !== a && set.contains(again) && set.contains(a) && set.contains(b))
        #expect(set.contains(fixture.kennel.dogs[0]) && !set.contains(fixture.kennel.dogs[1]) && !set.contains(Dog(40)))
        #expect(!set.insert(again) && set.count == 3)
        #expect(set.remove(again) && !set.contains(a) && set.count == 2 && !set.remove(a))
        #expect(set.insert(a) && set.contains(again) && !set.contains(fixture.graph.freeze().objects(Dog.self)[0]))
    }

    @Test("Two collections of one object are equal, those of two objects are not")
    func equality() throws {
        let fixture = try CollectionFixture()
        let (kennel, other) = (fixture.kennel, try fixture.add(Kennel()))
        #expect(kennel.dogs == kennel.dogs && kennel.dogs != other.dogs)
        let id = try #require(kennel.objectID)
        let again = try #require(Graph(fixture.store).object(Kennel.self, id))
        #expect(again.dogs == kennel.dogs)
        let frozen = kennel.dogs.freeze()
        #expect(frozen.isFrozen && frozen != kennel.dogs && frozen.elementsEqual(kennel.dogs) { $0.id == $1.id })
        try fixture.graph.write { kennel.dogs.removeAll() }
        #expect(frozen.map(\.id) == [0, 1, 2] && kennel.dogs.isEmpty)
    }

    @Test("Assigning a collection copies its contents; assigning itself is nothing", arguments: [false, true])
    func assignment(isManaged: Bool) throws {
        let fixture = try CollectionFixture()
        let lists = Lists()
        lists.int.append(objectsIn: [1, 2, 3])
        lists.string.append(String(repeating: "long", count: 10))
        if isManaged { _ = try fixture.add(lists) }
        let commits = try fixture.commits {
            try fixture.graph.write {
                lists.int = lists.int
                lists.string = lists.string
                lists.string = List(lists.string)
            }
        }
        #expect(commits == 0 && Array(lists.int) == [1, 2, 3])
        let source: List<Int> = [4, 5]
        try fixture.graph.write { lists.int = source }
        source.append(6)
        #expect(Array(lists.int) == [4, 5] && Array(source) == [4, 5, 6])
        let other = Lists()
        other.int = lists.int
        #expect(Array(other.int) == [4, 5] && other.int != lists.int)
    }

    @Test("What is there already is not a change")
    func noChange() throws {
        let fixture = try CollectionFixture()
        let long = String(repeating: "long", count: 10)
        let (lists, sets, maps) = (Lists(), Sets(), Maps())
        lists.string.append(objectsIn: ["a", long, "b"])
        sets.string.insert(objectsIn: ["a", long])
        maps.string["key"] = long
        maps.optionalString[1] = .some(nil)
        for object in [lists, sets, maps] as [Object] { _ = try fixture.add(object) }
        let commits = try fixture.commits {
            try fixture.graph.write {
                lists.string[1] = long
                lists.string.replaceSubrange(0..<2, with: ["a", long])
                lists.string.replaceAll(with: ["a", long, "b"])
                lists.string.append(objectsIn: [])
                sets.string.insert(long)
                sets.string.replaceAll(with: [long, "a"])
                sets.string.remove("c")
                maps.string["key"] = long
                maps.string["other"] = nil
                maps.optionalString.updateValue(nil, forKey: 1)
                fixture.kennel.dogs.replaceAll(with: Array(fixture.kennel.dogs))
                fixture.kennel.dogs[1] = fixture.kennel.dogs[1]
            }
        }
        #expect(commits == 0)
    }

    @Test("An update with the same contents is not a change, one with others changes just them")
    func update() throws {
        let fixture = try CollectionFixture()
        let holder = try fixture.add(UpdatedHolder(1, ["a", "b"], [Dog(10), Dog(11)]))
        let same = try fixture.commits {
            try fixture.graph.write {
                try fixture.graph.add(UpdatedHolder(1, ["a", "b"], [Dog(10), Dog(11)]), update: .modified)
            }
        }
        #expect(same == 0)
        try fixture.graph.write {
            try fixture.graph.add(UpdatedHolder(1, ["b"], [Dog(11), Dog(12)]), update: .modified)
        }
        #expect(Array(holder.tags) == ["b"] && holder.tagSet.map { $0 } == ["b"] && holder.tagMap.keys == ["b"])
        #expect(holder.dogs.map(\.id) == [11, 12] && holder.dogSet.map(\.id).sorted() == [11, 12])
    }

    @Test("A collection whose owner is deleted is invalidated and reads as empty")
    func deletedOwner() throws {
        let fixture = try CollectionFixture()
        let kennel = fixture.kennel
        let (list, set, map) = (kennel.dogs, kennel.dogSet, kennel.dogMap)
        let dog = list[0]
        let owners = dog.kennels
        try fixture.graph.write {
            fixture.graph.delete(kennel)
            #expect(list.isInvalidated)
        }
        #expect(list.isInvalidated && list.isEmpty && list.first == nil && Array(list).isEmpty && !list.contains(dog))
        #expect(set.isInvalidated && set.isEmpty && !set.contains(dog) && map.isInvalidated && map["a"] == nil)
        #expect(!owners.isInvalidated && owners.isEmpty && !dog.isInvalidated)
        let uses: [() -> Void] = [
            { _ = list.count }, { list.append(dog) }, { _ = list.first }, { set.insert(dog) }, { map["a"] = nil },
        ]
        for use in uses { #expect(fixture.failure(use) == .invalidatedObject) }
    }

    @Test("A collection whose owner is deleted in the same write does not show what takes the slot")
    func deletedAndReused() throws {
        let fixture = try CollectionFixture()
        let list = fixture.kennel.dogs
        let next = Kennel()
        next.dogs.append(Dog(20))
        let failure = fixture.failure {
            list.append(Dog(9))
            #expect(list.count == 4)
            fixture.graph.delete(fixture.kennel)
            try fixture.graph.add(next)
            #expect(list.isInvalidated && list.isEmpty && next.dogs.count == 1)
        }
        #expect(failure == .invalidatedObject && list.count == 3)
    }

    @Test("A slot that is used again does not show the new object's contents through an old handle")
    func reusedSlot() throws {
        let fixture = try CollectionFixture()
        let list = fixture.kennel.dogs
        try fixture.graph.write { fixture.graph.delete(fixture.kennel) }
        let next = Kennel()
        next.dogs.append(Dog(20))
        _ = try fixture.add(next)
        #expect(list.isEmpty && list.isInvalidated && next.dogs.count == 1)
    }

    @Test("A collection added in a write that is rolled back is invalidated")
    func rolledBack() throws {
        struct Stop: Error {}
        let fixture = try CollectionFixture()
        let kennel = Kennel()
        kennel.dogs.append(Dog(30))
        #expect(throws: Stop.self) {
            try fixture.graph.write {
                try fixture.graph.add(kennel)
                throw Stop()
            }
        }
        #expect(kennel.isInvalidated && kennel.dogs.isInvalidated && kennel.dogs.isEmpty)
    }

    @Test("A bad index inside a write fails it", arguments: [-1, 3, 100])
    func bounds(index: Int) throws {
        let fixture = try CollectionFixture()
        let dogs = fixture.kennel.dogs
        let range = min(index, 0)..<max(index, 4)
        let uses: [() -> Void] = [
            { _ = dogs[index] }, { dogs[index] = Dog(9) }, { dogs.remove(at: index) },
            { dogs.move(from: index, to: 0) }, { dogs.move(from: 0, to: index) }, { dogs.swapAt(0, index) },
            { dogs.insert(Dog(9), at: index < 0 ? index : index + 1) }, { _ = dogs[range] },
            { dogs.removeSubrange(range) }, { dogs.replaceSubrange(range, with: []) },
        ]
        for (i, use) in uses.enumerated() {
            #expect(fixture.failure(use) == .outOfBounds, "use \(i)")
            #expect(dogs.map(\.id) == [0, 1, 2])
        }
    }

    @Test("What a graph shows after another one's write follows its refresh")
    func refresh() throws {
        let fixture = try CollectionFixture()
        let other = Graph(fixture.store)
        let id = try #require(fixture.kennel.objectID)
        let seen = try #require(other.object(Kennel.self, id)).dogs
        #expect(seen.count == 3)
        try fixture.graph.write { fixture.kennel.dogs.append(Dog(9)) }
        #expect(seen.count == 3)
        other.refresh()
        #expect(seen.map(\.id) == [0, 1, 2, 9])
    }

    @Test("An object of another graph does not go into a collection")
    func foreign() throws {
        let fixture = try CollectionFixture()
        let stranger = try #require(Graph(fixture.store).object(ofType: Dog.self, forPrimaryKey: 0))
        #expect(fixture.failure { fixture.kennel.dogs.append(stranger) } == .foreignObject)
        #expect(fixture.kennel.dogs.contains(stranger), "but it is the same object")
    }
}

@Model class UpdatedHolder: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var tags: List<String>
    @Persisted var tagSet: MutableSet<String>
    @Persisted var tagMap: Map<String, Int>
    @Persisted var dogs: List<Dog>
    @Persisted var dogSet: MutableSet<Dog>

    convenience init(_ id: Int, _ tags: [String], _ dogs: [Dog]) {
        self.init()
        self.id = id
        self.tags.append(objectsIn: tags)
        tagSet.insert(objectsIn: tags)
        for tag in tags { tagMap[tag] = 1 }
        self.dogs.append(objectsIn: dogs)
        dogSet.insert(objectsIn: dogs)
    }
}
