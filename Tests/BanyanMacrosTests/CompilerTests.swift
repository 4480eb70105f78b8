import Foundation
import Testing

/// The expansions of mistakes, type-checked by the compiler that runs the tests. It is found on the path; the plugin and
/// the mock runtime beside the test executable.
@Suite struct CompilerTests {
    @Test("Each mistake is one error, on its line", .enabled(if: Compiler.current != nil, "no swiftc to run"))
    func mistakes() throws {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/Mistakes.txt")
        let lines = try String(contentsOf: fixture, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let reported = try #require(Compiler.current).errors(in: fixture)
        for (index, line) in lines.enumerated() {
            let expected = line.split(separator: "  // ✗ ").dropFirst().first.map(String.init)
            // A type that is not stored can be neither read nor written.
            let found = reported[index + 1, default: []].filter {
                !$0.hasPrefix("'_$set' is unavailable: ") && !$0.hasPrefix("'_$setRequired' is unavailable: ")
                    && !$0.contains("'_$Detached'") && !$0.contains("'_$detach'") && !$0.contains(".Detached'")
            }
            if let expected {
                #expect(found.count == 1 && found[0].contains(expected), "line \(index + 1): \(found)")
            } else {
                #expect(found.isEmpty, "line \(index + 1): \(found)")
            }
        }
    }
}

private struct Compiler {
    var swiftc: URL
    var plugin: URL
    var modules: URL

    static let current: Compiler? = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let swiftc = path.split(separator: ":").map { URL(filePath: "\($0)/swiftc") }
        let products = Bundle.main.bundleURL
        let plugin = products.appending(path: "BanyanMacros-tool")
        // Tests that import a macro are tools of the host, and so is all that they import.
        let modules = ["Modules-tool", "Modules"].map { products.appending(path: $0) }
        let files = FileManager.default
        guard let swiftc = swiftc.first(where: { files.isExecutableFile(atPath: $0.path) }),
            files.isExecutableFile(atPath: plugin.path),
            let modules = modules.first(where: {
                files.fileExists(atPath: $0.appending(path: "MockRuntime.swiftmodule").path)
            })
        else { return nil }
        return Compiler(swiftc: swiftc, plugin: plugin, modules: modules)
    }()

    /// The errors in a source text, by line. One inside an expansion counts for the line that is expanded.
    func errors(in source: URL) throws -> [Int: [String]] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mistakes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appending(path: "Mistakes.swift")
        try FileManager.default.copyItem(at: source, to: copy)

        let process = Process()
        process.executableURL = swiftc
        process.arguments = [
            "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", "-parse-as-library", copy.path,
            "-I", modules.path, "-load-plugin-executable", plugin.path + "#BanyanMacros",
        ]
        let output = Pipe()
        process.standardError = output
        try process.run()
        let text = try String(decoding: output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return Self.errors(inOutput: text, file: copy.path)
    }

    private static func errors(inOutput text: String, file: String) -> [Int: [String]] {
        var errors: [Int: [String]] = [:]
        var expanded: String?
        for line in text.split(separator: "\n") {
            let isHere = line.hasPrefix(file)
            let number = line.dropFirst(file.count + 1).prefix { $0.isNumber }
            if let range = line.range(of: ": error: ") {
                let message = String(line[range.upperBound...])
                if isHere, let number = Int(number) {
                    errors[number, default: []].append(message)
                } else {
                    expanded = message
                }
            } else if isHere, line.contains("note: in expansion of macro"), let message = expanded,
                let number = Int(number)
            {
                errors[number, default: []].append(message)
                expanded = nil
            }
        }
        return errors
    }
}
