import Banyan
import Foundation
import Synchronization
import Testing

@Suite("Durable stores")
struct DurableStoreTests {
    static let durabilities: [Store.Durability] = [.everyCommit, .interval(.milliseconds(5)), .onClose]

    @Test(
        "What was written is there after closing and opening again, whatever the durability", arguments: durabilities,
        [false, true])
    func reopening(_ durability: Store.Durability, _ withCheckpoint: Bool) async throws {
        let directory = ScratchDirectory()
        var configuration = Store.Configuration(directory: directory.path, models: kinfolk)
        configuration.durability = durability
        for round in 0..<3 {
            let store = try await Store.open(configuration)
            #expect(store.sequence == UInt64(round * 10))
            #expect(store.read { $0.objects(Owner.self).count } == round * 10)
            for i in 0..<10 {
                try await store.write { graph in
                    let owner = Owner(round * 10 + i, "owner \(i) of round \(round)")
                    owner.hounds.append(Hound("hound"))
                    owner.abode = Abode("Oslo")
                    if i > 0 { owner.friend = graph.object(ofType: Owner.self, forPrimaryKey: round * 10) }
                    try graph.add(owner)
                }
                if withCheckpoint, i == 4 { try await store.checkpoint() }
            }
            try await store.close()
        }
        let store = try await Store.open(configuration)
        store.read { graph in
            for i in 0..<30 {
                let owner = graph.object(ofType: Owner.self, forPrimaryKey: i)
                #expect(owner?.name == "owner \(i % 10) of round \(i / 10)")
                #expect(owner?.hounds.first?.owners.first == owner)
                #expect(owner?.abode?.city == "Oslo")
                #expect(owner?.friendOf.count == (i % 10 == 0 ? 9 : 0))
            }
        }
        try await store.close()
    }

    @Test(
        "Ids of objects that were gone when their write ended are not given out again, by a journal or a snapshot",
        arguments: [false, true])
    func spentIDs(_ withCheckpoint: Bool) async throws {
        let directory = ScratchDirectory()
        var seen: Set<ObjectID> = []
        for round in 0..<4 {
            let store = try await Store.open(.init(directory: directory.path, models: kinfolk))
            let ids = try await store.write { graph in
                // Enough for several pages; a few stay.
                let owners = (0..<200).map { Owner(round * 1_000 + $0) }
                try graph.add(owners)
                let ids = owners.compactMap(\.objectID)
                graph.delete(round == 2 ? owners : Array(owners.dropLast(3)))
                return ids
            }
            #expect(ids.count == 200)
            for id in ids { #expect(seen.insert(id).inserted, "round \(round): \(id) was given out before") }
            // Also by writes after which nothing is left, and by objects of old that go.
            let more = try await store.write { graph in
                graph.delete(graph.objects(Owner.self))
                let owner = Owner(round * 1_000 + 500)
                try graph.add(owner)
                defer { graph.delete(owner) }
                return owner.objectID
            }
            #expect(seen.insert(try #require(more)).inserted)
            if withCheckpoint { try await store.checkpoint() }
            try await store.close()
        }
    }

    @Test("Models given in another order, or by another root, open the same store", arguments: 0..<4)
    func order(_ way: Int) async throws {
        let directory = ScratchDirectory()
        let orders: [[ObjectBase.Type]] = [
            [Hound.self, Owner.self], [Abode.self, Hound.self, Owner.self], [Owner.self, Owner.self], [Hound.self],
        ]
        let store = try await Store.open(.init(directory: directory.path, models: kinfolk))
        try await store.write { graph in
            let owner = Owner(1)
            owner.hounds.append(Hound("h"))
            owner.abode = Abode("Oslo")
            try graph.add(owner)
        }
        if way % 2 == 0 { try await store.checkpoint() }
        try await store.close()
        let reopened = try await Store.open(.init(directory: directory.path, models: orders[way]))
        reopened.read { graph in
            let owner = graph.objects(Owner.self).first
            #expect(owner?.hounds.first?.name == "h" && owner?.abode?.city == "Oslo")
        }
        // What is written then is read by those who name them as it was made, and by anybody else.
        try await reopened.write { graph in
            let hound = Hound("second")
            try graph.add(hound)
            graph.objects(Owner.self).first?.hounds.append(hound)
        }
        if way > 1 { try await reopened.checkpoint() }
        try await reopened.close()
        for models in [kinfolk] + orders {
            let again = try await Store.open(.init(directory: directory.path, models: models))
            #expect(again.read { $0.objects(Owner.self).first?.hounds.map(\.name) } == ["h", "second"])
            try await again.write { $0.objects(Owner.self).first?.name += "!" }
            try await again.close()
        }
    }

    @Test("A second opening is refused while the first is open")
    func inUse() async throws {
        let directory = ScratchDirectory()
        let store = try await Store.open(.init(directory: directory.path, models: kinfolk))
        let error = await #expect(throws: BanyanError.self) {
            _ = try await Store.open(.init(directory: directory.path, models: kinfolk))
        }
        #expect(error?.code == .inUse)
        try await store.close()
        try await Store.open(.init(directory: directory.path, models: kinfolk)).close()
    }

    @Test("A store that is dropped without closing gives up its lock")
    func dropped() async throws {
        let directory = ScratchDirectory()
        func use() async throws {
            let store = try await Store.open(.init(directory: directory.path, models: kinfolk))
            try await store.write { try $0.add(Owner(1)) }
        }
        try await use()
        let store = try await Store.open(.init(directory: directory.path, models: kinfolk))
        #expect(store.read { $0.objects(Owner.self).count } == 1)
        try await store.close()
    }

    @Test("A read-only store reads, refuses writes, and needs a store to be there")
    func readOnly() async throws {
        let directory = ScratchDirectory()
        var configuration = Store.Configuration(directory: directory.path, models: kinfolk)
        configuration.readOnly = true
        let reading = configuration
        let missing = await #expect(throws: BanyanError.self) { _ = try await Store.open(reading) }
        #expect(missing?.code == .notAStore)
        let store = try await Store.open(.init(directory: directory.path, models: kinfolk))
        try await store.write { try $0.add(Owner(1)) }
        try await store.close()
        let reader = try await Store.open(configuration)
        #expect(reader.read { $0.objects(Owner.self).count } == 1)
        let error = await #expect(throws: BanyanError.self) { try await reader.write { try $0.add(Owner(2)) } }
        #expect(error?.code == .readOnly)
        let graph = Graph(reader)
        let sync = #expect(throws: BanyanError.self) { try graph.write { try graph.add(Owner(2)) } }
        #expect(sync?.code == .readOnly)
        // Two readers at once are fine.
        let second = try await Store.open(configuration)
        #expect(second.read { $0.objects(Owner.self).count } == 1)
        try await second.close()
        try await reader.close()
    }

    @Test("Another schema under the same version is refused, and every difference is listed")
    func mismatch() async throws {
        let directory = ScratchDirectory()
        func first() async throws {
            @Model class Thing: Object {
                @Persisted var same = 0
                @Persisted var gone = ""
                @Persisted var changed = 0
                @Persisted(indexed: true) var index = 0
            }
            let store = try await Store.open(.init(directory: directory.path, models: [Thing.self]))
            let graph = Graph(store)
            try graph.added(Thing())
            try await store.close()
        }
        func second() async throws -> BanyanError? {
            @Model class Extra: Object { @Persisted var x = 0 }
            @Model class Thing: Object {
                @Persisted var same = 0
                @Persisted var changed: String?
                @Persisted var index = 0
                @Persisted var new = 1.0
            }
            return await #expect(throws: BanyanError.self) {
                _ = try await Store.open(.init(directory: directory.path, models: [Thing.self, Extra.self]))
            }
        }
        try await first()
        let error = try await second()
        #expect(error?.code == .schemaMismatch)
        // Behind who differs from whom stand the differences, each once.
        let text = try #require(error?.message)
        let differences = try #require(text.split(separator: ": ", maxSplits: 1).last).split(separator: "; ")
        #expect(
            differences.map(String.init).sorted() == [
                "'Extra' is in the program, not in the file",
                "'Thing.changed' is Int in the file, String? in the program",
                "'Thing.gone' (String) is in the file, not in the program",
                "'Thing.index' is indexed in the file, not indexed in the program",
                "'Thing.new' (Double) is in the program, not in the file",
            ])
        #expect(error?.location.file?.hasPrefix(directory.path) == true)
        // Nothing was touched: the old models open it.
        try await first()
    }

    @Test("A snapshot of any moment is a file that opens on its own, with changes kept in memory")
    func snapshots() async throws {
        let directory = ScratchDirectory()
        let store = try Store(.init(models: kinfolk))
        try await store.write { graph in for i in 0..<1000 { try graph.add(Owner(i, "owner \(i)")) } }
        let file = directory.file("backup.bsn")
        try await store.snapshot(to: file)
        try await store.write { $0.deleteAll() }
        let copy = try Store(.init(base: file, models: [Hound.self, Owner.self]))
        #expect(copy.read { $0.objects(Owner.self).count } == 1000)
        #expect(copy.sequence == 1)
        try await copy.write { graph in graph.delete(graph.objects(Owner.self).where { $0.age == 0 && $0.id < 500 }) }
        #expect(copy.read { $0.objects(Owner.self).count } == 500)
        #expect(try Store(.init(base: file, models: kinfolk)).read { $0.objects(Owner.self).count } == 1000)
        await #expect(throws: BanyanError.self) { try await store.snapshot(to: file) }
        #expect(throws: BanyanError.self) { try Store(.init(base: directory.file("none.bsn"), models: kinfolk)) }
        try Data("not a snapshot".utf8).write(to: URL(fileURLWithPath: directory.file("text.bsn")))
        #expect(throws: BanyanError.self) { try Store(.init(base: directory.file("text.bsn"), models: kinfolk)) }
    }

    @Test("Opening tells how far it has come")
    func progress() async throws {
        let directory = ScratchDirectory()
        let store = try await Store.open(.init(directory: directory.path, models: kinfolk))
        try await store.write { graph in for i in 0..<5000 { try graph.add(Owner(i, "owner \(i)")) } }
        try await store.checkpoint()
        for i in 0..<20 { try await store.write { try $0.add(Owner(10_000 + i)) } }
        try await store.close()
        let told = Mutex<[Store.OpenProgress]>([])
        var configuration = Store.Configuration(directory: directory.path, models: kinfolk)
        configuration.progress = { progress in told.withLock { $0.append(progress) } }
        let reopened = try await Store.open(configuration)
        try await reopened.close()
        let all = told.withLock { $0 }
        #expect(all.contains { $0.phase == .snapshot } && all.contains { $0.phase == .journal })
        #expect(all.allSatisfy { $0.done <= $0.total })
        for phase in [Store.OpenProgress.Phase.snapshot, .journal] {
            let done = all.filter { $0.phase == phase }.map(\.done)
            #expect(done == done.sorted())
        }
    }

    @Test("The configured clock stamps the commits, and recovery keeps the sequence")
    func clock() async throws {
        let directory = ScratchDirectory()
        let ticks = Counter()
        var configuration = Store.Configuration(directory: directory.path, models: kinfolk)
        configuration.clock = { Int64(ticks.next()) }
        let store = try await Store.open(configuration)
        for i in 0..<5 { try await store.write { try $0.add(Owner(i)) } }
        #expect(ticks.value == 5)
        try await store.write { _ in }
        #expect(ticks.value == 5)
        try await store.close()
        let reopened = try await Store.open(configuration)
        #expect(reopened.sequence == 5)
        try await reopened.close()
    }

    @Test("Rolled-back and refused writes leave no trace in the files")
    func noTrace() async throws {
        let directory = ScratchDirectory()
        let store = try await Store.open(.init(directory: directory.path, models: kinfolk))
        try await store.write { try $0.add(Owner(1)) }
        for _ in 0..<5 {
            await #expect(throws: Undo.self) {
                try await store.write { graph in
                    try graph.add(Owner(2))
                    throw Undo()
                }
            }
            await #expect(throws: BanyanError.self) { try await store.write { try $0.add(Owner(1)) } }
        }
        try await store.write { try $0.add(Owner(3)) }
        #expect(store.sequence == 2)
        try await store.close()
        let reopened = try await Store.open(.init(directory: directory.path, models: kinfolk))
        #expect(reopened.sequence == 2)
        #expect(reopened.read { $0.objects(Owner.self).map(\.id).sorted() } == [1, 3])
        try await reopened.close()
    }

    @Test("Object ids are the same after reopening")
    func ids() async throws {
        let directory = ScratchDirectory()
        let store = try await Store.open(.init(directory: directory.path, models: kinfolk))
        let ids = try await store.write { graph in
            try (0..<100).map { i in
                let owner = Owner(i)
                try graph.add(owner)
                return try #require(owner.objectID)
            }
        }
        try await store.write { graph in
            for i in stride(from: 0, to: 100, by: 3) { graph.delete(try #require(graph.object(Owner.self, ids[i]))) }
        }
        try await store.checkpoint()
        try await store.write { graph in for i in 100..<120 { try graph.add(Owner(i)) } }
        try await store.close()
        let reopened = try await Store.open(.init(directory: directory.path, models: kinfolk))
        reopened.read { graph in
            for (i, id) in ids.enumerated() { #expect(graph.object(Owner.self, id)?.id == (i % 3 == 0 ? nil : i)) }
            #expect(graph.objects(Owner.self).count == 66 + 20)
        }
        try await reopened.close()
    }
}

/// Counts from any thread.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .sequentiallyConsistent) }
    @discardableResult
    func next() -> Int { count.add(1, ordering: .sequentiallyConsistent).newValue }
}
