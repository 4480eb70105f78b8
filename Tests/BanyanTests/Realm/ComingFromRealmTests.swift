import Foundation
import Testing

import Banyan

@Model class RealmDog: Object, Codable {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<RealmPerson>
}

@Model class RealmPerson: Object {
    @Persisted var name = ""
    @Persisted var dogs: List<RealmDog>
    @Persisted var tags: MutableSet<String>
    @Persisted var byName: Map<String, RealmDog?>
    @Persisted var home: RealmHome?
    @Persisted var mood: RealmMood = .good
    @Persisted var number: Decimal128 = 1
    @Persisted var key: ObjectId
}

@Model class RealmHome: EmbeddedObject {
    @Persisted var city = ""
}

enum RealmMood: String, PersistableEnum { case good, bad }

/// A program's own function on any collection, as programs for Realm have them.
private func count<C: ObjectCollection>(_ collection: C) -> Int? {
    collection.graph.map { _ in collection.count }
}

private func observed<C: ObjectCollection>(_ collection: C, _ tell: @escaping (Int) -> Void) -> NotificationToken {
    collection.observe { change in
        switch change {
        case .initial(let collection): tell(collection.count)
        case .update(let collection, deletions: _, insertions: _, modifications: _): tell(collection.count)
        }
    }
}

/// Each test is a line of the page *Coming from Realm*, or several that belong together, as Realm's users write it.
@Suite("Coming from Realm")
struct ComingFromRealmTests {
    private let store: Store
    private let graph: Graph

    init() throws {
        store = try Store(.init(models: [RealmPerson.self]))
        graph = Graph(store)
    }

    @discardableResult
    private func person() throws -> RealmPerson {
        let person = RealmPerson()
        try graph.write {
            try graph.add(person)
            for (id, name) in [(1, "Rex"), (2, "Fido"), (3, "Ace")] {
                person.dogs.append(try graph.create(RealmDog.self, value: ["id": id, "name": name, "age": id * 2]))
            }
        }
        return person
    }

    @Test("Writing: blocks in every form, with and without a graph and metadata")
    func write() async throws {
        let dog = RealmDog()
        try graph.write({ try graph.add(dog) })
        try graph.write { dog.name = "a" }
        let block = { dog.age += 1 }
        try graph.write(block)
        let throwing: () throws -> Int = {
            dog.age += 1
            return dog.age
        }
        #expect(try graph.write(throwing) == 2)
        let taking: (Graph) -> Void = { $0.objects(RealmDog.self).first?.age += 1 }
        try graph.write(taking)
        try graph.write(.init(author: "me"), { dog.age += 1 })
        try graph.write(.init(author: "me")) { graph in graph.objects(RealmDog.self).first?.age += 1 }
        let count: Int = try graph.write { graph in
            let dogs = graph.objects(RealmDog.self)
            return dogs.count
        }
        try await graph.asyncWrite { dog.age += 1 }
        try await graph.asyncWrite { graph in graph.objects(RealmDog.self).first?.age += 1 }
        try await store.write { graph in graph.objects(RealmDog.self).first?.age += 1 }
        graph.refresh()
        #expect(dog.age == 8 && count == 1)
        try graph.beginWrite()
        #expect(graph.isInWriteTransaction)
        dog.age = 0
        graph.cancelWrite()
        try graph.beginWrite()
        dog.age += 1
        try graph.commitWrite()
        #expect(dog.age == 9 && !graph.isInWriteTransaction)
    }

    @Test("Adding, creating, deleting, finding")
    func objects() throws {
        #expect(graph.isEmpty)
        let dog = RealmDog()
        try graph.write {
            try graph.add(dog)
            try graph.add(dog, update: .modified)
            try graph.create(RealmDog.self, value: ["id": 5, "name": "five"], update: .all)
        }
        #expect(!graph.isEmpty && graph.objects(RealmDog.self).count == 2)
        #expect(graph.object(ofType: RealmDog.self, forPrimaryKey: 5)?.name == "five")
        let frozen = dog.freeze()
        try graph.write {
            graph.delete(dog)
            graph.delete(graph.objects(RealmDog.self))
            graph.deleteAll()
        }
        #expect(dog.isInvalidated && graph.isEmpty && frozen.name == "")
        #expect(throws: BanyanError.self) { try dog.existing() }
    }

    @Test("Results: conditions, order, distinct, equality")
    func results() throws {
        let person = try person()
        let dogs = graph.objects(RealmDog.self)
        #expect(dogs.where { $0.age > 3 }.count == 2)
        #expect(try dogs.filter("age > 3").count == 2)
        #expect(try dogs.filter("name == %@ AND %K < %@", "Fido", "age", 5).map(\.id) == [2])
        #expect(try dogs.filter("age > $low", arguments: ["low": 4]).map(\.name) == ["Ace"])
        #expect(try dogs.filter(#Predicate { $0.age > 3 && $0.name != "Ace" }).map(\.name) == ["Fido"])
        #expect(try dogs.sorted(byKeyPath: "name").map(\.name) == ["Ace", "Fido", "Rex"])
        #expect(dogs.sorted(by: \.age, ascending: false).first?.name == "Ace")
        #expect(try dogs.sorted(by: [Banyan.SortDescriptor(keyPath: "age")]).first?.name == "Rex")
        #expect(try dogs.distinct(by: ["name"]).count == 3)
        #expect(person.dogs.sorted(by: \.name).first?.name == "Ace")
        #expect(dogs == graph.objects(RealmDog.self) && dogs != dogs.where { $0.age > 3 })
        #expect(dogs.where { $0.age > 3 } == dogs.where { $0.age > 3 } && dogs == Graph(store).objects(RealmDog.self))
        #expect(
            dogs != dogs.freeze() && dogs.freeze() == dogs.freeze()
                && dogs != Graph(store.fork()).objects(RealmDog.self))
        #expect(Set([dogs, graph.objects(RealmDog.self)]).count == 1)
        #expect(AnyObjectCollection(person.dogs) == AnyObjectCollection(person.dogs))
        #expect(AnyObjectCollection(person.dogs) != AnyObjectCollection(dogs))
    }

    @Test("Collections: another instance at each access, and equal")
    func collections() throws {
        let person = RealmPerson()
        let (list, set, map) = (person.dogs, person.tags, person.byName)
        #expect(list === person.dogs)
        try graph.write { try graph.add(person) }
        #expect(list !== person.dogs && list == person.dogs && set == person.tags && map == person.byName)
        try graph.write { list.append(RealmDog()) }
        #expect(person.dogs.count == 1 && person.dogs[0].owners == person.dogs[0].owners)
        #expect(person.dogs[0].isSameObject(as: list[0]) && person.dogs[0] == list[0])
    }

    @Test("Generic code on any collection has its graph, and observes without naming an isolation")
    func generic() throws {
        let person = try person()
        #expect(
            count(person.dogs) == 3 && count(graph.objects(RealmDog.self)) == 3 && count(person.dogs[0].owners) == 1)
        #expect(count(AnyObjectCollection(person.tags)) == 0 && count(RealmPerson().dogs) == nil)
        let (results, list) = (graph.objects(RealmDog.self), person.dogs)
        // Of results it is never nil; as a graph that may be, it is the same one.
        let (sure, maybe): (Graph, Graph?) = (results.graph, results.graph)
        #expect(sure === graph && maybe === graph)
        var told: [Int] = []
        let tokens = [
            observed(list) { told.append($0) }, observed(results) { told.append($0) },
            observed(AnyObjectCollection(list)) { told.append($0) },
        ]
        try graph.write { list.append(RealmDog()) }
        #expect(told == [3, 3, 3, 4, 4, 4] && tokens.count == 3)
    }

    @Test("Frozen versions and references")
    func frozen() throws {
        let person = try person()
        let frozen = person.freeze()
        #expect(frozen.isFrozen && frozen.thaw()?.name == "" && person.dogs.freeze().thaw()?.count == 3)
        let reference = ThreadSafeReference(to: person)
        #expect(Graph(store).resolve(reference) == person)
    }

    @Test("Names: objects and schemas by name, values by key")
    func names() throws {
        let person = try person()
        try graph.write {
            person["name"] = "Ada"
            person["mood"] = "bad"
            try person.setValue(RealmMood.good, forKey: "mood")
            person["home"] = ["city": "Oslo"]
            person["dogs"] = [["id": 7, "name": "x"]]
        }
        #expect(person["name"] as? String == "Ada" && person["mood"] as? RealmMood == .good)
        #expect(try person.value(forKey: "name") as? String == "Ada" && person.home?.city == "Oslo")
        #expect(person.dogs.map(\.name) == ["x"])
        #expect(try graph.objects(RealmDog.self).value(forKey: "id").count == 4)
        #expect(graph.schema["RealmDog"]?["name"]?.type == .string && person.objectSchema?.className == "RealmPerson")
        let dynamic: DynamicObject? = try graph.dynamicObjects("RealmPerson").first
        #expect(dynamic?.name as? String == "Ada")
    }

    @Test("Coding writes nil as null, and printing shows the properties")
    func text() throws {
        let person = try person()
        #expect("\(person.dogs[0])" == #"RealmDog(id: 1, name: "Rex", age: 2, owners: [\#(reference(person))])"#)
        #expect("\(graph.objects(RealmPerson.self))".hasPrefix("Results<RealmPerson> of 1: [RealmPerson(name: \"\""))
        let decoded = try JSONDecoder().decode(RealmDog.self, from: JSONEncoder().encode(person.dogs[0]))
        #expect(decoded.name == "Rex" && decoded.graph == nil)
    }

    private func reference(_ person: RealmPerson) -> String { "RealmPerson(\(person.objectID!))" }

    @Test("A copy is a snapshot, and errors say what to do")
    func files() async throws {
        let directory = ScratchDirectory()
        try await store.snapshot(to: directory.file("copy.bsn"))
        let copy = try Store(.init(base: directory.file("copy.bsn"), models: [RealmPerson.self]))
        #expect(Graph(copy).isEmpty)
        let error = graph.fault { _ in
            try graph.add(RealmDog(value: ["id": 1])); try graph.add(RealmDog(value: ["id": 1]))
        }
        #expect(error?.code == .duplicateKey && error?.localizedDescription.contains("RealmDog") == true)
    }

    @Test("The old names compile, and are what they stand for")
    func oldNames() throws {
        let old: any RealmProgram = OldProgram(store: store)
        try old.run()
    }
}

private protocol RealmProgram {
    func run() throws
}

// Its functions are deprecated themselves, so that their use of what is deprecated is no warning.
private struct OldProgram: RealmProgram {
    let store: Store

    @available(*, deprecated)
    func names(_ type: RealmSwiftObject.Type, _ embedded: RealmSwiftEmbeddedObject.Type) -> Bool { type == Object.self }
    @available(*, deprecated)
    func realm<C: RealmCollection>(of collection: C) -> Realm? { collection.realm }
    @available(*, deprecated)
    func sum<T: AddableType & RealmCollectionValue>(_ list: List<T>) -> T.Sum { list.sum() }
    @available(*, deprecated)
    func least<T: MinMaxType & RealmCollectionValue>(_ list: List<T>) -> T? { list.min() }
    @available(*, deprecated)
    func first<E: RealmEnum>(_ type: E.Type) -> E? { type.allCases.first }
    @available(*, deprecated)
    func id<T: ObjectKeyIdentifiable>(_ value: T) -> T.ID { value.id }

    @available(*, deprecated)
    func text<T>(_ change: RealmCollectionChange<T>) -> String {
        switch change {
        case .initial: "initial"
        case .update: "update"
        case .error(let error): "\(error)"
        }
    }

    @available(*, deprecated)
    func text<M, K>(_ change: RealmMapChange<M, K>) -> String {
        switch change {
        case .initial: "initial"
        case .update: "update"
        case .error(let error): "\(error)"
        }
    }

    @available(*, deprecated)
    func text<T>(_ change: ObjectChange<T>) -> String {
        switch change {
        case .change(_, let properties): properties.map(\.name).joined()
        case .deleted: "deleted"
        case .error(let error): "\(error)"
        }
    }

    @available(*, deprecated)
    func run() throws {
        let configuration = Realm.Configuration(models: [RealmPerson.self])
        let policy: Realm.UpdatePolicy = .modified
        let realm = Realm(store)
        let person = RealmPerson()
        try realm.write {
            try realm.add(person, update: policy)
            person.dogs.append(RealmDog())
        }
        #expect(configuration.directory == nil && names(Object.self, EmbeddedObject.self))
        #expect(person.realm === realm && person.dogs.realm === realm && self.realm(of: person.dogs) === realm)
        #expect(person.byName.realm === realm && realm.objects(RealmDog.self).realm === realm)
        #expect(self.realm(of: AnyRealmCollection(person.dogs)) === realm)
        let value: AnyRealmValue = 5
        #expect(value == .int(5) && sum([1, 2]) == 3 && least([3, 1]) == 1 && first(RealmMood.self) == .good)
        #expect(id(person.dogs[0].detached()) == 0)
        var told: [String] = []
        let tokens = [
            person.dogs.observe { told.append(text($0)) }, person.byName.observe { told.append(text($0)) },
            person.observe { (change: ObjectChange<RealmPerson>) in told.append(text(change)) },
        ]
        try realm.write {
            person.name = "x"
            person.dogs.removeAll()
            person.byName["a"] = try RealmDog(value: ["id": 3])
        }
        #expect(Set(told) == ["initial", "update", "namedogsbyName"])
        tokens.forEach { $0.invalidate() }
    }
}
