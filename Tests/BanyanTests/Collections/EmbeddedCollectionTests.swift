import Banyan
import Testing

@Suite("Collections of embedded objects")
struct EmbeddedCollectionTests {
    private func fixture(_ names: String...) throws -> CollectionFixture {
        let fixture = try CollectionFixture()
        try fixture.graph.write { fixture.kennel.toys.append(objectsIn: names.map { Toy($0) }) }
        return fixture
    }

    @Test("What leaves a list is deleted, what stays is the same object")
    func lifetime() throws {
        let fixture = try fixture("a", "b", "c", "d")
        let toys = fixture.kennel.toys
        let handles = Array(toys)
        try fixture.graph.write {
            toys.remove(at: 1)
            toys[1] = Toy("e")
            toys.reverse()
        }
        #expect(handles.map(\.isInvalidated) == [false, true, true, false])
        #expect(toys.map(\.name) == ["d", "e", "a"] && toys[0] == handles[3] && toys[2] == handles[0])
        try fixture.graph.write { toys.removeAll() }
        #expect(handles.allSatisfy { $0.isInvalidated })
    }

    @Test("What an embedded object owns goes with it")
    func nested() throws {
        let fixture = try fixture("a")
        let part = Toy("part")
        try fixture.graph.write { fixture.kennel.toys[0].parts.append(part) }
        #expect(part.graph === fixture.graph && fixture.kennel.toys[0].parts.first == part)
        try fixture.graph.write { fixture.kennel.toys.removeAll() }
        #expect(part.isInvalidated)
    }

    @Test("The objects of a list may be put in another order, with new ones among them and some left out")
    func reassigned() throws {
        let fixture = try fixture("a", "b", "c", "d", "e")
        let toys = fixture.kennel.toys
        let (a, c, e) = (toys[0], toys[2], toys[4])
        let gone = toys[1]
        try fixture.graph.write { toys.replaceAll(with: [e, Toy("x"), Toy("y"), a, c, Toy("z")]) }
        #expect(toys.map(\.name) == ["e", "x", "y", "a", "c", "z"] && gone.isInvalidated)
        #expect(toys[0] == e && toys[3] == a && toys[4] == c)
        try fixture.graph.write { fixture.kennel.toys = List(toys.filter { $0.name < "d" }) }
        #expect(toys.map(\.name) == ["a", "c"] && e.isInvalidated && !a.isInvalidated)
        try fixture.graph.write { toys.sort { $0.name > $1.name } }
        #expect(toys.map(\.name) == ["c", "a"] && toys[1] == a)
    }

    @Test("A second owner fails the write")
    func secondOwner() throws {
        let fixture = try fixture("a", "b")
        let toys = fixture.kennel.toys
        let (twice, again) = (Toy("twice"), Toy("again"))
        let uses: [() -> Void] = [
            { toys.append(toys[0]) }, { toys[0] = toys[1] }, { toys.append(objectsIn: [twice, twice]) },
            { toys.replaceAll(with: [toys[0], toys[0]]) }, { fixture.kennel.toyMap["a"] = toys[0] },
            { toys.replaceAll(with: [again, toys[0], again]) },
        ]
        for (i, use) in uses.enumerated() {
            #expect(fixture.failure(use) == .secondOwner, "use \(i)")
            #expect(toys.map(\.name) == ["a", "b"])
        }
        let kennel = Kennel()
        let same = Toy("same")
        kennel.toys.append(objectsIn: [same, same])
        #expect(fixture.failure { try fixture.graph.add(kennel) } == .secondOwner)
    }

    @Test("Those of a range may be put back in any order, with others among them", arguments: 0..<6)
    func rearranged(_ way: Int) throws {
        let fixture = try fixture("a", "b", "c", "d", "e")
        let toys = fixture.kennel.toys
        let old = Array(toys)
        try fixture.graph.write {
            switch way {
            case 0: toys.replaceSubrange(1..<4, with: [old[3], old[1], old[2]])
            case 1: toys.replaceSubrange(1..<4, with: [Toy("x"), old[3], Toy("y"), Toy("z"), old[1]])
            case 2: toys[1..<4] = Slice(base: List([old[2], old[1]]), bounds: 0..<2)
            case 3: toys.replaceSubrange(3..., with: [old[4]])
            case 4: toys.replaceSubrange(0..<5, with: old.reversed())
            default: toys.replaceSubrange(2..<2, with: [Toy("x")])
            }
        }
        let wanted = [
            ["a", "d", "b", "c", "e"], ["a", "x", "d", "y", "z", "b", "e"], ["a", "c", "b", "e"], ["a", "b", "c", "e"],
            ["e", "d", "c", "b", "a"], ["a", "b", "x", "c", "d", "e"],
        ][way]
        #expect(toys.map(\.name) == wanted)
        for toy in old { #expect(toy.isInvalidated == !wanted.contains(toy.name)) }

    }

    @Test("One of elsewhere, or given twice, is not put into a range")
    func rearrangedWrong() throws {
        let fixture = try fixture("a", "b", "c")
        let toys = fixture.kennel.toys
        let uses: [() throws -> Void] = [
            { toys.replaceSubrange(0..<2, with: [toys[2]]) },
            { toys.replaceSubrange(0..<2, with: [toys[0], toys[0]]) },
            { toys.replaceSubrange(0..<2, with: [toys[1], toys[2]]) },
        ]
        for use in uses { #expect(fixture.failure(use) == .secondOwner) }
        #expect(fixture.failure { toys.replaceSubrange(2..<5, with: [toys[2]]) } == .outOfBounds)
        #expect(toys.map(\.name) == ["a", "b", "c"])
    }

    @Test("Assigning what is there already is nothing")
    func itself() throws {
        let fixture = try fixture("a", "b")
        try fixture.graph.write { fixture.kennel.toyMap["k"] = Toy("m") }
        let commits = try fixture.commits {
            try fixture.graph.write {
                fixture.kennel.toys[0] = fixture.kennel.toys[0]
                fixture.kennel.toys.replaceAll(with: Array(fixture.kennel.toys))
                fixture.kennel.toyMap["k"] = fixture.kennel.toyMap["k"]
            }
        }
        #expect(commits == 0)
    }

    @Test("A map deletes what it replaces and removes")
    func map() throws {
        let fixture = try fixture()
        let map = fixture.kennel.toyMap
        try fixture.graph.write {
            map["a"] = Toy("one")
            map["b"] = Toy("two")
        }
        let (one, two) = (map["a"]!!, map["b"]!!)
        try fixture.graph.write {
            map["a"] = Toy("three")
            map.updateValue(nil, forKey: "b")
        }
        #expect(one.isInvalidated && two.isInvalidated && map["a"]??.name == "three" && map["b"] == .some(nil))
        let three = map["a"]!!
        try fixture.graph.write { fixture.graph.delete(three) }
        #expect(map.keys == ["a", "b"] && map["a"] == .some(nil))
    }
}
