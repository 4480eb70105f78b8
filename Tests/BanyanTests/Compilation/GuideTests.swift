import Foundation
import Testing

/// The code on the pages of the documentation, each page compiled as those who follow it write it.
@Suite struct GuideTests {
    @Test("The code of a guide compiles, and uses nothing that is deprecated", arguments: try Guide.all())
    func compiles(_ guide: Guide) async throws {
        #expect(guide.program.contains { !$0.isWhitespace })
        try await withFolder { folder in
            let given = guide.given.map { ["-wmo", $0.path] } ?? []
            let report = try await Self.compile(guide.program, as: "main.swift", in: folder, flags: given)
            #expect(report.isSuccess && report.errors.isEmpty, "\(report.errors)")
            // An example may leave its result aside.
            let warnings = report.warnings.filter { !$0.message.contains("unused") && !$0.message.contains("never ") }
            #expect(warnings.isEmpty, "\(warnings)")
        }
    }

    @Test("The package manifest of a guide compiles", arguments: try Guide.all().filter { !$0.manifest.isEmpty })
    func manifests(_ guide: Guide) async throws {
        try await withFolder { folder in
            let report = try await Self.compile(
                guide.manifest, as: "Package.swift", in: folder, flags: Compiler.manifestFlags())
            #expect(report.isSuccess && report.errors.isEmpty, "\(report.errors)")
            #expect(report.warnings.isEmpty, "\(report.warnings)")
        }
    }

    @Test("Code of a guide that is wrong is told with its line on the page")
    func mistakes() async throws {
        try await withFolder { folder in
            let page = folder.appending(path: "Page.md")
            let text = """
                # Page

                ```swift
                import Banyan
                let store = try Store(.init(models: []))
                ```

                ```
                this is no code
                ```

                ```swift
                store.nope()
                ```
                """
            try text.write(to: page, atomically: true, encoding: .utf8)
            let guide = try Guide(page, given: folder)
            #expect(guide.manifest.isEmpty && guide.given == nil)
            let report = try await Self.compile(guide.program, as: "main.swift", in: folder, flags: [])
            #expect(report.errors.map(\.line) == [13])
            #expect(report.errors.first?.message.contains("has no member 'nope'") == true)
        }
    }

    private static func compile(
        _ text: String, as name: String, in folder: URL, flags: [String]
    ) async throws -> CompilerReport {
        let file = folder.appending(path: name)
        try text.write(to: file, atomically: true, encoding: .utf8)
        return try await Compiler().compile(file, flags: flags, isScript: true)
    }

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "banyan-guide-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        try await body(folder)
    }
}
