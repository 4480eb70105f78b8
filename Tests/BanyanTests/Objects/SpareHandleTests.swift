import Synchronization
import Testing

@testable import Banyan

@Model private class Stop: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var next: Stop?
    @Persisted var marked: Marked?
}

@Model private class Terminus: Stop {
    @Persisted var city = ""
}

@Model private class Marked: Object {
    @Persisted var number = 0
    var mark = "none"
}

/// A line of stops, each leading to the next; the last one is a terminus.
private func makeStore(_ count: Int = 100) throws -> Store {
    let store = try Store(.init(models: [Stop.self, Terminus.self]))
    let graph = Graph(store)
    try graph.write {
        let terminus = Terminus()
        terminus.number = count
        terminus.city = "Ulm"
        var next: Stop = terminus
        for number in stride(from: count - 1, through: 0, by: -1) {
            let stop = Stop()
            stop.number = number
            stop.next = next
            let marked = Marked()
            marked.number = number
            stop.marked = marked
            next = stop
        }
        try graph.add(next)
    }
    return store
}

/// Links and subscripts that lead to objects nobody keeps share one handle; nobody may notice.
@Suite("Objects that links lead to")
struct SpareHandleTests {
    @Test("Each shows its own values, and those that are kept go on showing them", arguments: [1, 2, 3, 40])
    func kept(_ every: Int) throws {
        let graph = Graph(try makeStore())
        var kept: [Stop] = []
        for stop in graph.objects(Stop.self).sorted(by: \.number) {
            guard let next = stop.next else { continue }
            #expect(next.number == stop.number + 1)
            #expect((next is Terminus) == (stop.number == 99))
            if stop.number % every == 0 { kept.append(next) }
        }
        #expect(kept.map(\.number) == Array(stride(from: 1, through: 100, by: every)))
        #expect(Set(kept.map(ObjectIdentifier.init)).count == kept.count)
    }

    @Test("A walk from link to link, where each object is held until the next one is there")
    func walk() throws {
        let graph = Graph(try makeStore())
        var stop = graph.object(ofType: Stop.self, forPrimaryKey: 0)
        var seen: [Int] = []
        while let here = stop {
            seen.append(here.number)
            stop = here.next
        }
        #expect(seen == Array(0...100))
    }

    @Test("Two at a time are two", arguments: [false, true])
    func pairs(_ byIndex: Bool) throws {
        let graph = Graph(try makeStore())
        let stops = graph.objects(Stop.self, includingSubclasses: false).sorted(by: \.number)
        for i in 0..<99 {
            let (a, b) = byIndex ? (stops[i], stops[i + 1]) : (stops[i].next!, stops[i + 1].next!)
            #expect(a !== b && b.number == a.number + 1)
            #expect(a.next?.number == b.number)
        }
    }

    @Test("One that is referred to weakly never turns into another")
    func weak() throws {
        let graph = Graph(try makeStore())
        weak var reference: Stop?
        for stop in graph.objects(Stop.self).sorted(by: \.number) {
            let next = stop.next
            if let reference { #expect(reference.number == 7) }
            if next?.number == 7 { reference = next }
        }
    }

    @Test("One that is referred to without counting never turns into another")
    func unowned() throws {
        final class Box {
            unowned let stop: Stop
            init(_ stop: Stop) { self.stop = stop }
        }
        let graph = Graph(try makeStore())
        var boxes: [Box] = []
        var seen: Set<ObjectIdentifier> = []
        for stop in graph.objects(Stop.self) {
            guard let next = stop.next else { continue }
            boxes.append(Box(next))
            seen.insert(ObjectIdentifier(next))
        }
        // An object that somebody refers to keeps its memory, so another one cannot be where it was.
        #expect(seen.count == boxes.count && seen.count == 100)
    }

    @Test("What a class keeps beside its persisted properties does not come along")
    func stored() throws {
        let graph = Graph(try makeStore())
        for stop in graph.objects(Stop.self, includingSubclasses: false) {
            let marked = try #require(stop.marked)
            #expect(marked.mark == "none" && marked.number == stop.number)
            marked.mark = "seen"
        }
    }

    @Test("They are written, deleted and read again like others")
    func writing() throws {
        let graph = Graph(try makeStore())
        let stops = graph.objects(Stop.self).sorted(by: \.number)
        try graph.write {
            for stop in stops where !(stop is Terminus) {
                stop.marked?.number += 1_000
                if stop.number % 10 == 0, let next = stop.next { graph.delete(next) }
            }
        }
        let numbers = (0..<100).map { $0 % 10 == 1 ? $0 : $0 + 1_000 }
        #expect(graph.objects(Marked.self).sorted(by: \.number).map(\.number) == numbers.sorted())
        let first = try #require(graph.object(ofType: Stop.self, forPrimaryKey: 0))
        #expect(first.next == nil && first.marked?.number == 1_000)
        let second = try #require(graph.object(ofType: Stop.self, forPrimaryKey: 2))
        #expect(second.next?.number == 3)
        let dropped = try #require(second.next)
        try graph.write { graph.delete(dropped) }
        #expect(dropped.isInvalidated && second.next == nil)
    }

    @Test("After a rollback, in a fork, frozen and in a graph that moved on", arguments: 0..<4)
    func elsewhere(_ place: Int) throws {
        struct Regret: Error {}
        let store = try makeStore()
        var graph = Graph(store)
        #expect(graph.object(ofType: Stop.self, forPrimaryKey: 0)?.next?.number == 1)
        switch place {
        case 0:
            #expect(throws: Regret.self) {
                try graph.write {
                    let stop = graph.object(ofType: Stop.self, forPrimaryKey: 0)
                    stop?.next?.marked?.number = 5
                    stop?.next = nil
                    throw Regret()
                }
            }
        case 1: graph = Graph(store.fork())
        case 2: graph = graph.freeze()
        default:
            let other = Graph(store)
            try other.write { other.object(ofType: Stop.self, forPrimaryKey: 1)?.marked?.number = 1 }
            graph.refresh()
        }
        let stop = try #require(graph.object(ofType: Stop.self, forPrimaryKey: 0))
        #expect(stop.next?.number == 1 && stop.next?.marked?.number == 1 && stop.next?.next?.number == 2)
    }

    // MARK: - How long everything lives

    @Test("They keep neither the graph nor the store", arguments: [false, true])
    func life(_ isBlock: Bool) throws {
        weak var core: StoreCore?
        weak var context: GraphContext?
        do {
            let store = try makeStore()
            core = store.core
            if isBlock {
                for _ in 0..<3 {
                    store.read { graph in
                        context = graph.context
                        #expect(graph.object(ofType: Stop.self, forPrimaryKey: 0)?.next?.number == 1)
                    }
                }
            } else {
                let graph = Graph(store)
                context = graph.context
                #expect(graph.object(ofType: Stop.self, forPrimaryKey: 0)?.next?.number == 1)
            }
        }
        #expect(core == nil && context == nil)
    }

    @Test("One that is held keeps its graph's memory, leads on, and takes it along at the end")
    func held() throws {
        let store = try makeStore()
        weak var context: GraphContext?
        var stop: Stop?
        do {
            let graph = Graph(store)
            context = graph.context
            stop = graph.object(ofType: Stop.self, forPrimaryKey: 0)?.next
        }
        #expect(stop?.number == 1 && stop?.next?.next?.number == 3 && stop?.next?.marked?.number == 2)
        let graph = stop?.graph
        #expect(stop?.next?.number == 2)
        stop = nil
        #expect(context != nil && graph?.objects(Stop.self).count == 101)
        _ = consume graph
        #expect(context == nil)
    }

    @Test("One that leaves its block stands still")
    func escaped() throws {
        let store = try makeStore()
        let stop = store.read { $0.object(ofType: Stop.self, forPrimaryKey: 0)?.next }
        for number in 5..<20 {
            #expect(store.read { $0.object(ofType: Stop.self, forPrimaryKey: number)?.next?.number } == number + 1)
        }
        let writer = Graph(store)
        try writer.write { writer.delete(writer.objects(Stop.self)) }
        #expect(stop?.number == 1 && stop?.next?.number == 2)
    }
}

/// Where the runtime does not count references as expected, no handle is used again, and nothing else changes.
@Suite("Handles that are used again")
struct SoleReferenceTests {
    /// Whether a loop and a graph use handles again.
    private static func isReused() throws -> (loop: Bool, link: Bool) {
        var last = ReusableObject()
        last.keep(Stop())
        let graph = Graph(try makeStore())
        #expect(graph.object(ofType: Stop.self, forPrimaryKey: 0)?.next?.number == 1)
        let id = try #require(graph.object(ofType: Stop.self, forPrimaryKey: 0)?.objectID)
        let spare = graph.context.spares.take(Int(id.table))
        return (last.take() != nil, spare != nil)
    }

    @Test("The runtime counts as expected, so they are")
    func available() throws {
        #expect(SoleReference.isAvailable)
        #expect(try Self.isReused() == (true, true))
    }

    @Test("Where it does not, none is, and everything else holds")
    func unavailable() async {
        await #expect(processExitsWith: .success) {
            SoleReference.isSwitchedOff.store(true, ordering: .relaxed)
            #expect(!SoleReference.isAvailable)
            #expect(try SoleReferenceTests.isReused() == (false, false))
            let tests = SpareHandleTests()
            for every in [1, 2, 40] { try tests.kept(every) }
            try tests.walk()
            for byIndex in [false, true] { try tests.pairs(byIndex) }
            try tests.weak()
            try tests.unowned()
            try tests.stored()
            try tests.writing()
            for place in 0..<4 { try tests.elsewhere(place) }
            for isBlock in [false, true] { try tests.life(isBlock) }
            try tests.held()
            try tests.escaped()
            let loops = HandleReuseTests()
            try loops.kept()
            try loops.weak()
            try loops.unowned()
            try loops.stored()
            try loops.writing()
            try loops.deleting()
        }
    }
}
