import BanyanCore
import Foundation
import Testing

/// What the tool does for a schema grows with its types and no faster: counted in instructions, by Valgrind.
@Suite("Work that large schemas take", .enabled(if: Instructions.canBeCounted, "Valgrind is not installed"))
struct SchemaCostTests {
    /// So many types that inherit from one, each linked with the next.
    private func make(_ path: String, types count: Int) throws {
        let inherited = [
            PropertySchema(name: "key", kind: .int, isPrimaryKey: true), PropertySchema(name: "name", kind: .string),
        ]
        var types = [TypeSchema(name: "Base", properties: inherited)]
        for number in 0..<count {
            let next = PropertySchema(
                name: "next", kind: .object, isOptional: true, target: "Type\((number + 1) % count)")
            types.append(TypeSchema(name: "Type\(number)", superclass: "Base", properties: inherited + [next]))
        }
        let store = try SampleStore(path, schema: Schema(types: types))
        try store.commit { _ = try $0.create(0, key: .int(1)) }
        try store.close()
    }

    @Test(
        "As many types again take as much work again",
        arguments: [["schema", "--swift"], ["info"], ["query", "Base", "--explain"]])
    func linear(arguments: [String]) throws {
        try TemporaryDirectory.with { directory in
            let counts = try [100, 400, 700].map { types in
                let path = directory + "/\(types)"
                try make(path, types: types)
                return try Instructions.count(of: [arguments[0], path] + arguments.dropFirst(), in: directory)
            }
            // As many types again: were the work quadratic, this would be more than twice as much.
            #expect(Double(counts[2] - counts[1]) < 1.3 * Double(counts[1] - counts[0]), "\(counts)")
        }
    }
}

/// Instructions that the tool executes.
private enum Instructions {
    private static let valgrind = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/valgrind" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    static var canBeCounted: Bool { valgrind != nil }

    static func count(of arguments: [String], in directory: String) throws -> Int {
        let log = directory + "/valgrind-\(UUID()).log"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(valgrind))
        process.arguments =
            ["--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file=\(log)", Tool.executable.path]
            + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let text = try String(contentsOfFile: log, encoding: .utf8)
        let line = try #require(text.split(separator: "\n").last { $0.contains("Collected : ") }, "\(text)")
        return try #require(line.split(separator: " ").last.flatMap { Int($0) })
    }
}
