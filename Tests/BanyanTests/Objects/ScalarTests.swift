import Banyan
import Foundation
import Testing

@Suite("Properties of every scalar kind")
struct ScalarTests {
    @Test("What is stored is what is read, bit for bit", arguments: Situation.allCases, ScalarSample.allCases)
    func values(_ situation: Situation, _ sample: ScalarSample) async throws {
        let values = sample.values
        try await situation.show(Scalars.self) {
            let object = Scalars()
            values.apply(to: object)
            return object
        } spoil: {
            ScalarSample.inline.values.apply(to: $0)
        } check: {
            #expect($0.contents == values.expected)
        }
    }

    @Test("An optional that is set is what was set, bit for bit", arguments: Situation.allCases, ScalarSample.allCases)
    func optionals(_ situation: Situation, _ sample: ScalarSample) async throws {
        let values = sample.values
        try await situation.show(OptionalScalars.self) {
            let object = OptionalScalars()
            values.apply(to: object)
            return object
        } spoil: {
            $0.clear()
        } check: {
            #expect($0.contents == values.expected)
        }
    }

    @Test(
        "An optional is nil at first, and nil again when it is set to nil", arguments: Situation.allCases,
        [false, true])
    func nils(_ situation: Situation, _ wasSet: Bool) async throws {
        try await situation.show(OptionalScalars.self) {
            let object = OptionalScalars()
            if wasSet {
                ScalarSample.long.values.apply(to: object)
                object.clear()
            }
            return object
        } spoil: {
            ScalarSample.unicode.values.apply(to: $0)
        } check: {
            #expect($0.contents == Array(repeating: "nil", count: 17))
        }
    }

    @Test("Values of a managed object change as often as one likes, and every reader sees the last ones")
    func changes() throws {
        let samples = ScalarSample.allCases
        let store = try Store(.init(models: [Scalars.self, OptionalScalars.self]))
        let graph = Graph(store)
        let plain = try graph.added(Scalars())
        let optional = try graph.added(OptionalScalars())
        for values in (samples + samples.reversed()).map(\.values) {
            try graph.write {
                values.apply(to: plain)
                values.apply(to: optional)
                #expect(plain.contents == values.expected)
            }
            #expect(plain.contents == values.expected)
            #expect(optional.contents == values.expected)
            let reader = Graph(store)
            #expect(reader.objects(Scalars.self).first?.contents == values.expected)
            #expect(reader.objects(OptionalScalars.self).first?.contents == values.expected)
        }
    }

    @Test("NaN again is no change, and minus zero after zero is one")
    func bitsDecide() throws {
        let graph = Graph(try Store(.init(models: [Scalars.self])))
        let object = try graph.added(Scalars()) {
            $0.double = .nan
            $0.float = .nan
        }
        let before = graph.sequence
        try graph.write {
            object.double = .nan
            object.float = .nan
        }
        #expect(graph.sequence == before)
        try graph.write { object.double = 0 }
        try graph.write { object.double = -0.0 }
        #expect(graph.sequence == before + 2)
        #expect(object.double.sign == .minus)
    }

    @Test("A date keeps every bit of Foundation's own")
    func datePrecision() throws {
        let graph = Graph(try Store(.init(models: [Scalars.self])))
        let object = try graph.added(Scalars())
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let date = Date(timeIntervalSince1970: Double.random(in: -1e11...1e11, using: &generator))
            try graph.write { object.date = date }
            #expect(object.date == date)
        }
    }

    @Test(
        "Texts of the largest size are kept, and one byte more fails the transaction and names the property",
        arguments: [false, true])
    func limit(_ isString: Bool) throws {
        let limit = 16 << 20
        let graph = Graph(try Store(.init(models: [Scalars.self])))
        let object = try graph.added(Scalars())
        let text = String(repeating: "y", count: limit)
        try graph.write { if isString { object.string = text } else { object.data = Data(text.utf8) } }
        #expect(isString ? object.string.utf8.count == limit : object.data.count == limit)
        let fault = graph.fault { _ in
            if isString { object.string = text + "z" } else { object.data = Data(text.utf8) + [0] }
        }
        #expect(fault?.code == .valueTooLong)
        #expect(fault?.location.type == "Scalars")
        #expect(fault?.location.property == (isString ? "string" : "data"))
        #expect(isString ? object.string.utf8.count == limit : object.data.count == limit)
    }

    @Test("Adding an object whose text is over the limit throws and names the property")
    func limitWhenAdded() throws {
        let graph = Graph(try Store(.init(models: [Scalars.self])))
        let fault = graph.fault { graph in
            let object = Scalars()
            object.data = Data(count: 16 << 20 + 1)
            try graph.add(object)
        }
        #expect(fault?.code == .valueTooLong)
        #expect(fault?.location.property == "data")
        #expect(graph.objects(Scalars.self).isEmpty)
    }

    @Test(
        "Indexed properties hold and find what they are given, through changes and rollbacks",
        arguments: Situation.managed)
    func indexed(_ situation: Situation) async throws {
        let (date, uuid, id) = (Date(), UUID(), ObjectId.generate())
        try await situation.show(IndexedScalars.self) {
            let object = IndexedScalars()
            object.bool = true
            object.int = .min
            object.int8 = -128
            object.int16 = .max
            object.int32 = -1
            object.string = "a text longer than fifteen bytes"
            object.date = date
            object.uuid = uuid
            object.objectId = id
            return object
        } spoil: {
            $0.bool = nil
            $0.int = 3
            $0.int8 = nil
            $0.int16 = 3
            $0.int32 = nil
            $0.string = "short"
            $0.date = nil
            $0.uuid = UUID()
            $0.objectId = nil
        } check: { object in
            let all = try #require(object.graph).objects(IndexedScalars.self)
            #expect(all.where { $0.bool == true }.first == object)
            #expect(all.where { $0.int == .min }.first == object)
            #expect(all.where { $0.int8 == -128 }.first == object)
            #expect(all.where { $0.int16 == .max }.first == object)
            #expect(all.where { $0.int32 == -1 }.first == object)
            #expect(all.where { $0.string == "a text longer than fifteen bytes" }.first == object)
            #expect(all.where { $0.date == date }.first == object)
            #expect(all.where { $0.uuid == uuid }.first == object)
            #expect(all.where { $0.objectId == id }.first == object)
            #expect(all.where { $0.int == 3 }.isEmpty)
            #expect(all.where { $0.bool == nil }.isEmpty)
            #expect(all.where { $0.string == "short" }.isEmpty)
        }
    }
}
