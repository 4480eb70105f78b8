import Banyan
import Dispatch
import Foundation
import Synchronization
import Testing

/// What may happen at once. Run these with `--sanitize=thread` too: `swift test --sanitize=thread --filter Concurrency`.
@Suite("Concurrency", .timeLimit(.minutes(2)))
struct ConcurrencyTests {
    /// Owners in pairs whose ages add up to a hundred, each with a name that tells its age, and linked to each other.
    private func pairs(_ graph: Graph, _ count: Int) throws {
        try graph.write {
            for i in 0..<count {
                let (a, b) = (Owner(2 * i), Owner(2 * i + 1))
                a.friend = b
                b.friend = a
                a.hounds.append(Hound("\(i)"))
                try set(a, b, 40)
                try graph.add(a)
            }
        }
    }

    private func set(_ a: Owner, _ b: Owner, _ age: Int) throws {
        a.age = age
        b.age = 100 - age
        a.name = "somebody of the age of \(age)"
        b.name = "somebody of the age of \(100 - age)"
        a.tags.removeAll()
        a.tags.insert("\(age)")
    }

    /// True when every pair is as some commit left it.
    private func isConsistent(_ graph: Graph, _ count: Int) -> Bool {
        let all = graph.objects(Owner.self)
        guard all.count == 2 * count else { return false }
        return all.allSatisfy { owner in
            owner.age + (owner.friend?.age ?? 0) == 100 && owner.name == "somebody of the age of \(owner.age)"
                && owner.friendOf.count == 1
                && (owner.id % 2 == 1
                    || Array(owner.tags) == ["\(owner.age)"] && owner.hounds.first?.owners.first == owner)
        }
    }

    @Test("Threads read while one writes, and each sees whole commits only")
    func readers() throws {
        let store = try Store(.init(models: kinfolk))
        let graph = Graph(store)
        try pairs(graph, 30)
        let isDone = Atomic(false)
        let broken = Counter()
        let reads = Counter()
        let group = DispatchGroup()
        for _ in 0..<4 {
            onThread(group) {
                var last: UInt64 = 0
                while !isDone.load(ordering: .relaxed) || reads.value < 8 {
                    store.read { graph in
                        if graph.sequence < last || !isConsistent(graph, 30) { broken.next() }
                        last = graph.sequence
                    }
                    reads.next()
                }
            }
        }
        for round in 0..<150 {
            try graph.write {
                for owner in graph.objects(Owner.self) where owner.id % 2 == 0 && owner.id % 3 == round % 3 {
                    try set(owner, try #require(owner.friend), round % 90)
                }
            }
        }
        isDone.store(true, ordering: .relaxed)
        group.wait()
        #expect(broken.value == 0)
        #expect(reads.value >= 8)
        #expect(isConsistent(graph, 30))
    }

    @Test("Readers hold old versions while objects come and go, and each version stays itself")
    func holders() throws {
        let store = try Store(.init(models: kinfolk))
        let graph = Graph(store)
        try pairs(graph, 20)
        let isDone = Atomic(false)
        let broken = Counter()
        let group = DispatchGroup()
        for thread in 0..<3 {
            onThread(group) {
                repeat {
                    let frozen = store.freeze()
                    let names = frozen.objects(Owner.self).map(\.name)
                    let hounds = frozen.objects(Hound.self).map(\.name)
                    for _ in 0..<thread * 5 + 2 {
                        if frozen.objects(Owner.self).map(\.name) != names { broken.next() }
                        if frozen.objects(Hound.self).map(\.name) != hounds { broken.next() }
                        if frozen.objects(Hound.self).contains(where: { $0.owners.count > 1 }) { broken.next() }
                    }
                } while !isDone.load(ordering: .relaxed)
            }
        }
        for round in 0..<200 {
            try graph.write {
                let owners = graph.objects(Owner.self)
                owners.forEach { $0.name = "renamed in round \(round), as owner \($0.id)" }
                if let some = owners.first, round % 2 == 0 { graph.delete(some) }
                let new = Owner(1000 + round, "new in round \(round), and fresh")
                new.hounds.append(Hound("hound of round \(round)"))
                try graph.add(new)
                if round % 3 == 0, let hound = graph.objects(Hound.self).first { graph.delete(hound) }
            }
        }
        isDone.store(true, ordering: .relaxed)
        group.wait()
        #expect(broken.value == 0)
    }

    @Test("Sixteen tasks and four threads write at once: every write counts, none deadlocks", arguments: [false, true])
    func writers(_ isDurable: Bool) async throws {
        let directory = ScratchDirectory()
        let store = try await Store.open(.init(directory: isDurable ? directory.path : nil, models: kinfolk))
        try await store.write { try $0.add(Owner(0)) }
        let rounds = isDurable ? 10 : 40
        let group = DispatchGroup()
        for _ in 0..<4 {
            onThread(group) {
                let graph = Graph(store)
                for _ in 0..<rounds { try graph.write { graph.objects(Owner.self).first?.age += 1 } }
            }
        }
        try await withThrowingTaskGroup { tasks in
            for task in 0..<16 {
                tasks.addTask {
                    let graph = Graph(store)
                    for round in 0..<rounds {
                        switch (task + round) % 3 {
                        case 0: try await store.write { $0.objects(Owner.self).first?.age += 1 }
                        case 1: try await graph.asyncWrite { $0.objects(Owner.self).first?.age += 1 }
                        default: try blocking(graph)
                        }
                    }
                }
            }
            try await tasks.waitForAll()
        }
        await finished(group)
        #expect(store.read { $0.objects(Owner.self).first?.age } == 20 * rounds)
        #expect(store.sequence == UInt64(20 * rounds + 1))
        try await store.close()
        if isDurable {
            let reopened = try await Store.open(.init(directory: directory.path, models: kinfolk))
            #expect(reopened.read { $0.objects(Owner.self).first?.age } == 20 * rounds)
            try await reopened.close()
        }
    }

    /// A synchronous write that blocks the task's thread.
    private func blocking(_ graph: Graph) throws {
        try graph.write { graph.objects(Owner.self).first?.age += 1 }
    }

    @Test("Tasks that block every thread there is in synchronous writes do not starve those that wait without one")
    func allThreadsBusy() async throws {
        let store = try Store(.init(models: kinfolk))
        try await store.write { try $0.add(Owner(0)) }
        let width = ProcessInfo.processInfo.activeProcessorCount * 4
        try await withThrowingTaskGroup { tasks in
            for task in 0..<width {
                tasks.addTask {
                    let graph = Graph(store)
                    for _ in 0..<50 { try blocking(graph) }
                }
                tasks.addTask(priority: task % 2 == 0 ? .high : .low) {
                    for _ in 0..<50 { try await store.write { $0.objects(Owner.self).first?.age += 1 } }
                }
            }
            try await tasks.waitForAll()
        }
        #expect(store.read { $0.objects(Owner.self).first?.age } == width * 100)
    }

    @Test("Writes that wait are served first come, first served")
    func fifo() async throws {
        let store = try Store(.init(models: kinfolk))
        let served = Numbers()
        let inside = DispatchSemaphore(value: 0)
        let gate = Gate()
        let group = DispatchGroup()
        onThread(group) {
            try Graph(store).write {
                inside.signal()
                gate.wait()
            }
        }
        await signalled(inside)
        let writer = Queue(store)
        var tasks: [Task<Void, any Error>] = []
        for i in 0..<50 {
            // Each task is in the queue when the next one starts: the actor lets go of it nowhere else.
            tasks.append(Task { try await writer.write { served.add(i) } })
            while await writer.waiting != i + 1 { await Task.yield() }
        }
        gate.open()
        for task in tasks { try await task.value }
        await finished(group)
        #expect(served.all == Array(0..<50))
    }

    @Test("A write that is cancelled while it waits never runs, and those behind it do")
    func cancellation() async throws {
        let store = try Store(.init(models: kinfolk))
        let inside = DispatchSemaphore(value: 0)
        let gate = Gate()
        let group = DispatchGroup()
        onThread(group) {
            try Graph(store).write {
                inside.signal()
                gate.wait()
            }
        }
        await signalled(inside)
        let ran = Numbers()
        let writer = Queue(store)
        var tasks: [Task<Void, any Error>] = []
        for i in 0..<20 {
            tasks.append(Task { try await writer.write { ran.add(i) } })
            while await writer.waiting != i + 1 { await Task.yield() }
        }
        for (i, task) in tasks.enumerated() where i % 2 == 0 { task.cancel() }
        for (i, task) in tasks.enumerated() where i % 2 == 0 {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(ran.all.isEmpty)
        gate.open()
        for (i, task) in tasks.enumerated() where i % 2 == 1 { try await task.value }
        #expect(ran.all == (0..<20).filter { $0 % 2 == 1 })
        await finished(group)
    }

    @Test("A write in a task that is cancelled already never runs")
    func cancelledBefore() async throws {
        let store = try Store(.init(models: kinfolk))
        let ran = Counter()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await store.write { _ in _ = ran.next() }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(ran.value == 0)
        try await store.write { try $0.add(Owner(1)) }
    }

    @Test("Cancelling at random moments loses no write that returned, and wedges nothing", arguments: [1, 2, 3])
    func randomCancellation(_ seed: Int) async throws {
        let store = try Store(.init(models: kinfolk))
        try await store.write { try $0.add(Owner(0)) }
        let done = Counter()
        var random = SplitMix(seed: UInt64(seed))
        await withTaskGroup { group in
            for i in 0..<100 {
                let delay = Int.random(in: 0..<20, using: &random)
                group.addTask {
                    let task = Task {
                        try await store.write { $0.objects(Owner.self).first?.age += 1 }
                        done.next()
                    }
                    for _ in 0..<delay { await Task.yield() }
                    if i % 3 != 0 { task.cancel() }
                    do { try await task.value } catch { #expect(error is CancellationError) }
                }
            }
        }
        #expect(store.read { $0.objects(Owner.self).first?.age } == done.value)
        #expect(done.value >= 34)
    }

    @Test("A graph in the middle of an async write may be refreshed, and ends at the commit it made")
    func refreshWhileWaiting() async throws {
        let directory = ScratchDirectory()
        let store = try await Store.open(.init(directory: directory.path, models: kinfolk))
        let user = Refresher(store)
        async let writes: Void = user.write(100)
        for _ in 0..<2000 {
            await user.refresh()
            await Task.yield()
        }
        try await writes
        #expect(await user.wentBack == false)
        #expect(await user.missedOwnWrite == false)
        try await store.close()
    }

    @Test("Forks are made and written on many threads while the original goes on")
    func forks() throws {
        let store = try Store(.init(models: kinfolk))
        let graph = Graph(store)
        try pairs(graph, 20)
        let broken = Counter()
        let group = DispatchGroup()
        for thread in 0..<4 {
            onThread(group) {
                for round in 0..<40 {
                    let fork = Graph(store.fork())
                    if !isConsistent(fork, 20) { broken.next() }
                    try fork.write {
                        for owner in fork.objects(Owner.self) where owner.id % 2 == 0 {
                            try set(owner, try #require(owner.friend), (thread * 7 + round) % 90)
                        }
                    }
                    if !isConsistent(fork, 20) { broken.next() }
                    try fork.write { fork.deleteAll() }
                }
            }
        }
        for round in 0..<100 {
            try graph.write {
                for owner in graph.objects(Owner.self) where owner.id % 2 == 0 {
                    try set(owner, try #require(owner.friend), round % 90)
                }
            }
        }
        group.wait()
        #expect(broken.value == 0)
        #expect(isConsistent(graph, 20))
    }

    @Test("Checkpoints and snapshots are taken while writers go on, and hold whole commits")
    func checkpoints() async throws {
        let directory = ScratchDirectory()
        let files = ScratchDirectory()
        var configuration = Store.Configuration(directory: directory.path, models: kinfolk)
        configuration.durability = .onClose
        let store = try await Store.open(configuration)
        try pairs(Graph(store), 30)
        let copies = (0..<6).map { files.file("copy\($0).bsn") }
        try await withThrowingTaskGroup { tasks in
            for task in 0..<3 {
                tasks.addTask {
                    for round in 0..<60 {
                        try await store.write { graph in
                            for owner in graph.objects(Owner.self) where owner.id % 6 == task * 2 {
                                try set(owner, try #require(owner.friend), round)
                            }
                        }
                    }
                }
            }
            tasks.addTask { for _ in 0..<6 { try await store.checkpoint() } }
            tasks.addTask { for copy in copies { try await store.snapshot(to: copy) } }
            try await tasks.waitForAll()
        }
        let last = store.sequence
        try await store.close()
        for copy in copies {
            let store = try Store(.init(base: copy, models: kinfolk))
            #expect(store.read { isConsistent($0, 30) })
        }
        let reopened = try await Store.open(configuration)
        #expect(reopened.sequence == last)
        #expect(reopened.read { isConsistent($0, 30) })
        try await reopened.close()
    }

    @Test("Closing while writers go on ends each of their writes well: made, or refused as closed")
    func closing() async throws {
        let directory = ScratchDirectory()
        let store = try await Store.open(.init(directory: directory.path, models: kinfolk))
        let done = Counter()
        await withTaskGroup { tasks in
            for task in 0..<8 {
                tasks.addTask {
                    for i in 0..<1000 {
                        do {
                            try await store.write { try $0.add(Owner(task * 1000 + i)) }
                            done.next()
                        } catch {
                            #expect((error as? BanyanError)?.code == .closed)
                            return
                        }
                    }
                }
            }
            tasks.addTask {
                while done.value < 50 { await Task.yield() }
                do { try await store.close() } catch { Issue.record(error) }
            }
        }
        let reopened = try await Store.open(.init(directory: directory.path, models: kinfolk))
        #expect(reopened.read { $0.objects(Owner.self).count } == done.value)
        try await reopened.close()
    }
}

/// Lets writes of a store in one after the other, so that their order is known.
private actor Queue {
    let store: Store
    private(set) var waiting = 0
    init(_ store: Store) { self.store = store }

    func write(_ body: @Sendable () -> Void) async throws {
        let graph = Graph(store)
        waiting += 1
        try await graph.asyncWrite { _ in body() }
    }
}

/// Collects numbers from any thread.
private final class Numbers: Sendable {
    private let numbers = Mutex<[Int]>([])
    var all: [Int] { numbers.withLock { $0 } }
    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
}

/// Writes and refreshes one graph, interleaved.
private actor Refresher {
    let graph: Graph
    private(set) var wentBack = false
    private(set) var missedOwnWrite = false
    private var last: UInt64 = 0

    init(_ store: Store) { graph = Graph(store) }

    func write(_ count: Int) async throws {
        for i in 0..<count {
            try await graph.asyncWrite { try $0.add(Owner(i)) }
            look()
            if graph.object(ofType: Owner.self, forPrimaryKey: i) == nil { missedOwnWrite = true }
        }
    }

    func refresh() {
        graph.refresh()
        look()
    }

    private func look() {
        if graph.sequence < last { wentBack = true }
        last = graph.sequence
    }
}

/// Runs `body` on a thread of its own.
private func onThread(_ group: DispatchGroup, _ body: @escaping @Sendable () throws -> Void) {
    group.enter()
    let thread = Thread {
        do { try body() } catch { Issue.record(error) }
        group.leave()
    }
    thread.stackSize = 4 << 20
    thread.start()
}

/// Waits without blocking a thread that tasks need.
private func finished(_ group: DispatchGroup) async {
    await withCheckedContinuation { continuation in
        group.notify(queue: .global()) { continuation.resume() }
    }
}

private func signalled(_ semaphore: DispatchSemaphore) async {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
            semaphore.wait()
            continuation.resume()
        }
    }
}
