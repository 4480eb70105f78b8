import Banyan
import Foundation
import Testing

@Suite("Bools and numbers in untyped values")
struct BoolConversionTests {
    private func code(_ body: () throws -> Void) -> BanyanError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? BanyanError)?.code
        }
    }

    static func json(_ text: String) -> Any {
        do { return try JSONSerialization.jsonObject(with: Data(text.utf8)) } catch { fatalError("\(error)") }
    }

    static let numbers = ["int", "int8", "int16", "int32", "float", "double", "decimal"]

    @Test("A Bool is no number, whoever made it", arguments: numbers)
    func noNumber(_ name: String) throws {
        let graph = Graph(try Store(.init(models: [Scalars.self])))
        for value in [[name: true], [name: false], Self.json(#"{"\#(name)": true}"#)] as [Any] {
            #expect(code { _ = try Scalars(value: value) } == .invalidValue)
            #expect(graph.fault { try $0.create(Scalars.self, value: value) }?.code == .invalidValue)
        }
        #expect(code { try Scalars().setValue(true, forKey: name) } == .invalidValue)
        #expect(code { try Scalars().setValue(NSNumber(value: true), forKey: name) } == .invalidValue)
    }

    @Test("A number of Swift is no Bool")
    func noBool() throws {
        let graph = Graph(try Store(.init(models: [Scalars.self])))
        for value in [1, 0, Int8(1), 1.0, UInt(0), Decimal128(1)] as [Any] {
            #expect(code { _ = try Scalars(value: ["bool": value]) } == .invalidValue)
            #expect(graph.fault { try $0.create(Scalars.self, value: ["bool": value]) }?.code == .invalidValue)
            #expect(code { try Scalars().setValue(value, forKey: "bool") } == .invalidValue)
        }
    }

    @Test("Each is taken for what it is, from decoded JSON too")
    func fitting() throws {
        #expect(try Scalars(value: ["bool": true]).bool && Scalars(value: Self.json(#"{"bool": true}"#)).bool)
        #expect(try !Scalars(value: Self.json(#"{"bool": false}"#)).bool)
        #expect(try Scalars(value: Self.json(#"{"int": 1, "double": 0}"#)).int == 1)
        let scalars = Scalars()
        try scalars.setValue(NSNumber(value: 7), forKey: "int")
        try scalars.setValue(NSNumber(value: true), forKey: "bool")
        #expect(scalars.int == 7 && scalars.bool)
        let value = AnyValueSample.converted(Self.json(#"{"value": [true, 1, 1.5, 0]}"#))
        #expect(value == ["bool true", "int 1", "double \(1.5.bitPattern)", "int 0"])
    }
}

/// What an AnyValue makes of decoded JSON.
private enum AnyValueSample {
    static func converted(_ json: Any) -> [String] {
        do { return try Bag(value: json).value.listValue?.map(\.shown) ?? [] } catch { return ["\(error)"] }
    }
}
