import Banyan
import Foundation
import Testing

@Suite("Aggregates and coding of collections")
struct AggregateTests {
    @Test("Sums, means and extremes, nil left out", arguments: [false, true])
    func numbers(isManaged: Bool) throws {
        let fixture = try CollectionFixture()
        let lists = Lists()
        let sets = Sets()
        if isManaged {
            _ = try fixture.add(lists)
            _ = try fixture.add(sets)
        }
        try fixture.graph.write {
            lists.int.append(objectsIn: [3, 1, 2, 2])
            lists.int8.append(objectsIn: [127, 127, 127])
            lists.optionalInt.append(objectsIn: [nil, 5, nil, 8])
            lists.double.append(objectsIn: [1.5, 2.5])
            lists.decimal.append(objectsIn: ["0.1", "0.2", "0.3"].map { Decimal128($0)! })
            lists.string.append(objectsIn: ["b", "a"])
            sets.int.insert(objectsIn: [4, 6])
        }
        #expect(lists.int.sum() == 8 && lists.int.average() == 2 && lists.int.min() == 1 && lists.int.max() == 3)
        #expect(lists.int8.sum() == 381 && lists.int8.average() == 127)
        #expect(lists.optionalInt.sum() == 13 && lists.optionalInt.average() == 6.5)
        #expect(lists.optionalInt.min() == 5 && lists.optionalInt.max() == 8)
        #expect(lists.double.sum() == 4 && lists.float.sum() == 0 && lists.float.average() == nil)
        #expect(lists.decimal.sum() == Decimal128("0.6") && lists.decimal.average() == Decimal128("0.2"))
        #expect(lists.string.min() == "a" && lists.string.sorted() == ["a", "b"])
        #expect(sets.int.sum() == 10 && sets.int.average() == 5)
    }

    @Test("A sum of integers stops at the bounds of Int")
    func clamped() {
        let list: List<Int> = [.max, .max, 1]
        #expect(list.sum() == .max && List<Int>([.min, -1]).sum() == .min)
        #expect(List<Int>([.max, .max]).average() == Double(Int.max))
    }

    @Test("Aggregates of a property of the objects")
    func properties() throws {
        let fixture = try CollectionFixture()
        let dogs = fixture.kennel.dogs
        try fixture.graph.write {
            dogs[0].age = 4
            dogs[2].age = 10
        }
        #expect(dogs.sum(of: \.id) == 3 && dogs.average(of: \.id) == 1 && dogs.max(of: \.name) == "dog 2")
        #expect(dogs.sum(of: \.age) == 14 && dogs.average(of: \.age) == 7)
        #expect(dogs.min(of: \.age) == 4 && dogs.max(of: \.age) == 10)
        #expect(dogs[0].kennels.min(of: \.name) == "")
    }

    @Test("Collections are coded as arrays and objects", arguments: [false, true])
    func coding(isManaged: Bool) throws {
        let fixture = try CollectionFixture()
        let (lists, sets, maps) = (Lists(), Sets(), Maps())
        lists.optionalInt.append(objectsIn: [1, nil, 3])
        sets.string.insert(objectsIn: ["b", "a"])
        maps.int[-7] = 1
        maps.colour[.red] = .green
        maps.optionalColour["x"] = .some(nil)
        if isManaged { for object in [lists, sets, maps] as [Object] { _ = try fixture.add(object) } }
        func json(_ value: some Encodable) throws -> String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        }
        #expect(try json(lists.optionalInt) == "[1,null,3]")
        #expect(try json(sets.string) == #"["a","b"]"#)
        #expect(try json(maps.int) == #"{"-7":1}"#)
        #expect(try json(maps.colour) == #"{"red":"green"}"#)
        #expect(try json(maps.optionalColour) == #"{"x":null}"#)
        func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
            try JSONDecoder().decode(type, from: Data(text.utf8))
        }
        #expect(try Array(decode(List<Int?>.self, "[1,null,3]")) == [1, nil, 3])
        #expect(try decode(MutableSet<String>.self, #"["b","a","b"]"#).map { $0 } == ["a", "b"])
        #expect(try decode(Map<Int, Int>.self, #"{"-7":1,"5":2}"#).keys == [-7, 5])
        #expect(try decode(Map<Int, Int?>.self, #"{"1":null}"#)[1] == .some(nil))
        #expect(throws: DecodingError.self) { try decode(Map<Int, Int>.self, #"{"x":1}"#) }
    }
}
