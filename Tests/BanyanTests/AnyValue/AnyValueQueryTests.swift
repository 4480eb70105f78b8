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
}
