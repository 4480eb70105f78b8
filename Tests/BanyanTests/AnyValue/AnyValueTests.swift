import Banyan
import Foundation
import Testing

@Suite("AnyValue: scalars")
struct AnyValueTests {
    @Test("What is stored is what is read", arguments: Situation.allCases, ScalarAnyValue.allCases)
    func values(_ situation: Situation, _ sample: ScalarAnyValue) async throws {
        let value = sample.value
        try await situation.show(Bag.self, bagModels) {
            let bag = Bag()
            bag.value = value
            bag.list.append(objectsIn: [value, .none, value])
            bag.set.insert(value)
            bag.map["a key that is longer than fifteen bytes"] = value
            bag.numbered[-7] = value
            bag.tag = value
            bag.part = AnyPart()
            bag.part?.value = value
            return bag
        } spoil: {
            $0.value = "something else, and long enough for a block"
            $0.tag = 12
            $0.list.removeAll()
            $0.set.insert("more")
            $0.map["b"] = 1
            $0.numbered.removeAll()
            $0.part = nil
        } check: {
            #expect($0.value.shown == value.shown)
            #expect($0.list.shown == "[\(value.shown), none, \(value.shown)]")
            #expect($0.set.map(\.shown) == [value.shown])
            #expect($0.set.contains(value))
            #expect($0.map.shown == "{a key that is longer than fifteen bytes: \(value.shown)}")
            #expect($0.numbered[-7]?.shown == value.shown)
            #expect($0.tag.shown == value.shown)
            #expect($0.part?.value.shown == value.shown)
        }
    }

    @Test("It starts as nothing, or with what is declared", arguments: Situation.allCases)
    func defaults(_ situation: Situation) async throws {
        try await situation.show(Bag.self, bagModels) {
            Bag()
        } spoil: {
            $0.value = 1
        } check: {
            #expect($0.value == .none)
            #expect($0.list.isEmpty && $0.map.isEmpty && $0.set.isEmpty)
        }
        try await situation.show(Setting.self, bagModels) {
            Setting()
        } check: {
            #expect($0.value == "at first")
        }
    }

    @Test("It becomes anything after anything", arguments: ScalarAnyValue.allCases)
    func changes(_ first: ScalarAnyValue) throws {
        let store = try Store(.init(models: bagModels))
        let graph = Graph(store)
        let bag = try graph.added(Bag()) { $0.list.append(.none) }
        for second in ScalarAnyValue.allCases {
            try graph.write {
                bag.value = first.value
                bag.list[0] = first.value
                bag.map["k"] = first.value
                bag.tag = first.value
            }
            try graph.write {
                bag.value = second.value
                bag.list[0] = second.value
                bag.map["k"] = second.value
                bag.tag = second.value
                #expect(bag.value.shown == second.value.shown)
            }
            let seen = Graph(store).objects(Bag.self).first
            #expect(seen?.value.shown == second.value.shown)
            #expect(seen?.list[0].shown == second.value.shown)
            #expect(seen?.map["k"]?.shown == second.value.shown)
            #expect(graph.objects(Bag.self).where { $0.tag == second.value }.count == 1)
        }
    }

    @Test("The same value again is no change; the same number of another kind is one")
    func noChange() throws {
        let graph = Graph(try Store(.init(models: bagModels)))
        let bag = try graph.added(Bag()) {
            $0.value = 1
            $0.list.append("a text that does not fit into a cell")
        }
        var told: [String] = []
        let token = bag.observe { (change: ObjectChange<Bag>) in
            if case .change(_, let properties) = change {
                told += properties.map { "\($0.name): \($0.oldValue.map { "\($0)" } ?? "nil")" }
            }
        }
        try graph.write {
            bag.value = 1
            bag.list[0] = "a text that does not fit into a cell"
        }
        #expect(told.isEmpty)
        try graph.write { bag.value = 1.0 }
        #expect(told == ["value: 1"])
        #expect(bag.value == .double(1))
        token.invalidate()
    }

    @Test("Getters give the value of their kind, and nil for others")
    func getters() {
        #expect(AnyValue.int(3).intValue == 3)
        #expect(AnyValue.int(3).doubleValue == nil)
        #expect(AnyValue.bool(true).boolValue == true)
        #expect(AnyValue.float(1).floatValue == 1)
        #expect(AnyValue.double(1).doubleValue == 1)
        #expect(AnyValue.string("a").stringValue == "a")
        #expect(AnyValue.data(Data([1])).dataValue == Data([1]))
        #expect(AnyValue.date(.distantPast).dateValue == .distantPast)
        #expect(AnyValue.decimal128(2).decimal128Value == 2)
        let (id, uuid, pet) = (ObjectId.generate(), UUID(), Critter("Rex"))
        #expect(AnyValue.objectId(id).objectIdValue == id)
        #expect(AnyValue.uuid(uuid).uuidValue == uuid)
        #expect(AnyValue.object(pet).object(Critter.self) === pet)
        #expect(AnyValue.object(pet).object(Bag.self) == nil)
        let nested: AnyValue = ["a": [1, "two", nil], "b": 2.5]
        #expect(nested["a"]?[1]?.stringValue == "two")
        #expect(nested["a"]?[2] == AnyValue.none)
        #expect(nested["a"]?[3] == nil)
        #expect(nested["c"] == nil)
        #expect(nested["b"]?.doubleValue == 2.5)
        nested["a"]?[0] = false
        nested["c"] = 7
        #expect(nested.shown == "{a: [bool false, string 3:two, none], b: double \(2.5.bitPattern), c: int 7}")
    }

    @Test("Numbers are equal by value; a Bool, a number and a text never are")
    func equality() {
        #expect(AnyValue.int(1) == 1)
        #expect(AnyValue.int(1) == 1.0)
        #expect(AnyValue.bool(true) != 1)
        #expect(AnyValue.string("1") != 1)
        #expect(Set<AnyValue>([1, 1.0, "1", true, nil, nil]).count == 4)
    }

    @Test("A set takes numbers of one value for one value", arguments: Situation.allCases)
    func sets(_ situation: Situation) async throws {
        try await situation.show(Bag.self, bagModels) {
            let bag = Bag()
            bag.set.insert(objectsIn: [1, 1.0, .decimal128(1), true, "1", .double(.nan), .double(.nan), .float(0.5)])
            return bag
        } spoil: {
            $0.set.removeAll()
        } check: {
            #expect(
                $0.set.map(\.shown) == [
                    "bool true", AnyValue.double(.nan).shown, AnyValue.float(0.5).shown, "int 1", "string 1:1",
                ])
            #expect($0.set.contains(.float(1)) && $0.set.contains(.decimal128("0.50")))
            #expect(!$0.set.contains(false) && !$0.set.contains("true"))
        }
    }

    @Test("A text over the limit fails the write")
    func limit() throws {
        let graph = Graph(try Store(.init(models: bagModels)))
        let bag = try graph.added(Bag()) { $0.value = .data(Data(count: 16 << 20)) }
        #expect(bag.value.dataValue?.count == 16 << 20)
        let fault = graph.fault { _ in bag.value = .data(Data(count: 16 << 20 + 1)) }
        #expect(fault?.code == .valueTooLong)
        #expect(fault?.location.property == "value")
        #expect(graph.fault { _ in bag.list.append(.string(String(repeating: "a", count: 16 << 20 + 1))) } != nil)
        #expect(bag.value.dataValue?.count == 16 << 20)
    }

    @Test("Adding under an update policy writes the value", arguments: [UpdatePolicy.modified, .all])
    func updates(_ policy: UpdatePolicy) throws {
        let graph = Graph(try Store(.init(models: bagModels)))
        try graph.write {
            try graph.add(Setting(1, ["a": [1]]))
            try graph.add(Setting(2, "old"))
            try graph.add(Setting(1, [2, 3]), update: policy)
            try graph.add(Setting(2, .none), update: policy)
        }
        #expect(graph.objects(Setting.self).where { $0.id == 1 }.first?.value.shown == "[int 2, int 3]")
        #expect(graph.objects(Setting.self).where { $0.id == 2 }.first?.value.shown == "none")
    }

    @Test("Created of plain values, it is what they are")
    func creation() throws {
        let graph = Graph(try Store(.init(models: bagModels)))
        let json = try JSONSerialization.jsonObject(
            with: Data(#"{"list": [1, 2.5, "x", null, true, [], {"a": false}], "value": {"b": [0]}}"#.utf8))
        let bag = try graph.write { try graph.create(Bag.self, value: json) }
        #expect(bag.value.shown == "{b: [int 0]}")
        #expect(
            bag.list.shown == "[int 1, double \(2.5.bitPattern), string 1:x, none, bool true, [], {a: bool false}]")
        let rex = Critter("Rex")
        let uuid = UUID()
        let other = try graph.write {
            try graph.create(
                Bag.self, value: ["value": rex, "second": [uuid, rex] as [Any], "map": ["k": Float(1)], "tag": "t"])
        }
        #expect(other.value.shown == "object Rex")
        #expect(other.second.shown == "[uuid \(uuid), object Rex]")
        #expect(other.map.shown == "{k: \(AnyValue.float(1).shown)}")
        #expect(rex.bags.count == 1)
        #expect(throws: BanyanError.self) {
            try graph.write { try graph.create(Bag.self, value: ["value": Critter.self]) }
        }
    }

    @Test("A detached value nests what is nested, and names what is linked")
    func detached() throws {
        let graph = Graph(try Store(.init(models: bagModels)))
        let rex = Critter("Rex")
        let bag = try graph.added(Bag()) {
            $0.value = [1, ["a": .object(rex)]]
            $0.list.append("x")
        }
        let detached = bag.detached()
        #expect(detached.value == .list([.int(1), .dictionary(["a": .object(rex.objectID)])]))
        #expect(detached.list == [.string("x")])
    }

    @Test("Codable: what JSON can say comes back, and scalars are plain")
    func codable() throws {
        let value: AnyValue = ["a": [1, 2.5, "x", nil, true, []], "b": ["c": -3]]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(value)
        #expect(String(decoding: data, as: UTF8.self) == #"{"a":[1,2.5,"x",null,true,[]],"b":{"c":-3}}"#)
        #expect(try JSONDecoder().decode(AnyValue.self, from: data).shown == value.shown)
        let graph = Graph(try Store(.init(models: bagModels)))
        let bag = try graph.added(Bag()) { $0.value = value }
        #expect(try encoder.encode(bag.value) == data)
        for sample in ScalarAnyValue.allCases where ![.nan, .infinity].contains(sample) {
            let data = try encoder.encode([sample.value])
            #expect(throws: Never.self, "\(sample) \(String(decoding: data.prefix(99), as: UTF8.self))") {
                try JSONDecoder().decode([AnyValue].self, from: data)
            }
        }
    }
}
