import BanyanCore
import Foundation
import Testing

@Suite("ObjectId")
struct ObjectIdTests {
    static let example = "507f1f77bcf86cd799439011"

    @Test("It takes 12 bytes, which lie in memory in order")
    func layout() throws {
        #expect(MemoryLayout<ObjectId>.size == 12 && MemoryLayout<ObjectId>.stride == 12)
        #expect(MemoryLayout<ObjectId>.alignment == 4)
        func isTrivial<T: BitwiseCopyable>(_: T.Type) -> Bool { true }
        #expect(isTrivial(ObjectId.self))
        let id = try ObjectId(string: Self.example)
        #expect(withUnsafeBytes(of: id) { Array($0) } == id.bytes)
        #expect(id.bytes == [0x50, 0x7f, 0x1f, 0x77, 0xbc, 0xf8, 0x6c, 0xd7, 0x99, 0x43, 0x90, 0x11])
        #expect(id.words == (0x507f_1f77, 0xbcf8_6cd7, 0x9943_9011))
    }

    @Test("Text and bytes give the same id back")
    func roundTrips() throws {
        let id = try ObjectId(string: Self.example)
        #expect(id.description == Self.example && id.stringValue == Self.example)
        #expect(try ObjectId(string: Self.example.uppercased()) == id)
        #expect(try ObjectId(bytes: id.bytes) == id && ObjectId(bytes: Data(id.bytes)) == id)
        #expect(ObjectId("507f1f77bcf86cd799439011") == id && ObjectId(id.description) == id)
        #expect(ObjectId().bytes == Array(repeating: 0, count: 12) && ObjectId() == "000000000000000000000000")
    }

    @Test(
        "Anything but 24 hexadecimal digits is refused with an error that quotes it",
        arguments: [
            "", "507f1f77bcf86cd79943901", "507f1f77bcf86cd7994390111", "507f1f77bcf86cd79943901g",
            " 07f1f77bcf86cd799439011", "507f1f77-bcf86cd79943901", "٠٠٠٠٠٠٠٠٠٠٠٠", String(repeating: "z", count: 1000),
        ])
    func malformed(text: String) {
        #expect(ObjectId(text) == nil)
        #expect {
            _ = try ObjectId(string: text)
        } throws: { error in
            guard let error = error as? BanyanError else { return false }
            return error.code == .invalidValue && error.message.hasPrefix("\"\(text.prefix(50))")
                && error.message.count < 100
        }
    }

    @Test("Any number of bytes but 12 is refused", arguments: [0, 11, 13])
    func wrongCount(count: Int) {
        #expect(throws: BanyanError.self) { try ObjectId(bytes: [UInt8](repeating: 1, count: count)) }
    }

    @Test("A malformed literal stops the program with a message")
    func malformedLiteral() async {
        await #expect(processExitsWith: .failure) { _ = "not an id" as ObjectId }
    }

    @Test("Ids are ordered by their bytes, the first one most significant")
    func order() throws {
        let sorted: [ObjectId] = [
            "000000000000000000000000", "000000000000000000000001", "0000000000000000000000ff",
            "000000000000000000000100",
            "00000000000000ff00000000", "000000000000010000000000", "00000001ffffffffffffffff",
            "000000ff0000000000000000",
            "010000000000000000000000", "7fffffffffffffffffffffff", "800000000000000000000000",
            "ffffffffffffffffffffffff",
        ]
        #expect(sorted.shuffled().sorted() == sorted)
        for (i, a) in sorted.enumerated() {
            for (j, b) in sorted.enumerated() {
                #expect((a < b) == (i < j) && (a == b) == (i == j))
                #expect((a.hashValue == b.hashValue) == (i == j))
            }
        }
    }

    @Test("Generated ids carry the time, share the process's five bytes, and count")
    func generation() {
        let before = Date()
        let ids = (0..<1000).map { _ in ObjectId.generate() }
        let after = Date()
        #expect(Set(ids).count == 1000)
        #expect(Set(ids.map { Array($0.bytes[4..<9]) }).count == 1)
        #expect(
            ids.allSatisfy {
                $0.timestamp >= before.addingTimeInterval(-1) && $0.timestamp <= after
            })
        let here = Date(timeIntervalSince1970: 1_700_000_000.75)
        #expect(ObjectId(timestamp: here).timestamp == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(ObjectId(timestamp: here) != ObjectId(timestamp: here))
    }

    @Test("Many threads generate no id twice")
    func threads() async {
        let all = await withTaskGroup(of: [ObjectId].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<20_000).map { _ in ObjectId.generate() } }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(all).count == 160_000)
    }

    @Test("The parts of an id land in their bytes")
    func parts() {
        let id = ObjectId(seconds: 0x0102_0304, random: 0xff05_0607_0809, counter: 0xff0a_0b0c)
        #expect(id.description == "0102030405060708090a0b0c")
        let made = ObjectId(timestamp: Date(timeIntervalSince1970: 16), machineId: 0xff0a_0b0c, processId: -1)
        #expect(made.description.hasPrefix("000000100a0b0cffff"))
        #expect(ObjectId(seconds: 1, random: 2, counter: 3) < ObjectId(seconds: 1, random: 2, counter: 4))
    }

    @Test("Dates beyond 32 bits are clamped")
    func clamping() {
        #expect(ObjectId.seconds(of: Date(timeIntervalSince1970: -5)) == 0)
        #expect(ObjectId.seconds(of: Date(timeIntervalSince1970: 4_294_967_295.9)) == .max)
        #expect(ObjectId.seconds(of: .distantFuture) == .max && ObjectId.seconds(of: .distantPast) == 0)
        #expect(ObjectId.seconds(of: Date(timeIntervalSince1970: .nan)) == 0)
    }

    @Test("It is coded as a string")
    func codable() throws {
        let data = try JSONEncoder().encode([ObjectId(Self.example)])
        #expect(String(decoding: data, as: UTF8.self) == "[\"\(Self.example)\"]")
        #expect(try JSONDecoder().decode([ObjectId].self, from: data) == [ObjectId(string: Self.example)])
        for bad in [#"["5"]"#, "[5]", "[null]"] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode([ObjectId].self, from: Data(bad.utf8)) }
        }
    }
}
