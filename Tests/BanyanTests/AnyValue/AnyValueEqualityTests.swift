import Foundation
import Testing

@testable import Banyan

@Suite("AnyValue: equality")
struct AnyValueEqualityTests {
    private static var numbers: [AnyValue] {
        [
            0, -0.0, 1, 1.0, .float(1), .decimal128(1), 0.1, .float(0.1), .decimal128("0.1"), .int(.min), .int(.max),
            .double(-0x1p63), .double(0x1p63), .decimal128("-9223372036854775808"), .decimal128("-9223372036854775809"),
            .decimal128("9223372036854775807"), .decimal128("9223372036854775808"), .double(0x1p53), .int(1 << 53 + 1),
            .decimal128("9007199254740993"), .double(.nan), .float(.nan), .decimal128(.nan), .double(.infinity),
            .float(-.infinity), .decimal128("Infinity"), .decimal128("1E+400"), .decimal128("1E-400"),
        ]
    }
    private static var others: [AnyValue] {
        [
            nil, true, false, "", "1", "é", .data(Data([1])), .date(Date(timeIntervalSinceReferenceDate: 1)),
            .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
            .objectId("507f1f77bcf86cd799439011"), [], [1, 2], [1, [2.5]], [:], ["a": 1], ["a": [1, ["b": nil]]],
            ["a": nil],
        ]
    }

    @Test("Swift, an index, a scan and a set agree on which numbers are equal")
    func numbers() throws {
        let graph = Graph(try Store(.init(models: bagModels)))
        try graph.write {
            for number in Self.numbers {
                let bag = Bag()
                (bag.value, bag.tag) = (number, number)
                try graph.add(bag)
            }
        }
        let set = MutableSet<AnyValue>()
        set.insert(objectsIn: Self.numbers)
        #expect(set.count == Set(Self.numbers).count)
        for asked in Self.numbers {
            let equal = Self.numbers.filter { $0 == asked }.map(\.shown).sorted()
            #expect(!equal.isEmpty && Self.numbers.allSatisfy { ($0 == asked) == (asked == $0) })
            #expect(equal.count == 1 || Set(Self.numbers.filter { $0 == asked }).count == 1, "\(asked.shown)")
            for (scanned, indexed) in [
                (
                    graph.objects(Bag.self).where { $0.value == asked },
                    graph.objects(Bag.self).where { $0.tag == asked }
                ),
                (
                    graph.objects(Bag.self).where { $0.value.in([asked, "x"]) },
                    graph.objects(Bag.self).where { $0.tag.in([asked, "x"]) }
                ),
            ] {
                #expect(scanned.map(\.value.shown).sorted() == equal, "\(asked.shown)")
                #expect(indexed.map(\.value.shown).sorted() == equal && indexed.count == equal.count, "\(asked.shown)")
            }
            let same = graph.objects(Bag.self).where { $0.value != asked }
            #expect(same.count == Self.numbers.count - equal.count, "\(asked.shown)")
        }
        // What a review found: it counted one object and listed none.
        let below = graph.objects(Bag.self).where { $0.tag == .decimal128("-9223372036854775809") }
        #expect(below.count == 1 && below.map(\.value.shown) == ["decimal128 -9223372036854775809"])
        #expect(try graph.objects(Bag.self).filter("tag == -9223372036854775809").map(\.value.shown).count == 1)
        #expect(try graph.objects(Bag.self).filter("tag == 0.1").map(\.value.shown) == [AnyValue.double(0.1).shown])
    }

    @Test("A Bool, a text and a number are never equal, and equal values have equal hashes")
    func others() {
        let values = Self.others + [0, 1, 2.5]
        for (i, a) in values.enumerated() {
            for (j, b) in values.enumerated() { #expect((a == b) == (i == j), "\(a.shown) \(b.shown)") }
        }
        #expect(Set(values + values).count == values.count)
        #expect(AnyValue.string("e\u{301}") == "é")
    }

    @Test("Lists and dictionaries are equal by what is in them, managed or not")
    func contents() throws {
        let graph = Graph(try Store(.init(models: bagModels)))
        let pairs: [(AnyValue, AnyValue)] = [
            ([], []), ([1, "a", nil], [1.0, "a", nil]), (["a": 1, "b": [2]], ["b": [.decimal128(2)], "a": .float(1)]),
            ([[["deep": [[true]]]]], [[["deep": [[true]]]]]),
        ]
        let bags = try pairs.map { pair in
            try graph.added(Bag()) { ($0.value, $0.second) = pair }
        }
        for (bag, pair) in zip(bags, pairs) {
            #expect(pair.0 == pair.1 && bag.value == pair.1 && pair.0 == bag.second && bag.value == bag.second)
            #expect(Set([pair.0, pair.1, bag.value, bag.second]).count == 1)
        }
        for (i, a) in bags.enumerated() {
            for (j, b) in bags.enumerated() { #expect((a.value == b.second) == (i == j)) }
        }
    }

    @Test("A list that holds itself, or lists deeper than a graph has, are compared without end of the stack")
    func depth() {
        func endless() -> AnyValue {
            let list = List<AnyValue>()
            list.append(.list(list))
            return .list(list)
        }
        let (a, b) = (endless(), endless())
        #expect(a == a && a != b && Set([a, b]).count == 2)
        func deep(_ levels: Int) -> AnyValue { (0..<levels).reduce(AnyValue.int(1)) { value, _ in [value] } }
        #expect(deep(90) == deep(90) && deep(90) != deep(91))
        #expect(deep(5000) != deep(5000))
        // Lists that end in themselves are let go of.
        for list in [a, b] { list.listValue?.removeAll() }
    }

    @Test("Lists that hold one another several times are compared once", arguments: [false, true])
    func shared(_ isDictionary: Bool) {
        func twofold(_ levels: Int, _ last: AnyValue) -> AnyValue {
            (0..<levels).reduce(last) { value, _ in isDictionary ? ["a": value, "b": value] : [value, value] }
        }
        func comparisons(_ a: AnyValue, _ b: AnyValue, _ isEqual: Bool) -> Int {
            var comparison = AnyValueComparison()
            #expect(comparison.isEqual(a, b) == isEqual)
            #expect((a == b) == isEqual && (b == a) == isEqual)
            return comparison.count
        }
        for levels in [1, 2, 20, 80] {
            #expect(comparisons(twofold(levels, 1), twofold(levels, 1.0), true) == 2 * levels + 1)
            #expect(comparisons(twofold(levels, 1), twofold(levels, 2), false) <= 2 * levels + 1)
            #expect(Set([twofold(levels, 1), twofold(levels, 1.0)]).count == 1)
        }
        // Nested too deep on the last way only.
        let deep = twofold(60, 1), other = twofold(60, 1)
        let onTop: (AnyValue) -> AnyValue = { deep in (0..<60).reduce(deep) { value, _ in [deep, value] } }
        #expect(comparisons(onTop(deep), onTop(other), false) < 1_000)
    }

    @Test("Lists that hold themselves several times are equal to themselves alone, and comparing them ends")
    func sharedCycles() {
        func endless(_ times: Int) -> AnyValue {
            let list = List<AnyValue>()
            let map = Map<String, AnyValue>()
            for _ in 0..<times { list.append(objectsIn: [.list(list), .dictionary(map)]) }
            for i in 0..<times { map["\(i)"] = .list(list) }
            return .list(list)
        }
        let (a, b) = (endless(20), endless(20))
        var comparison = AnyValueComparison()
        #expect(!comparison.isEqual(a, b) && comparison.count < 100)
        #expect(a == a && a != b && a.hashValue == a.hashValue && Set([a, b, a]).count == 2)
        for list in [a, b] { list.listValue?.removeAll() }
    }
}
