import Banyan
import Testing

@Suite("AnyValue: paths in queries, against plain Swift")
struct AnyValuePathTests {
    /// Everywhere a query may run, with what is there in plain Swift.
    private static func everywhere(_ seed: UInt64, _ check: (Graph, [Int: PlainCoffer], String) -> Void) async throws {
        var world = CofferWorld(seed: seed)
        let directory = ScratchDirectory()
        let store = try await Store.open(.init(directory: directory.path, models: [Coffer.self]))
        let graph = Graph(store)
        try graph.write { try world.add(40, to: graph) }
        check(graph, world.plain, "after the commit")
        let (before, frozen, fork) = (world.plain, graph.freeze(), Graph(store.fork()))
        try await store.checkpoint()
        try graph.write {
            for _ in 0..<60 { try world.step(graph) }
            check(graph, world.plain, "in a write")
        }
        check(graph, world.plain, "after many changes")
        check(frozen, before, "frozen")
        var forked = CofferWorld(seed: seed + 1)
        forked.plain = before
        try fork.write { for _ in 0..<30 { try forked.step(fork) } }
        check(fork, forked.plain, "in a fork")
        try await store.close()
        let reopened = try await Store.open(.init(directory: directory.path, models: [Coffer.self]))
        check(Graph(reopened), world.plain, "after reopening")
        try await reopened.close()
    }

    private static func found(_ results: Results<Coffer>) -> Set<Int> { Set(results.map(\.id)) }

    private static func check(_ coffers: Results<Coffer>, _ text: String, _ expected: Set<Int>, _ place: String) {
        do {
            let found = found(try coffers.filter(text))
            #expect(found == expected, "\(text), \(place)")
        } catch {
            Issue.record(error, "\(text)")
        }
    }

    @Test("A path finds what plain Swift finds, typed and as text, everywhere", arguments: 1...3)
    func paths(_ seed: UInt64) async throws {
        try await Self.everywhere(seed) { graph, plain, place in
            let coffers = graph.objects(Coffer.self)
            for path in CofferPath.all {
                let reached = plain.mapValues { path.reach($0, plain) }
                for condition in LeafCondition.all {
                    let expected = Set(reached.filter { $0.value.contains(where: condition.holds) }.keys)
                    let text = "\(path.text) \(condition.text)"
                    let typed = Self.found(coffers.where { condition.query(path.query($0)) })
                    #expect(typed == expected, "\(text), typed, \(place)")
                    Self.check(coffers, text, expected, place)
                }
            }
        }
    }

    @Test("Types are asked for by name; quantifiers mean what they say", arguments: 4...5)
    func typesAndQuantifiers(_ seed: UInt64) async throws {
        try await Self.everywhere(seed) { graph, plain, place in
            let coffers = graph.objects(Coffer.self)
            func check(_ text: String, _ expected: Set<Int>) { Self.check(coffers, text, expected, place) }
            for path in CofferPath.all {
                let reached = plain.mapValues { path.reach($0, plain) }
                for condition in LeafCondition.types {
                    check(
                        path.text + condition.text,
                        Set(reached.filter { $0.value.contains(where: condition.holds) }.keys))
                }
                guard path.text.contains("*") else { continue }
                for condition in LeafCondition.all {
                    check(
                        "ALL \(path.text) \(condition.text)",
                        Set(reached.filter { $0.value.allSatisfy(condition.holds) }.keys))
                    check(
                        "NONE \(path.text) \(condition.text)",
                        Set(reached.filter { !$0.value.contains(where: condition.holds) }.keys))
                }
            }
        }
    }

    @Test("Sizes, keys, sums and extremes are those of what is there", arguments: 6...7)
    func aggregates(_ seed: UInt64) async throws {
        try await Self.everywhere(seed) { graph, plain, place in
            func check(
                _ text: String, _ query: @escaping (Query<Coffer>) -> Query<Bool>, _ holds: (PlainCoffer) -> Bool
            ) {
                let coffers = graph.objects(Coffer.self)
                let expected = Set(plain.filter { holds($0.value) }.keys)
                #expect(Self.found(coffers.where(query)) == expected, "\(text), typed, \(place)")
                Self.check(coffers, text, expected, place)
            }
            check("data.@count == 2", { $0.data.count == 2 }) { $0.data.contents?.count == 2 }
            check("data[SIZE] == 0", { $0.data.count == 0 }) { $0.data.contents?.count == 0 }
            check("data.@size == nil", { $0.data.count == nil }) { $0.data.contents == nil }
            check("data['a'].@count > 0", { $0.data["a"].count > 0 }) { ($0.data["a"]?.contents?.count ?? 0) > 0 }
            check("items.@count > 1", { $0.items.count > 1 }) { $0.items.count > 1 }
            check("items[0].@count == 1", { $0.items[0].count == 1 }) { $0.items.first?.contents?.count == 1 }
            check("notes.@count == 2", { $0.notes.count == 2 }) { $0.notes.count == 2 }
            check("data.@keys == 'b'", { $0.data.keys == "b" }) { $0.data.keys.contains("b") }
            check("notes.@keys BEGINSWITH 'a'", { $0.notes.keys.starts(with: "a") }) {
                $0.notes.keys.contains { $0.hasPrefix("a") }
            }
            check("data.@sum > 2", { $0.data.sum > 2 }) { Self.sum($0.data.contents ?? []) > 2 }
            check("items.@sum >= 1", { $0.items.sum >= 1 }) { Self.sum($0.items) >= 1 }
            check("notes.@sum == 0", { $0.notes.sum == 0 }) { Self.sum(Array($0.notes.values)) == 0 }
            check("kinds.@avg < 1.5", { $0.kinds.avg < Decimal128("1.5") }) {
                Self.average($0.kinds.map { .leaf($0) }).map { !$0.isNaN && $0 < Decimal128("1.5") } ?? false
            }
            check("data.@avg == nil", { $0.data.avg == nil }) { Self.average($0.data.contents ?? []) == nil }
            check("kinds.@max == 'apple'", { $0.kinds.max == "apple" }) {
                $0.kinds.contains { $0.stringValue == "apple" } && !$0.kinds.contains(where: Self.isAboveApple)
            }
            check("numbers[0] == 2", { $0.numbers[0] == 2 }) { $0.numbers.first == 2 }
            check("numbers[*] > 2", { $0.numbers.any > 2 }) { $0.numbers.contains { $0 > 2 } }
            check("ALL data[*] > 1", { $0.data.all > 1 }) {
                ($0.data.contents ?? []).allSatisfy { Self.numbers([$0]).contains { $0 > 1 } }
            }
            check("NONE items == 2", { $0.items.none == 2 }) { !$0.items.contains { Self.numbers([$0]) == [2] } }
            check("ALL notes[*] != nil", { $0.notes.all != nil }) { $0.notes.values.allSatisfy { !$0.isNothing } }
            check("NONE data['a'][*] == 'apple'", { $0.data["a"].none == "apple" }) {
                !($0.data["a"]?.contents ?? []).contains { $0.leaf?.stringValue == "apple" }
            }
            check("rows.@count > 0 AND rows[*] != nil", { $0.rows.count > 0 && $0.rows.values != nil }) {
                $0.rows.values.contains { !$0.isNothing }
            }
        }
    }

    private static func numbers(_ values: [PlainAny]) -> [Decimal128] {
        values.compactMap {
            switch $0.leaf {
            case .int(let value): Decimal128(value)
            case .float(let value): Decimal128(Double(value))
            case .double(let value): Decimal128(value)
            case .decimal128(let value): value
            default: nil
            }
        }
    }

    private static func sum(_ values: [PlainAny]) -> Decimal128 { numbers(values).reduce(0, +) }

    private static func average(_ values: [PlainAny]) -> Decimal128? {
        let numbers = numbers(values)
        return numbers.isEmpty ? nil : numbers.reduce(0, +) / Decimal128(numbers.count)
    }

    private static func isAboveApple(_ value: AnyValue) -> Bool {
        switch value {
        case .data, .date, .uuid: true
        case .string(let text): text > "apple"
        default: false
        }
    }

    @Test("Observers of a path hear of changes deep in a value")
    func observed() throws {
        let graph = Graph(try Store(.init(models: [Coffer.self])))
        let coffers = try (0..<4).map { try Coffer(value: ["id": $0]) }
        try graph.write {
            try graph.add(coffers)
            coffers[2].data = ["a": ["b": 1]]
        }
        let log = Log()
        let token = graph.objects(Coffer.self).where { $0.data["a"]["b"] == 2 }.observe { log.add(Told($0)) }
        #expect(log.take() == [.initial(0)])
        try graph.write { coffers[2].data["a"]?["b"] = 2 }
        #expect(log.take() == [.update(count: 1, deletions: [], insertions: [0], modifications: [])])
        try graph.write { coffers[1].data = ["a": ["b": 2.0]] }
        #expect(log.take() == [.update(count: 2, deletions: [], insertions: [0], modifications: [])])
        try graph.write { coffers[2].data["a"] = [1] }
        #expect(log.take() == [.update(count: 1, deletions: [1], insertions: [], modifications: [])])
        try graph.write { graph.delete(coffers[1]) }
        #expect(log.take() == [.update(count: 0, deletions: [0], insertions: [], modifications: [])])
        withExtendedLifetime(token) {}
    }

    @Test("What nothing in the graph is equal to is found nowhere, and breaks nothing")
    func strangers() throws {
        let graph = Graph(try Store(.init(models: bagModels + [Coffer.self])))
        let rex = Critter("Rex")
        let coffers = try (0..<3).map { try Coffer(value: ["id": $0]) }
        try graph.write {
            try graph.add(coffers)
            (coffers[0].data, coffers[1].data) = ([1], .object(rex))
            coffers[2].next = coffers[0]
        }
        let all = graph.objects(Coffer.self)
        for stranger in [[2], ["a": 1], .object(Critter("Rex"))] as [AnyValue] {
            #expect(all.where { $0.data == stranger }.isEmpty)
            #expect(all.where { $0.data != stranger }.count == 3)
            #expect(all.where { $0.data < stranger }.isEmpty)
            #expect(all.where { $0.data.in([stranger, nil]) }.map(\.id) == [2])
            #expect(all.where { $0.items.contains(stranger) }.isEmpty)
        }
        #expect(all.where { $0.next == Coffer() }.isEmpty)
        #expect(all.where { $0.next != Coffer() }.count == 3)
        // Those that belong to an object are equal to themselves, as objects are.
        #expect(all.where { $0.data == coffers[0].data }.map(\.id) == [0])
        #expect(all.where { $0.data == .object(rex) }.map(\.id) == [1])
        for value in [nil, true, .object(rex), coffers[0].data] as [AnyValue] {
            #expect(all.where { $0.data < value }.isEmpty)
            #expect(all.where { $0.data >= value }.isEmpty)
        }
    }
}
