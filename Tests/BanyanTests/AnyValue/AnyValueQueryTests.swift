import Banyan
import Foundation
import Testing

@Suite("AnyValue: queries")
struct AnyValueQueryTests {
    private static var values: [AnyValue] {
        [
            nil, true, false, 1, 2, 3, 1.0, 2.5, .float(2.5), .decimal128(3), .decimal128("2.50"), "1",
            "apple", "Apricot", "true", .data(Data([1])), .date(Date(timeIntervalSinceReferenceDate: 1)),
            .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))), .double(.nan),
            .string(String(repeating: "apple ", count: 10)), .int(.max), .double(0x1p63), 0.1, .float(0.1),
        ]
    }

    private static func store() throws -> Store {
        let store = try Store(.init(models: bagModels))
        let graph = Graph(store)
        try graph.write {
            for value in values {
                let bag = Bag()
                bag.value = value
                bag.tag = value
                bag.list.append(objectsIn: [value, "all"])
                try graph.add(bag)
            }
        }
        return store
    }

    private static func found(_ graph: Graph, _ condition: (Query<Bag>) -> Query<Bool>) -> [String] {
        graph.objects(Bag.self).where(condition).map(\.value.shown).sorted()
    }

    @Test("Numbers compare across kinds, Bools with Bools, texts with texts")
    func equality() throws {
        let graph = Graph(try Self.store())
        let two = AnyValue.double(2.5).shown
        for column in [{ $0.value }, { $0.tag }] as [(Query<Bag>) -> Query<AnyValue>] {
            #expect(Self.found(graph) { column($0) == 1 } == [AnyValue.double(1).shown, "int 1"])
            #expect(
                Self.found(graph) { column($0) == 2.5 }
                    == ["decimal128 2.50", two, AnyValue.float(2.5).shown])
            #expect(Self.found(graph) { column($0) == .decimal128(3) } == ["decimal128 3", "int 3"])
            #expect(Self.found(graph) { column($0) == true } == ["bool true"])
            #expect(Self.found(graph) { column($0) == "1" } == ["string 1:1"])
            #expect(Self.found(graph) { column($0) == nil } == ["none"])
            #expect(Self.found(graph) { column($0) != nil }.count == Self.values.count - 1)
            #expect(Self.found(graph) { column($0) != 1 }.count == Self.values.count - 2)
            #expect(Self.found(graph) { column($0) == .data(Data([1])) }.count == 1)
            #expect(Self.found(graph) { column($0) == .double(.nan) }.count == 1)
            #expect(Self.found(graph) { column($0) == .int(.max) } == ["int \(Int.max)"])
            #expect(Self.found(graph) { column($0) == 0.1 } == [AnyValue.double(0.1).shown])
            #expect(
                Self.found(graph) { column($0).in([1, "apple", nil, false]) }
                    == ["bool false", AnyValue.double(1).shown, "int 1", "none", "string 5:apple"])
        }
    }

    @Test("Ranges and texts ask for what can be compared")
    func others() throws {
        let graph = Graph(try Self.store())
        let low = [AnyValue.double(0.1).shown, AnyValue.double(1).shown, AnyValue.float(0.1).shown, "int 1"]
        #expect(Self.found(graph) { $0.value < 2 } == low)
        #expect(Self.found(graph) { $0.value > 3 }.count == 2)
        #expect(Self.found(graph) { $0.value >= "apple" && $0.value < "b" }.count == 2)
        #expect(Self.found(graph) { $0.value.starts(with: "ap", options: .caseInsensitive) }.count == 3)
        #expect(Self.found(graph) { $0.value.contains("ple ap") }.count == 1)
        #expect(Self.found(graph) { $0.value.like("?pple") } == ["string 5:apple"])
        #expect(Self.found(graph) { $0.value == $0.tag }.count == Self.values.count)
        #expect(Self.found(graph) { $0.value != $0.tag }.isEmpty)
        #expect(Self.found(graph) { $0.list.contains(1) }.count == 2)
        #expect(Self.found(graph) { $0.list.contains("all") }.count == Self.values.count)
        #expect(Self.found(graph) { $0.value > .date(.distantPast) }.count == 1)
    }

    @Test("Objects are sorted by what they are, then by value")
    func sorting() throws {
        let graph = Graph(try Self.store())
        let sorted = graph.objects(Bag.self).sorted(by: \.value).map(\.value.shown)
        #expect(sorted.prefix(4) == ["none", "bool false", "bool true", AnyValue.double(.nan).shown])
        #expect(sorted[6...].first == AnyValue.int(1).shown)
        #expect(sorted.count == Self.values.count)
    }

    @Test("Objects are found by what they link to")
    func links() throws {
        let graph = Graph(try Self.store())
        let rex = Critter("Rex")
        let bag = try graph.added(Bag()) {
            $0.value = .object(rex)
            $0.tag = .object(rex)
        }
        #expect(graph.objects(Bag.self).where { $0.value == .object(rex) }.first == bag)
        #expect(graph.objects(Bag.self).where { $0.tag == .object(rex) }.first == bag)
        #expect(graph.objects(Bag.self).where { $0.tag != .object(rex) }.count == Self.values.count)
    }

    @Test("The index says what a scan says, after every change")
    func indexed() throws {
        let store = try Self.store()
        let graph = Graph(store)
        for (i, value) in Self.values.enumerated() {
            try graph.write {
                let bag = graph.objects(Bag.self)[(i * 7) % Self.values.count]
                (bag.value, bag.tag) = (value, value)
                if i.isMultiple(of: 5) { graph.delete(graph.objects(Bag.self)[0]) }
                try graph.add(Bag())
            }
            for asked in Self.values {
                #expect(
                    Self.found(graph) { $0.tag == asked } == Self.found(graph) { $0.value == asked }, "\(asked.shown)")
            }
        }
    }

    @Test("Sums and means are of the numbers, extremes of all that is something, in lists and in properties")
    func aggregates() throws {
        let graph = Graph(try Store(.init(models: bagModels)))
        let values: [AnyValue] = [1, 2.5, .decimal128("0.5"), "x", true, nil, .float(-4), .data(Data([1]))]
        let bag = Bag()
        bag.list.append(objectsIn: values)
        func check() {
            #expect(bag.list.sum() == 0 && bag.list.average() == 0)
            #expect(bag.list.min()?.shown == "bool true" && bag.list.max()?.shown == AnyValue.data(Data([1])).shown)
        }
        check()
        #expect(Bag().list.sum() == 0 && Bag().list.average() == nil && Bag().list.min() == nil)
        try graph.added(bag)
        check()
        let bags = graph.objects(Bag.self)
        #expect(bags.sum(of: \.value) == 0 && bags.average(of: \.value) == nil && bags.max(of: \.value) == nil)
        try graph.write {
            for value in values { try graph.added(Bag(), inWrite: value) }
            // Sums of integers do not stop at the bounds of Int, and decimals stay exact.
            bag.list = List([.int(.max), .int(.max), .decimal128("0.1"), .double(0.1)])
        }
        #expect(bag.list.sum() == "18446744073709551614.2")
        for collection in [bags, bags.where { $0.value != nil }] {
            #expect(collection.sum(of: \.value) == 0 && collection.average(of: \.value) == 0)
            #expect(collection.min(of: \.value)?.shown == "bool true")
            #expect(collection.max(of: \.value)?.shown == AnyValue.data(Data([1])).shown)
        }
        let numbers = bags.where { $0.value > 0 }
        #expect(numbers.sum(of: \.value) == 4 && numbers.average(of: \.value) == Decimal128(4) / 3)
        #expect(numbers.min(of: \.value)?.shown == "decimal128 0.5")
        #expect(AnyObjectCollection(bags).sum(of: \.value) == 0)
    }

    @Test("Sorting puts every two values in one order, and leaves equal ones as they are", arguments: 1...4)
    func total(_ seed: UInt64) throws {
        let graph = Graph(try Store(.init(models: [Coffer.self])))
        var world = CofferWorld(seed: seed)
        try graph.write { try world.add(300, to: graph) }
        for ascending in [true, false] {
            for sorted in [
                graph.objects(Coffer.self).sorted(by: \.tag, ascending: ascending),
                graph.objects(Coffer.self).where { $0.id >= 20 }.sorted(by: \.tag, ascending: ascending),
            ] {
                let first = sorted.prefix(5).map(\.id)
                let found = sorted.map { (id: $0.id, rank: $0.tag.sortRank) }
                #expect(first == found.prefix(5).map(\.id))
                for (a, b) in zip(found, found.dropFirst()) {
                    let isInOrder = ascending ? !(b.rank < a.rank) : !(a.rank < b.rank)
                    // Lists and dictionaries have an order of their own among each other.
                    let isEqual = !(a.rank < b.rank) && !(b.rank < a.rank) && a.rank.kind < 9
                    #expect(isInOrder && (!isEqual || a.id < b.id), "\(a) \(b)")
                }
            }
        }
        let kinds = Set(graph.objects(Coffer.self).filter { $0.tag.sortRank.kind < 9 }.map(\.tag.sortRank))
        let others = graph.objects(Coffer.self).count { $0.tag.sortRank.kind >= 9 }
        #expect(graph.objects(Coffer.self).distinct(by: [\.tag]).count == kinds.count + others)
    }
}

/// Where an AnyValue belongs in the order of all, said in another way.
private struct SortRank: Hashable, Comparable {
    var kind: Int
    var number = 0.0
    /// Where the number is not exactly that one.
    var nudge = 0
    var text: [UInt8] = []

    static func < (a: Self, b: Self) -> Bool {
        if (a.kind, a.number, a.nudge) != (b.kind, b.number, b.nudge) {
            return (a.kind, a.number, a.nudge) < (b.kind, b.number, b.nudge)
        }
        return a.text.lexicographicallyPrecedes(b.text)
    }
}

extension AnyValue {
    fileprivate var sortRank: SortRank {
        switch self {
        case .none: SortRank(kind: 0)
        case .bool(let value): SortRank(kind: 1, number: value ? 1 : 0)
        case .int(let value): SortRank(kind: 2, number: Double(value))
        case .float(let value): SortRank(kind: 2, number: Double(value))
        case .double(let value): SortRank(kind: 2, number: value.isNaN ? -.infinity : value)
        // The Double 0.1 is a little more than 0.1.
        case .decimal128(let value): SortRank(kind: 2, number: value.doubleValue, nudge: value == "0.1" ? -1 : 0)
        case .string(let value): SortRank(kind: 3, text: Array(value.utf8))
        case .data(let value): SortRank(kind: 4, text: Array(value))
        case .date(let value): SortRank(kind: 5, number: value.timeIntervalSinceReferenceDate)
        case .duration(let value): SortRank(kind: 6, number: Double(value.attoseconds))
        case .uuid(let value): SortRank(kind: 7, text: withUnsafeBytes(of: value.uuid) { Array($0) })
        case .list: SortRank(kind: 9)
        case .dictionary: SortRank(kind: 10)
        case .object, .objectId: SortRank(kind: 8)
        }
    }
}

extension Graph {
    /// Inside a write.
    fileprivate func added(_ bag: Bag, inWrite value: AnyValue) throws {
        bag.value = value
        try add(bag)
    }
}
