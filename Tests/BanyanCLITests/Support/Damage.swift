import Foundation
import Testing

/// Ways to harm a store's files.
enum Damage {
    static func files(_ store: String, _ suffix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: store).filter { $0.hasSuffix(suffix) }.sorted()
            .map { store + "/" + $0 }
    }

    static func oldest(_ store: String, _ suffix: String) throws -> String { try #require(files(store, suffix).first) }
    static func newest(_ store: String, _ suffix: String) throws -> String { try #require(files(store, suffix).last) }

    static func flip(_ file: String, at offset: Int) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        bytes[offset < 0 ? bytes.count + offset : offset] ^= 0x10
        try bytes.write(to: URL(fileURLWithPath: file))
    }

    static func cut(_ file: String, last count: Int) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        try bytes.dropLast(count).write(to: URL(fileURLWithPath: file))
    }

    static func append(_ bytes: [UInt8], to file: String) throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: file))
        data.append(contentsOf: bytes)
        try data.write(to: URL(fileURLWithPath: file))
    }

    static func size(_ file: String) throws -> Int { try Data(contentsOf: URL(fileURLWithPath: file)).count }
}
