import Banyan
import Foundation
import Testing

/// An isolation domain of its own, with a graph of its own.
private actor House {
    private let graph: Graph

    init(_ store: Store) { graph = Graph(store) }

    func name(_ reference: ThreadSafeReference<Owner>) -> String? { graph.resolve(reference)?.name }

    func rename(_ reference: ThreadSafeReference<Owner>, _ name: String) throws {
        try graph.write { graph.resolve(reference)?.name = name }
    }

    func count(_ reference: ThreadSafeReference<Results<Owner>>) -> Int? { graph.resolve(reference)?.count }

    func append(_ hound: String, _ reference: ThreadSafeReference<List<Hound>>) throws -> Int? {
        try graph.write {
            let list = graph.resolve(reference)
            list?.append(Hound(hound))
            return list?.count
        }
    }

    /// Makes an owner and hands it out.
    func make(_ id: Int) throws -> ThreadSafeReference<Owner> {
        ThreadSafeReference(to: try graph.added(Owner(id, "made in the house")))
    }

    func sequence() -> UInt64 { graph.sequence }
}

@Suite("Handing over")
struct HandOverTests {
    private func store() throws -> Store {
        let store = try Store(.init(models: kinfolk))
        try Graph(store).added(Owner(1, "Ada")) {
            $0.hounds.append(Hound("Rex"))
            $0.walked.insert($0.hounds[0])
            $0.tags.insert("tag")
            $0.byName["Rex"] = $0.hounds[0]
            $0.abode = Abode("Oslo")
        }
        return store
    }

    @Test("References take objects, lists and results from one actor to another and back")
    func actors() async throws {
        let store = try store()
        let (here, house) = (Graph(store), House(store))
        let ada = try #require(here.objects(Owner.self).first)
        let reference = ThreadSafeReference(to: ada)
        #expect(await house.name(reference) == "Ada")
        try await house.rename(reference, "Ada L.")
        #expect(ada.name == "Ada")
        here.refresh()
        #expect(ada.name == "Ada L.")
        #expect(try await house.append("Fido", ThreadSafeReference(to: ada.hounds)) == 2)
        let made = try await house.make(2)
        // The graph here is older than what it is given, and moves on.
        let sequence = here.sequence
        let two = try #require(here.resolve(made))
        #expect(two.name == "made in the house" && here.sequence > sequence && ada.hounds.count == 2)
        #expect(await house.count(ThreadSafeReference(to: here.objects(Owner.self).where { $0.id > 1 })) == 1)
        // Any number of times.
        #expect(await house.name(reference) == "Ada L.")
        #expect(store.read { $0.resolve(reference)?.id } == 1)
    }

    @Test("Everything of an object can be handed over, and is the same there")
    func everything() throws {
        let store = try store()
        let (here, there) = (Graph(store), Graph(store))
        let ada = try #require(here.objects(Owner.self).first)
        func resolved<T: ThreadConfined>(_ thing: T) throws -> T {
            try #require(there.resolve(ThreadSafeReference(to: thing)))
        }
        #expect(try resolved(ada).graph === there)
        #expect(try resolved(ada) == ada)
        #expect(try resolved(ada.abode!).city == "Oslo")
        #expect(try resolved(ada.hounds).map(\.name) == ["Rex"])
        #expect(try resolved(ada.walked).map(\.name) == ["Rex"])
        #expect(try Array(resolved(ada.tags)) == ["tag"])
        #expect(try resolved(ada.byName)["Rex"]??.name == "Rex")
        #expect(try resolved(ada.hounds[0].owners).first == ada)
        #expect(try resolved(here.objects(Owner.self).sorted(by: \.name)).map(\.id) == [1])
        #expect(try resolved(here) === there)
        for thing in try [resolved(ada.hounds), resolved(ada.hounds)] { #expect(thing.graph === there) }
    }

    @Test("What was deleted, or is of another store, resolves to nil")
    func nothing() throws {
        let store = try store()
        let (here, there) = (Graph(store), Graph(store))
        let ada = try #require(here.objects(Owner.self).first)
        let (object, list) = (ThreadSafeReference(to: ada), ThreadSafeReference(to: ada.hounds))
        let other = try Graph(self.store())
        #expect(other.resolve(object) == nil && other.resolve(list) == nil)
        #expect(Graph(store.fork()).resolve(object) == nil)
        try here.write { here.delete(ada) }
        there.refresh()
        #expect(there.resolve(object) == nil && there.resolve(list) == nil)
        // It keeps the version it was made at.
        #expect(object.frozen()?.name == "Ada" && list.frozen()?.count == 1)
        #expect(there.resolve(ThreadSafeReference(to: ada)) == nil)
    }

    @Test("Frozen, all stays as it is; thawed, it is as it is now, or nil where it is gone")
    func freezing() throws {
        let store = try store()
        let graph = Graph(store)
        let ada = try #require(graph.objects(Owner.self).first)
        let all = graph.objects(Owner.self)
        #expect(!ada.isFrozen && !ada.hounds.isFrozen && !all.isFrozen && !graph.isFrozen)
        let (object, list, results) = (ada.freeze(), ada.hounds.freeze(), all.freeze())
        let (set, map, inverse) = (ada.tags.freeze(), ada.byName.freeze(), ada.hounds[0].owners.freeze())
        #expect(
            object.isFrozen && list.isFrozen && results.isFrozen && set.isFrozen && map.isFrozen && inverse.isFrozen)
        #expect(object.freeze() === object && object.hounds.isFrozen && object.abode?.isFrozen == true)
        #expect(object != ada && object.isSameObject(as: ada))
        try graph.write {
            ada.name = "changed"
            ada.hounds.append(Hound("Fido"))
            ada.tags.insert("more")
            ada.byName["Rex"] = nil
            try graph.add(Owner(2, "Bob"))
        }
        #expect(object.name == "Ada" && list.count == 1 && results.count == 1 && set.count == 1 && map.count == 1)
        #expect(object.thaw()?.name == "changed" && list.thaw()?.count == 2 && results.thaw()?.count == 2)
        #expect(set.thaw()?.count == 2 && map.thaw()?.isEmpty == true && inverse.thaw()?.first?.name == "changed")
        #expect(object.thaw(in: graph) == ada && object.thaw(in: graph)?.graph === graph)
        #expect(ada.thaw() === ada && all.thaw()?.graph === graph && graph.thaw() === graph)
        #expect(object.graph?.thaw()?.isFrozen == false)
        try graph.write { graph.delete(ada) }
        #expect(object.thaw() == nil && list.thaw() == nil && map.thaw() == nil)
        #expect(inverse.thaw()?.isEmpty == true)
        #expect(object.thaw(in: graph) == nil && ada.thaw() == nil && results.thaw()?.map(\.name) == ["Bob"])
        #expect(object.name == "Ada")
    }

    @Test("Unmanaged things are live as they are, and cannot be frozen or handed over: that traps and says so")
    func unmanaged() async {
        let owner = Owner(1)
        #expect(owner.thaw() === owner && !owner.isFrozen)
        #expect(owner.hounds.thaw() === owner.hounds)
        func text(_ result: ExitTest.Result?) -> String {
            result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        }
        let frozen = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Owner(1).freeze()
        }
        #expect(text(frozen).contains("an unmanaged 'Owner' was frozen: add it to a graph first"))
        let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Owner(1).hounds.freeze()
        }
        #expect(text(list).contains("an unmanaged collection was frozen: add its owner to a graph first"))
        let reference = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ThreadSafeReference(to: Owner(1))
        }
        #expect(text(reference).contains("a reference to an unmanaged Owner was made: add it to a graph first"))
    }

    @Test("A frozen graph does not keep its store, and cannot be thawed without it")
    func storeGone() throws {
        var store: Store? = try store()
        let frozen = try #require(store?.freeze().objects(Owner.self).first)
        #expect(frozen.thaw() != nil)
        store = nil
        #expect(frozen.name == "Ada" && frozen.thaw() == nil && frozen.graph?.thaw() == nil)
    }

    @Test("An object added in the open write is not in a frozen version yet")
    func inAWrite() throws {
        let graph = try Graph(store())
        try graph.write {
            let owner = Owner(2)
            try graph.add(owner)
            #expect(owner.freeze().isInvalidated)
            let reference = ThreadSafeReference(to: owner)
            #expect(graph.resolve(reference) == owner && reference.frozen() == nil)
        }
    }

    @Test("Many tasks are handed the same frozen version while others write")
    func manyTasks() async throws {
        let store = try store()
        let frozen = ThreadSafeReference(to: store.freeze())
        let live = ThreadSafeReference(to: try #require(Graph(store).objects(Owner.self).first))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var seen = 0
                    for round in 0..<50 {
                        if task % 2 == 0 {
                            let graph = Graph(store)
                            try graph.write {
                                graph.resolve(live)?.age += 1
                                try graph.add(Owner(100 + task * 1000 + round))
                            }
                        } else if let graph = frozen.frozen() {
                            let owners = graph.objects(Owner.self)
                            #expect(owners.count == 1 && owners.first?.age == 0 && owners.first?.hounds.count == 1)
                            let age = store.read { $0.resolve(live)?.age ?? -1 }
                            #expect(age >= seen)
                            seen = age
                        }
                    }
                    return seen
                }
            }
            for try await _ in group {}
        }
        #expect(store.read { $0.resolve(live)?.age } == 200)
        #expect(live.frozen()?.age == 0)
    }
}
