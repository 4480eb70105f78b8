import Banyan
import Foundation
import Testing

@Suite("Creating objects from untyped values")
struct CreateTests {
    private let graph: Graph
    init() throws {
        graph = Graph(try Store(.init(models: [Owner.self, Scalars.self, OptionalScalars.self, Declared.self])))
    }

    @Test("What a dictionary names is set, what it leaves out gets its default")
    func dictionary() throws {
        let object = try graph.write {
            try graph.create(
                Declared.self, value: ["int": 3, "optional": NSNull(), "weather": "sunny", "numbers": [9]])
        }
        #expect(object.int == 3 && object.negative == -7 && object.optional == nil && object.weather == .sunny)
        #expect(Array(object.numbers) == [9])
        let plain = try graph.write { try graph.create(Declared.self) }
        #expect(plain.int == 7 && plain.optional == "some" && Array(plain.numbers) == [3, 1, 2])
        #expect(graph.objects(Declared.self).count == 2)
    }

    @Test("An array gives the values in declared order")
    func array() throws {
        let owner = try graph.write { try graph.create(Owner.self, value: [4, "Ada", 36]) }
        #expect(owner.id == 4 && owner.name == "Ada" && owner.age == 36)
    }

    @Test("Every scalar kind is set by its Swift value")
    func scalars() throws {
        let values = ScalarSample.unicode.values
        let dictionary: [String: Any] = [
            "bool": values.bool, "int": values.int, "int8": values.small, "int16": Int16(values.int),
            "int32": Int32(values.int), "int64": Int64(values.int), "float": values.float, "double": values.double,
            "string": values.string, "data": values.data, "date": values.date, "uuid": values.uuid,
            "objectId": values.objectId, "decimal": values.decimal, "weather": values.weather.rawValue,
            "rank": values.rank.rawValue, "level": values.level.rawValue,
        ]
        let (a, b) = try graph.write {
            (
                try graph.create(Scalars.self, value: dictionary),
                try graph.create(OptionalScalars.self, value: dictionary)
            )
        }
        #expect(a.contents == values.expected)
        #expect(b.contents == values.expected)
    }

    @Test("JSON goes by the property's type, not by what the number looks like")
    func json() throws {
        let text =
            #"{"id": 7, "name": "1", "age": 1, "tags": ["a", "b"], "abode": {"city": "Oslo", "rooms": [{"city": "hall"}]}}"#
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let owner = try graph.write { try graph.create(Owner.self, value: value) }
        #expect(owner.id == 7 && owner.name == "1" && owner.age == 1 && Set(owner.tags) == ["a", "b"])
        #expect(owner.abode?.city == "Oslo" && owner.abode?.rooms.first?.city == "hall")
        let numbers = try JSONSerialization.jsonObject(with: Data(#"{"bool": true, "double": 1, "int8": 1}"#.utf8))
        let scalars = try graph.write { try graph.create(Scalars.self, value: numbers) }
        #expect(scalars.bool && scalars.double == 1 && scalars.int8 == 1)
    }

    @Test("Nested values become links, collections and embedded objects; objects are linked as they are")
    func nested() throws {
        let managed = try graph.added(Hound("managed"))
        let owner = try graph.write {
            try graph.create(
                Owner.self,
                value: [
                    "id": 1, "favourite": ["name": "made"], "hounds": [managed, ["name": "b"], Hound("c")],
                    "byName": ["m": managed, "none": NSNull()], "friend": ["id": 2, "friend": ["id": 3]],
                    "formerAbodes": [["city": "Rome"], ["city": "Paris", "inner": ["city": "attic"]]],
                    "namedAbodes": ["summer": ["city": "Capri"]],
                ])
        }
        #expect(owner.favourite?.name == "made")
        #expect(owner.hounds.map(\.name) == ["managed", "b", "c"])
        #expect(owner.byName["m"] == managed && owner.byName.count == 2)
        #expect(owner.friend?.friend?.id == 3 && owner.friend?.friendOf.first == owner)
        #expect(owner.formerAbodes.map(\.city) == ["Rome", "Paris"] && owner.formerAbodes[1].inner?.city == "attic")
        #expect(owner.namedAbodes["summer"]??.city == "Capri")
        #expect(managed.owners.first == owner && graph.objects(Hound.self).count == 4)
    }

    @Test("A taken key throws, or updates what is given and leaves the rest, at every depth", arguments: [false, true])
    func update(_ all: Bool) throws {
        let owner = try graph.added(Owner(1, "Ada")) {
            $0.age = 36
            $0.friend = Owner(2, "Bo")
        }
        #expect(graph.fault { try $0.create(Owner.self, value: ["id": 1]) }?.code == .duplicateKey)
        try graph.write {
            let value: [String: Any] = ["id": 1, "name": "Eve", "friend": ["id": 2, "age": 5]]
            let updated = try graph.create(Owner.self, value: value, update: all ? .all : .modified)
            #expect(updated == owner)
        }
        #expect(owner.name == "Eve" && owner.age == 36)
        #expect(owner.friend?.name == "Bo" && owner.friend?.age == 5)
        #expect(graph.objects(Owner.self).count == 2)
    }

    @Test(
        "What does not fit throws, says where, and rolls everything back",
        arguments: [
            (#"{"id": 1, "nmae": "x"}"#, "nmae", true), (#"{"id": 1, "age": "ten"}"#, "Owner.age", false),
            (#"{"id": 1, "age": 1.5}"#, "Owner.age", false),
            (#"{"id": 1, "hounds": [{"name": "a"}, {"age": 300}]}"#, "Owner.hounds[1].age", false),
            (#"{"id": 1, "name": null}"#, "name", false), (#"{"id": 1, "hounds": {"a": 1}}"#, "Owner.hounds", false),
            (#"{"id": 1, "friendOf": []}"#, "friendOf", true), (#"{"id": 1, "abode": {"town": "x"}}"#, "town", true),
            (#"{"id": "one"}"#, "Owner.id", false), (#"{"id": 1, "tags": [1]}"#, "Owner.tags[0]", false),
            (#""text""#, "Owner", false),
        ])
    func misfits(_ json: String, _ place: String, _ isUnknown: Bool) throws {
        let value = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
        let fault = graph.fault { graph in
            try graph.add(Owner(99))
            try graph.create(Owner.self, value: value)
        }
        #expect(fault?.code == (isUnknown ? .unknownProperty : .invalidValue))
        #expect(fault.map { "\($0)".contains(place) } == true, "\(fault.map { "\($0)" } ?? "none")")
        #expect(graph.objects(Owner.self).isEmpty && graph.objects(Hound.self).isEmpty)
    }

    @Test("A misfit that is caught still fails the transaction, for a part of it may be there")
    func caught() throws {
        let fault = graph.fault { graph in
            do { try graph.create(Owner.self, value: ["id": 1, "hounds": [["nmae": "x"]]]) } catch {}
        }
        #expect(fault?.code == .unknownProperty)
        #expect(graph.objects(Owner.self).isEmpty)
    }

    @Test("Creating outside a write throws")
    func outside() {
        let error = #expect(throws: BanyanError.self) { try graph.create(Owner.self, value: ["id": 1]) }
        #expect(error?.code == .notInWrite)
    }
}
