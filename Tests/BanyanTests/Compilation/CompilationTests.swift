import Foundation
import Testing

/// What must compile, and what must not, each as it is written by those who use Banyan: against the modules and with the plugin
/// that these tests were built with. See `Snippet` for what the files below `MustCompile` and `MustNotCompile` say.
@Suite struct CompilationTests {
    @Test("What has to compile compiles, without a warning", arguments: try Snippet.all(in: "MustCompile"))
    func taken(_ snippet: Snippet) async throws {
        #expect(!snippet.expectsErrors)
        let report = try await Compiler().compile(snippet.file, flags: snippet.flags)
        #expect(report.isSuccess && report.errors.isEmpty, "\(report.errors)")
        #expect(report.warnings.isEmpty)
    }

    @Test("What must not compile is refused, with the errors it says", arguments: try Snippet.all(in: "MustNotCompile"))
    func refused(_ snippet: Snippet) async throws {
        #expect(snippet.expectsErrors)
        let report = try await Compiler().compile(snippet.file, flags: snippet.flags)
        for complaint in snippet.complaints(about: report) { Issue.record("\(complaint)") }
    }

    @Test("There are snippets of both kinds")
    func thereAreSome() throws {
        #expect(try !Snippet.all(in: "MustCompile").isEmpty)
        #expect(try !Snippet.all(in: "MustNotCompile").isEmpty)
    }

    @Test("Code that compiles is not taken for code that is refused, nor one error for another")
    func complaints() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "banyan-snippets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        func complaints(_ text: String) async throws -> [String] {
            let file = folder.appending(path: "Snippet\(UUID().uuidString).swift")
            try text.write(to: file, atomically: true, encoding: .utf8)
            let snippet = try Snippet(file)
            return try await snippet.complaints(about: Compiler().compile(file, flags: snippet.flags))
        }
        let compiles = "import Banyan\n@Model class Dog: Object { @Persisted var name = \"\" }\n"
        #expect(
            try await complaints(compiles + "// expect: no member\n")
                == ["It compiles.", "No error says 'no member'."])
        let fails = "import Banyan\nlet x = Object().nope"
        #expect(try await complaints(fails + "  // ✗ has no member 'nope'\n") == [])
        #expect(try await complaints("// expect: has no member 'nope'\n" + fails) == [])
        let message = "line 2: value of type 'Object' has no member 'nope'"
        #expect(
            try await complaints(fails + "  // ✗ has no member 'yes'\n")
                == ["0 errors on line 2 say 'has no member 'yes''.", "Not expected: \(message)"])
        #expect(try await complaints(fails) == ["Not expected: \(message)"])
        #expect(
            try await complaints("import Nowhere  // ✗ no such module\nimport Banyan\n") == [])
    }
}
