import Banyan
import Testing

@Suite("Inverses")
struct LinkingObjectsTests {
    @Test("An inverse shows who links here, and how often, whatever holds the links")
    func againstModel() throws {
        var generator = Generator(7)
        let fixture = try CollectionFixture(dogs: 0)
        let kennels = (0..<5).map { _ in Kennel() }
        let dogs = (0..<5).map { Dog($0) }
        try fixture.graph.write {
            for (i, kennel) in kennels.enumerated() {
                kennel.name = "\(i)"
                try fixture.graph.add(kennel)
            }
            try fixture.graph.add(dogs)
        }
        func expected(_ dog: Dog, _ links: (Kennel) -> [Dog]) -> [String] {
            kennels.flatMap { kennel in links(kennel).filter { $0 == dog }.map { _ in kennel.name } }.sorted()
        }
        func check() {
            for dog in dogs {
                let lists = expected(dog) { Array($0.dogs) }
                let inverse = dog.kennels
                #expect(inverse.map(\.name).sorted() == lists && inverse.count == lists.count)
                #expect(inverse.indices.map { inverse[$0].name } == inverse.map(\.name))
                #expect(inverse.isEmpty == lists.isEmpty && inverse.first == inverse.map { $0 }.first)
                #expect(inverse.last == inverse.map { $0 }.last)
                for kennel in kennels {
                    #expect(inverse.times(kennel) == lists.filter { $0 == kennel.name }.count)
                    #expect(inverse.contains(kennel) == lists.contains(kennel.name))
                    #expect(inverse.index(of: kennel) == inverse.map { $0 }.firstIndex(of: kennel))
                }
                #expect(dog.setKennels.map(\.name).sorted() == expected(dog) { Array($0.dogSet) })
                #expect(dog.mapKennels.map(\.name).sorted() == expected(dog) { $0.dogMap.values.compactMap { $0 } })
            }
        }
        for _ in 0..<60 {
            try fixture.graph.write {
                for _ in 0..<3 {
                    let kennel = kennels.randomElement(using: &generator)!
                    let dog = dogs.randomElement(using: &generator)!
                    switch Int.random(in: 0..<8, using: &generator) {
                    case 0, 1, 2: kennel.dogs.append(dog)
                    case 3: if !kennel.dogs.isEmpty { kennel.dogs.remove(at: 0) }
                    case 4: kennel.dogSet.insert(dog)
                    case 5: kennel.dogSet.remove(dog)
                    case 6: kennel.dogMap["\(Int.random(in: 0..<3, using: &generator))"] = dog
                    default: kennel.dogs.reverse()
                    }
                    check()
                }
            }
            check()
        }
    }

    @Test("An instance that is kept follows every change, also inside a write")
    func kept() throws {
        let fixture = try CollectionFixture(dogs: 1)
        let dog = fixture.kennel.dogs[0]
        let inverse = dog.kennels
        #expect(inverse.count == 1)
        try fixture.graph.write {
            let others = (0..<10).map { _ in Kennel() }
            for (i, other) in others.enumerated() {
                other.dogs.append(dog)
                try fixture.graph.add(other)
                #expect(inverse.count == i + 2 && inverse[i + 1] == other)
            }
            others[3].dogs.append(dog)
            #expect(inverse.count == 12 && inverse[4] == inverse[5] && inverse[4] == others[3])
            others[3].dogs.removeAll()
            #expect(inverse.count == 10)
        }
        #expect(inverse.count == 10 && inverse.last?.dogs.first == dog)
        let frozen = inverse.freeze()
        try fixture.graph.write { for kennel in inverse { fixture.graph.delete(kennel) } }
        #expect(inverse.isEmpty && frozen.count == 10 && frozen[9].dogs.count == 1)
    }

    @Test("It is empty while the object is unmanaged, and in no set is the object twice")
    func unmanaged() throws {
        let kennel = Kennel()
        let dog = Dog(1)
        kennel.dogs.append(dog)
        #expect(dog.kennels.isEmpty && dog.kennels.first == nil && !dog.kennels.contains(kennel))
        let fixture = try CollectionFixture()
        _ = try fixture.add(Kennel())
        #expect(!dog.kennels.contains(fixture.kennel))
    }

    @Test("A bad position inside a write fails it", arguments: [-1, 1, 2])
    func bounds(position: Int) throws {
        let fixture = try CollectionFixture()
        #expect(fixture.failure { _ = fixture.kennel.dogs[0].kennels[position] } == .outOfBounds)
    }

    @Test("A deleted object links nowhere")
    func deleted() throws {
        let fixture = try CollectionFixture()
        let dog = fixture.kennel.dogs[0]
        let inverse = dog.kennels
        try fixture.graph.write { fixture.graph.delete(dog) }
        #expect(inverse.isInvalidated && inverse.isEmpty && Array(inverse).isEmpty)
        #expect(fixture.failure { _ = inverse.count } == .invalidatedObject)
    }
}
