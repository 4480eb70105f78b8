import Banyan
import Foundation
import Testing

/// Queries compare lists and dictionaries by what is in them.
@Suite("AnyValue: contents in queries")
struct AnyValueContentsTests {
    private static var values: [AnyValue] {
        [
            [], [1], [1.0], [2, 1], [1, 2], [1, [2]], [1, ["a": 2]], ["a": 1], ["a": 1.0, "b": nil], ["a": [1]], [:], 1,
            nil,
            ["a long text, well beyond a cell", .data(Data([1, 2])), .decimal128("0.1")], ["é": 1], ["e\u{301}": 1],
        ]
    }

    private func world() throws -> Results<Bag> {
        let graph = Graph(try Store(.init(models: bagModels)))
        try graph.write {
            for (i, value) in Self.values.enumerated() {
                let bag = Bag()
                (bag.value, bag.tag, bag.second) = (value, value, Self.values[(i + i % 2) % Self.values.count])
                bag.list.append(objectsIn: [value, 0])
                bag.map["k"] = .fromArray([value])
                try graph.add(bag)
            }
        }
        return graph.objects(Bag.self)
    }

    @Test("A constant finds what has the same in it, in properties, collections and under an index")
    func constants() throws {
        let bags = try world()
        let all = Self.values
        for (i, asked) in all.enumerated() {
            let equal = all.indices.filter { all[$0] == asked }
            func found(_ condition: (Query<Bag>) -> Query<Bool>) -> [Int] {
                let results = bags.where(condition)
                #expect(results.fault == nil)
                return bags.indices.filter { results.contains(bags[$0]) }
            }
            let others = all.indices.filter { !equal.contains($0) }
            #expect(found { $0.value == asked } == equal, "\(i)")
            #expect(found { $0.tag == asked } == equal, "\(i)")
            #expect(found { $0.value != asked } == others, "\(i)")
            #expect(found { !($0.value == asked) } == others, "\(i)")
            #expect(found { $0.list.contains(asked) } == equal, "\(i)")
            #expect(found { $0.list[0] == asked } == equal, "\(i)")
            #expect(found { $0.map["k"][0] == asked } == equal, "\(i)")
            #expect(found { $0.map["k"] == .fromArray([asked]) } == equal, "\(i)")
            #expect(found { $0.value.in([asked, "nothing"]) } == equal, "\(i)")
            #expect(found { $0.list.none == asked } == others, "\(i)")
            #expect(found { $0.list.none.in([asked]) } == others, "\(i)")
            // What the graph itself has is as good a constant.
            let stored = bags[i].value
            #expect(found { $0.value == stored } == equal, "\(i)")
            #expect(try bags.filter("value == %@", asked).count == equal.count)
        }
    }

    @Test("Two properties are compared by what is in them")
    func columns() throws {
        let bags = try world()
        let expected = bags.indices.filter { bags[$0].value == bags[$0].second }
        let results = bags.where { $0.value == $0.second }
        #expect(
            bags.indices.filter { results.contains(bags[$0]) } == expected && expected.count > 5 && expected.count < 14)
        #expect(bags.where { $0.value != $0.second }.count == bags.count - expected.count)
        #expect(bags.where { $0.list.any == $0.value }.count == bags.count)
    }

    @Test("Results follow what is changed inside of a list")
    func live() throws {
        let bags = try world()
        let results = bags.where { $0.value == [1, ["a": 7]] }
        let same = bags.where { $0.value == $0.second }
        let before = same.count
        var (told, toldSame) = (0, 0)
        let tokens = [results.observe { _ in told += 1 }, same.observe { _ in toldSame += 1 }]
        #expect(results.isEmpty)
        try bags.graph.write { bags[6].value[1]?["a"] = 7 }
        #expect(results.count == 1 && told == 2 && same.count == before - 1 && toldSame == 2)
        try bags.graph.write { bags[6].value[1]?["a"] = 2 }
        #expect(results.isEmpty && same.count == before)
        for token in tokens { token.invalidate() }
    }

    @Test("A list is searched for what has the same in it, managed or not")
    func searching() throws {
        let bags = try world()
        for list in [List<AnyValue>([0, [1, ["a": 2]], ["b": nil]]), bags[0].list] {
            if list.graph != nil {
                try bags.graph.write { list.replaceSubrange(0..<2, with: [0, [1, ["a": 2]], ["b": nil]]) }
            }
            #expect(list.index(of: [1.0, ["a": 2]]) == 1 && list.contains(["b": nil]))
            #expect(list.index(of: [1]) == nil && !list.contains([:]))
        }
    }

    @Test("What cannot be equal to anything in the graph is not, and deep constants end nothing")
    func nothing() throws {
        let bags = try world()
        #expect(bags.where { $0.value == [.object(Critter("x"))] }.isEmpty)
        let deep = (0..<300).reduce(AnyValue.int(1)) { value, _ in [value] }
        #expect(bags.where { $0.value == deep }.isEmpty)
        #expect(bags.where { $0.value > [1] }.isEmpty)
        #expect(throws: BanyanError.self) {
            try bags.graph.objects(Setting.self).filter("id == %@", AnyValue.fromArray([1]))
        }
    }
}
