import Banyan
import Dispatch
import Testing

/// An actor with a graph of its own, whose observers report into a stream.
private actor Watcher {
    let graph: Graph
    private var tokens: [NotificationToken] = []

    init(_ store: Store) { graph = Graph(store) }

    func watch() -> AsyncStream<Told> {
        let (stream, continuation) = AsyncStream<Told>.makeStream()
        tokens.append(graph.objects(Owner.self).sorted(by: \.id).observe { continuation.yield(Told($0)) })
        return stream
    }

    func watchOwner(_ id: Int) throws -> AsyncStream<Told> {
        let (stream, continuation) = AsyncStream<Told>.makeStream()
        let owner = try #require(graph.object(ofType: Owner.self, forPrimaryKey: id))
        tokens.append(owner.observe { (change: ObjectChange<Owner>) in continuation.yield(Told(change)) })
        return stream
    }

    func stop() { tokens = [] }
    var count: Int { graph.objects(Owner.self).count }
    var sequence: UInt64 { graph.sequence }

    /// Keeps the actor busy until `gate` opens, without letting anything else in.
    func block(until gate: Gate) { gate.wait() }

    func write(_ id: Int) throws { try graph.write { try graph.add(Owner(id)) } }
}

@Suite("Observing on an actor")
struct ActorObservationTests {
    @Test("Observers are told of commits made elsewhere, on their own actor, without asking", .timeLimit(.minutes(1)))
    func elsewhere() async throws {
        let store = try Store(.init(models: kinfolk))
        let watcher = Watcher(store)
        var told = await watcher.watch().makeAsyncIterator()
        #expect(await told.next() == .initial(0))
        try await store.write { try $0.add(Owner(1)) }
        #expect(await told.next() == .update(count: 1, deletions: [], insertions: [0], modifications: []))
        try Graph(store).added(Owner(0))
        #expect(await told.next() == .update(count: 2, deletions: [], insertions: [0], modifications: []))
        try await watcher.write(2)
        #expect(await told.next() == .update(count: 3, deletions: [], insertions: [2], modifications: []))
    }

    @Test("An actor that was behind when it began to observe is told of what it missed", .timeLimit(.minutes(1)))
    func behind() async throws {
        let store = try Store(.init(models: kinfolk))
        let watcher = Watcher(store)
        _ = await watcher.count
        try await store.write { try $0.add(Owner(1)) }
        var told = await watcher.watch().makeAsyncIterator()
        #expect(await told.next() == .initial(0))
        #expect(await told.next() == .update(count: 1, deletions: [], insertions: [0], modifications: []))
    }

    @Test("A slow consumer gets what it missed as one merged change", .timeLimit(.minutes(1)))
    func slow() async throws {
        let store = try Store(.init(models: kinfolk))
        let watcher = Watcher(store)
        var told = await watcher.watch().makeAsyncIterator()
        #expect(await told.next() == .initial(0))
        let gate = Gate()
        // On a thread of its own, for on a small machine the actor may block the only one there is for tasks.
        DispatchQueue(label: "writer").async {
            do {
                let graph = Graph(store)
                for i in 0..<200 { try graph.added(Owner(i)) }
                try graph.write { graph.delete(graph.objects(Owner.self).where { $0.id >= 100 }) }
            } catch {
                Issue.record(error)
            }
            gate.open()
        }
        await watcher.block(until: gate)
        var count = 0
        var changes = 0
        while count != 100 {
            guard case .update(_, let deletions, let insertions, _)? = await told.next() else { break }
            count += insertions.count - deletions.count
            changes += 1
        }
        #expect(count == 100)
        // At most what was told before the actor was busy, the rest in one.
        #expect(changes < 200)
    }

    @Test("An actor whose observers are gone stands still, and can be let go", .timeLimit(.minutes(1)))
    func letGo() async throws {
        let store = try Store(.init(models: kinfolk))
        weak var gone: Watcher?
        do {
            let watcher = Watcher(store)
            gone = watcher
            var told = await watcher.watch().makeAsyncIterator()
            _ = await told.next()
            try await store.write { try $0.add(Owner(1)) }
            _ = await told.next()
            await watcher.stop()
            let before = await watcher.sequence
            try await store.write { try $0.add(Owner(2)) }
            // A second observing actor is told after the first would have been.
            let other = Watcher(store)
            var others = await other.watch().makeAsyncIterator()
            _ = await others.next()
            try await store.write { try $0.add(Owner(3)) }
            _ = await others.next()
            #expect(await watcher.sequence == before)
        }
        #expect(gone == nil)
        try await store.write { try $0.add(Owner(4)) }
    }

    @Test("An actor that still observes when it is let go is let go, and so is the store", .timeLimit(.minutes(1)))
    func droppedWhileObserving() async throws {
        let directory = ScratchDirectory()
        func use() async throws {
            let store = try await Store.open(.init(directory: directory.path, models: kinfolk))
            let watcher = Watcher(store)
            var told = await watcher.watch().makeAsyncIterator()
            _ = await told.next()
            try await store.write { try $0.add(Owner(1)) }
            _ = await told.next()
        }
        try await use()
        let store = try await Store.open(.init(directory: directory.path, models: kinfolk))
        #expect(store.read { $0.objects(Owner.self).count } == 1)
        try await store.close()
    }

    @Test("In a durable store observers hear of a commit only when it is as safe as promised", .timeLimit(.minutes(1)))
    func durable() async throws {
        let directory = ScratchDirectory()
        let store = try await Store.open(.init(directory: directory.path, models: kinfolk))
        let watcher = Watcher(store)
        var told = await watcher.watch().makeAsyncIterator()
        #expect(await told.next() == .initial(0))
        for i in 0..<20 {
            try await store.write { try $0.add(Owner(i)) }
            #expect(store.sequence == UInt64(i + 1))
        }
        var count = 0
        while count < 20, case .update(let now, _, _, _)? = await told.next() { count = now }
        #expect(count == 20)
        try await store.close()
    }

    @Test("Observers on the main actor hear of commits made elsewhere", .timeLimit(.minutes(1)))
    @MainActor
    func mainActor() async throws {
        let store = try Store(.init(models: kinfolk))
        let graph = Graph(store)
        let (stream, continuation) = AsyncStream<Told>.makeStream()
        let token = graph.objects(Owner.self).observe { continuation.yield(Told($0)) }
        var told = stream.makeAsyncIterator()
        #expect(await told.next() == .initial(0))
        try await store.write { try $0.add(Owner(1)) }
        #expect(await told.next() == .update(count: 1, deletions: [], insertions: [0], modifications: []))
        withExtendedLifetime(token) {}
    }

    @Test("Every commit of many writers reaches every observer, in order", .timeLimit(.minutes(1)))
    func many() async throws {
        let store = try Store(.init(models: kinfolk))
        let watchers = (0..<4).map { _ in Watcher(store) }
        var streams: [AsyncStream<Told>] = []
        for watcher in watchers { streams.append(await watcher.watch()) }
        await withThrowingTaskGroup { group in
            for task in 0..<4 {
                group.addTask { for i in 0..<50 { try await store.write { try $0.add(Owner(task * 50 + i)) } } }
            }
        }
        for stream in streams {
            var count = 0
            for await told in stream {
                switch told {
                case .update(let now, let deletions, let insertions, _):
                    count += insertions.count
                    #expect(deletions.isEmpty && now == count)
                default: count = 0
                }
                if count == 200 { break }
            }
            #expect(count == 200)
        }
        withExtendedLifetime(watchers) {}
    }
}

/// Opens once; whoever waits does so on its thread.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func wait() {
        semaphore.wait()
        semaphore.signal()
    }
    func open() { semaphore.signal() }
}
