import Banyan
import Testing

@Suite("Iteration goes through what was there when it began")
struct IterationTests {
    /// Whether the collection was changed in the same write before the iteration: then its tree is changed in place.
    @Test("Changing the list while going through it", arguments: [false, true])
    func changedList(isDirty: Bool) throws {
        let fixture = try CollectionFixture(dogs: 200)
        let dogs = fixture.kennel.dogs
        var seen: [Int] = []
        try fixture.graph.write {
            if isDirty { dogs.swapAt(0, 1) }
            for dog in dogs {
                seen.append(dog.id)
                dogs.append(dog)
                dogs.removeFirst()
                dogs.reverse()
            }
        }
        #expect(seen == (isDirty ? [1, 0] + (2..<200) : Array(0..<200)))
        #expect(dogs.count == 200)
    }

    @Test("Removing and adding long texts while going through them", arguments: [false, true])
    func changedTexts(isDirty: Bool) throws {
        let fixture = try CollectionFixture()
        let lists = Lists()
        let texts = (0..<100).map { String(repeating: "\($0) ", count: 20) }
        lists.string.append(objectsIn: texts)
        let maps = Maps()
        for text in texts { maps.string[text] = text }
        _ = try fixture.add(lists)
        _ = try fixture.add(maps)
        var seen: [String] = []
        var keys: [String] = []
        try fixture.graph.write {
            if isDirty {
                lists.string.move(from: 0, to: 0)
                lists.string.swapAt(0, 1)
                lists.string.swapAt(0, 1)
                maps.string["a"] = "b"
                maps.string["a"] = nil
            }
            for text in lists.string {
                seen.append(text)
                lists.string.removeFirst()
                lists.string.append(String(repeating: "#", count: text.utf8.count))
            }
            for (key, value) in maps.string {
                keys.append(key)
                #expect(key == value)
                maps.string[key] = nil
                let other = String(repeating: "#", count: key.utf8.count + keys.count)
                maps.string[other] = other
            }
        }
        #expect(seen == texts && Set(keys) == Set(texts))
    }

    @Test("Objects deleted meanwhile are left out, whatever takes their slots", arguments: [false, true])
    func deletedObjects(isDirty: Bool) throws {
        let fixture = try CollectionFixture(dogs: 100)
        let kennel = fixture.kennel
        try fixture.graph.write {
            kennel.dogSet.insert(objectsIn: kennel.dogs)
            for dog in kennel.dogs { kennel.dogMap["\(dog.id)"] = dog }
        }
        var seen: [Int] = []
        var inSet: [Int] = []
        var inMap: [Int?] = []
        var inverse: [Int] = []
        let first = kennel.dogs[0]
        try fixture.graph.write {
            if isDirty {
                kennel.dogs.swapAt(98, 99)
                kennel.dogSet.insert(Dog(500))
                kennel.dogMap["x"] = first
            }
            var set = kennel.dogSet.makeIterator()
            var map = kennel.dogMap.makeIterator()
            for dog in kennel.dogs {
                seen.append(dog.id)
                guard dog.id % 2 == 0, dog.id < 90 else { continue }
                let next = try #require(fixture.graph.object(ofType: Dog.self, forPrimaryKey: dog.id + 1))
                fixture.graph.delete(next)
                try fixture.graph.add(Dog(1000 + dog.id))
            }
            while let dog = set.next() { inSet.append(dog.id) }
            while let entry = map.next() { inMap.append(entry.value?.id) }
            for kennel in first.kennels { inverse.append(kennel.dogs.count) }
        }
        let left = (0..<100).filter { $0 % 2 == 0 || $0 > 90 }
        #expect(seen.sorted() == left)
        #expect(inSet.sorted() == left + (isDirty ? [500] : []))
        #expect(inMap.compactMap { $0 }.sorted() == (isDirty ? [0] : []) + left)
        #expect(inMap.filter { $0 == nil }.count == 45)
        #expect(inverse == [left.count])
    }

    @Test("A graph that moves on does not disturb an iteration")
    func movedGraph() throws {
        let fixture = try CollectionFixture(dogs: 300)
        let writer = Graph(fixture.store)
        let id = try #require(fixture.kennel.objectID)
        var seen: [Int] = []
        for dog in fixture.kennel.dogs {
            seen.append(dog.id)
            guard dog.id % 50 == 0 else { continue }
            try writer.write {
                let kennel = try #require(writer.object(Kennel.self, id))
                writer.delete(kennel.dogs[0])
                kennel.dogs.insert(Dog(1000 + dog.id), at: 0)
                if let next = writer.object(ofType: Dog.self, forPrimaryKey: dog.id + 7) { writer.delete(next) }
            }
            fixture.graph.refresh()
        }
        #expect(seen == (0..<300).filter { $0 % 50 != 7 })
    }

    @Test("Deleting everything a list holds, from the list itself")
    func deleteFromItself() throws {
        let fixture = try CollectionFixture(dogs: 50)
        try fixture.graph.write { for dog in fixture.kennel.dogs { fixture.graph.delete(dog) } }
        #expect(fixture.kennel.dogs.isEmpty && fixture.graph.objects(Dog.self).isEmpty)
    }

    @Test("The list of an unmanaged object, too")
    func unmanaged() {
        let kennel = Kennel()
        for i in 0..<10 { kennel.dogs.append(Dog(i)) }
        var seen = 0
        for dog in kennel.dogs {
            seen += 1
            kennel.dogs.append(dog)
        }
        #expect(seen == 10 && kennel.dogs.count == 20)
    }
}
