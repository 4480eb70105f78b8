import Banyan
import Foundation
import Testing

@Suite("Results on collections of objects")
struct NarrowingTests {
    /// Five hounds, of which the second is twice in the list; the set and the map hold some of them.
    private func owner() -> Owner {
        let owner = Owner(1, "Ada")
        let hounds = [("Rex", 3), ("Fido", 5), ("Bello", 3), ("Ajax", 9), ("Zorro", 1)].map { name, age in
            let hound = Hound(name)
            hound.age = Int8(age)
            return hound
        }
        owner.hounds.append(objectsIn: hounds + [hounds[1]])
        owner.walked.insert(objectsIn: hounds[1...3])
        for hound in hounds[2...] { owner.byName[hound.name] = hound }
        owner.byName["nobody"] = .some(nil)
        owner.formerAbodes.append(objectsIn: ["Rome", "Oslo", "Bergen"].map { Abode($0) })
        owner.favourite = hounds[0]
        return owner
    }

    @Test("Lists are narrowed in their order, each object as often as it is there", arguments: Situation.managed)
    func lists(_ situation: Situation) async throws {
        try await situation.show(Owner.self, kinfolk) {
            owner()
        } spoil: { owner in
            owner.hounds.removeLast(3)
            owner.hounds.first?.age = 100
            owner.byName.removeAll()
        } check: { owner in
            #expect(owner.hounds.where { $0.age > 2 }.map(\.name) == ["Rex", "Fido", "Bello", "Ajax", "Fido"])
            #expect(try owner.hounds.filter("age == 5").count == 2)
            #expect(owner.hounds.sorted(by: \.name).map(\.name) == ["Ajax", "Bello", "Fido", "Fido", "Rex", "Zorro"])
            #expect(owner.hounds.sorted(by: \.age, ascending: false).first?.name == "Ajax")
            #expect(
                try owner.hounds.sorted(by: ["age", "name"]).map(\.name) == [
                    "Zorro", "Bello", "Rex", "Fido", "Fido", "Ajax",
                ])
            #expect(owner.hounds.distinct(by: [\.age]).map(\.name) == ["Rex", "Fido", "Ajax", "Zorro"])
            #expect(owner.hounds.distinct().map(\.name) == ["Rex", "Fido", "Bello", "Ajax", "Zorro"])
            #expect(Set(owner.walked.where { $0.age >= 5 }.map(\.name)) == ["Fido", "Ajax"])
            #expect(owner.walked.sorted(by: \.name).map(\.name) == ["Ajax", "Bello", "Fido"])
            #expect(owner.byName.where { $0.age > 1 }.map(\.name) == ["Ajax", "Bello"])
            #expect(try owner.byName.filter("name BEGINSWITH 'Z'").map(\.name) == ["Zorro"])
            #expect(owner.byName.sorted(by: \.age).map(\.name) == ["Zorro", "Bello", "Ajax"])
            let inverse = try #require(owner.favourite).favouriteOf
            #expect(inverse.where { $0.name == "Ada" }.count == 1 && inverse.where { $0.name == "Bob" }.isEmpty)
            #expect(
                owner.formerAbodes.where { $0.city != "Rome" }.sorted(by: \.city).map(\.city) == ["Bergen", "Oslo"])
        }
    }

    @Test("They narrow on, and aggregate what they select")
    func chained() throws {
        let graph = try kinGraph()
        let ada = try graph.added(owner())
        let some = ada.hounds.where { $0.age < 9 }.sorted(by: \.name, ascending: false)
        #expect(some.map(\.name) == ["Zorro", "Rex", "Fido", "Fido", "Bello"])
        #expect(some.where { $0.age == 3 }.map(\.name) == ["Rex", "Bello"])
        #expect(some.sum(of: \.age) == 17 && some.max(of: \.age) == 5 && some.min(of: \.age) == 1)
        #expect(some.average(of: \.age) == 3.4 && some[1].name == "Rex" && some.last?.name == "Bello")
        #expect(try some.distinct(by: ["name"]).count == 4 && some.distinct(by: [\.name, \.age]).count == 4)
        #expect(some.index(of: ada.hounds[0]) == 1 && some.index(of: ada.hounds[3]) == nil)
        #expect(some.contains(ada.hounds[4]) && some.index(matching: { $0.age == 5 }) == 2)
        #expect(some[1..<3].map(\.name) == ["Rex", "Fido"] && some[3...].count == 2)
        #expect(
            some.values(of: \.age) == [1, 3, 5, 5, 3] && some.objects(at: [0, 4]).map(\.name) == ["Zorro", "Bello"])
        #expect("\(ada.hounds.where { $0.age == 100 })" == "Results<Hound> of 0: []")
    }

    @Test("They are live: they follow the collection and its objects, inside a write too, and end with the owner")
    func live() throws {
        let graph = try kinGraph()
        let ada = try graph.added(owner())
        let old = ada.hounds.where { $0.age > 4 }.sorted(by: \.name)
        let others = graph.objects(Hound.self).where { $0.age > 4 }
        #expect(old.map(\.name) == ["Ajax", "Fido", "Fido"])
        try graph.write {
            ada.hounds.remove(at: 1)
            #expect(old.map(\.name) == ["Ajax", "Fido"])
            ada.hounds[0].age = 7
            try graph.add(Hound("stray"))
            #expect(old.map(\.name) == ["Ajax", "Fido", "Rex"] && others.count == 3)
        }
        #expect(old.count == 3 && old.first?.name == "Ajax")
        try graph.write {
            for hound in old { ada.hounds.removeAll { $0 == hound } }
        }
        #expect(old.isEmpty && !old.isInvalidated)
        try graph.write { graph.delete(ada) }
        #expect(old.isEmpty && old.isInvalidated)
    }

    @Test("Observers of them are told what changed", arguments: [true, false])
    func observed(_ isSorted: Bool) throws {
        let graph = try kinGraph()
        let ada = try graph.added(owner())
        let narrowed = ada.hounds.where { $0.age < 9 }
        let results = isSorted ? narrowed.sorted(by: \.name) : narrowed
        var shown: [String] = []
        let token = results.observe { change in
            switch change {
            case .initial(let results): shown = results.map(\.name)
            case .update(let results, let deletions, let insertions, _):
                for index in deletions.reversed() { shown.remove(at: index) }
                for index in insertions { shown.insert(results[index].name, at: index) }
            }
        }
        defer { token.invalidate() }
        #expect(shown == results.map(\.name))
        func expectFollowed(_ change: () throws -> Void) throws {
            try graph.write { try change() }
            #expect(shown == results.map(\.name))
        }
        try expectFollowed { ada.hounds.append(Hound("Aaron")) }
        try expectFollowed { ada.hounds[3].age = 2 }
        try expectFollowed { ada.hounds.remove(at: 1) }
        try expectFollowed { ada.hounds.move(from: 0, to: 3) }
        try expectFollowed { graph.delete(ada.hounds[0]) }
        try expectFollowed { ada.hounds.append(objectsIn: Array(ada.hounds)) }
        try expectFollowed { ada.hounds.removeAll() }
        #expect(shown.isEmpty)
    }

    @Test("A property of all of them is set at once, even where that takes them out of the results")
    func bulk() throws {
        let graph = try kinGraph()
        let ada = try graph.added(owner())
        try graph.write {
            graph.objects(Hound.self).where { $0.age < 5 }.setValue(50, for: \.age)
            ada.hounds.setValue("renamed", for: \.name)
        }
        #expect(graph.objects(Hound.self).where { $0.age == 50 }.count == 3)
        #expect(ada.hounds.allSatisfy { $0.name == "renamed" })
    }

    @Test("Distinct keeps the first in order, of all objects too, and is observed")
    func distinct() throws {
        let graph = try kinGraph()
        let ada = try graph.added(owner())
        let kinds = graph.objects(Hound.self).sorted(by: \.name).distinct(by: [\.age])
        #expect(
            kinds.map(\.name) == ["Ajax", "Bello", "Fido", "Zorro"] && kinds.count == 4 && kinds.first?.name == "Ajax")
        #expect(kinds.sum(of: \.age) == 18)
        var count = 0
        let token = kinds.observe { _ in count = kinds.count }
        defer { token.invalidate() }
        try graph.write { ada.hounds[4].age = 9 }
        #expect(count == 3 && kinds.map(\.name) == ["Ajax", "Bello", "Fido"])
        #expect(kinds.explain().contains("age"))
        #expect(graph.objects(Owner.self).distinct(by: [\.favourite?.age]).count == 1)
    }

    @Test("Descriptors sort by names and key paths, up and down")
    func descriptors() throws {
        let graph = try kinGraph()
        let ada = try graph.added(owner())
        let byAge = Banyan.SortDescriptor(keyPath: \Hound.age, ascending: false)
        let byAgeOrName = Banyan.SortDescriptor<BanyanError>(keyPath: \Hound.age, ascending: false)
        let sorted = try graph.objects(Hound.self).sorted(by: [byAgeOrName, "name"])
        #expect(sorted.map(\.name) == ["Ajax", "Fido", "Bello", "Rex", "Zorro"])
        #expect(try graph.objects(Hound.self).sorted(by: [byAgeOrName.reversed(), "name"]).first?.name == "Zorro")
        #expect(try ada.hounds.sorted(byKeyPath: "age", ascending: false).first?.name == "Ajax")
        #expect(byAge == Banyan.SortDescriptor(keyPath: \Hound.age, ascending: false) && byAge != byAge.reversed())
        #expect(try graph.objects(Owner.self).sorted(byKeyPath: "favourite.name").count == 1)
    }

    @Test("Whatever kind of collection it is, one type holds it")
    func erased() throws {
        let graph = try kinGraph()
        let ada = try graph.added(owner())
        let collections: [AnyObjectCollection<Hound>] = [
            AnyObjectCollection(ada.hounds), AnyObjectCollection(ada.walked),
            AnyObjectCollection(ada.hounds.where { $0.age > 2 }),
            AnyObjectCollection(AnyObjectCollection(graph.objects(Hound.self))),
        ]
        #expect(collections.map(\.count) == [6, 3, 5, 5])
        for collection in collections {
            #expect(collection.map(\.name) == collection.base.map(\.name))
            #expect(collection.where { $0.name == "Fido" }.isEmpty == false)
            #expect(collection.sorted(by: \.age).first.map { $0.age <= 3 } == true)
            #expect(collection.index(of: collection[1]) == 1 && collection.last == collection[collection.count - 1])
            let frozen = collection.freeze()
            #expect(frozen.isFrozen && !collection.isFrozen && frozen.count == collection.count)
            #expect(frozen.thaw()?.count == collection.count && !collection.isInvalidated)
            #expect(graph.resolve(ThreadSafeReference(to: collection))?.map(\.name) == collection.map(\.name))
        }
        let numbers = AnyObjectCollection(List([3, 1, 2]))
        #expect(numbers.sum() == 6 && numbers.max() == 3 && "\(numbers)" == "[3, 1, 2]")
        let owners = AnyObjectCollection(ada.hounds[0].owners)
        #expect(graph.resolve(ThreadSafeReference(to: owners))?.first == ada)
    }

    @Test("Numbers in maps amount to something")
    func maps() throws {
        let maps = Maps()
        for (i, value) in [5, 1, 3].enumerated() {
            maps.int[i] = value
            maps.optionalInt[UUID()] = value
        }
        maps.optionalInt.updateValue(nil, forKey: UUID())
        let graph = Graph(try Store(.init(models: [Maps.self])))
        for _ in 0..<2 {
            #expect(maps.int.sum() == 9 && maps.int.average() == 3 && maps.int.min() == 1 && maps.int.max() == 5)
            #expect(maps.optionalInt.sum() == 9 && maps.optionalInt.average() == 3)
            #expect(maps.optionalInt.min() == 1 && maps.optionalInt.max() == 5)
            if maps.graph == nil { try graph.added(maps) }
        }
    }

    @Test("An unmanaged collection cannot be queried, and says what to do")
    func unmanaged() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Owner(1).hounds.where { $0.age > 1 }
        }
        let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(text.contains("unmanaged") && text.contains("add its owner"))
    }
}
