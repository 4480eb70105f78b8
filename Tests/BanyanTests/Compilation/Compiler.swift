import BanyanCore
import Foundation

/// The compiler, with the modules that these tests were built with, and the plugin that expanded their macros.
struct Compiler: Sendable {
    private let swiftc: URL
    private let arguments: [String]

    struct NotFound: Error, CustomStringConvertible {
        let description: String
    }

    /// Throws where anything is missing: there is no way to build these tests without all of it.
    init() throws {
        let environment = ProcessInfo.processInfo.environment
        let products = Bundle.main.bundleURL
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
            .standardizedFileURL
        swiftc = try Self.first(
            of: (environment["PATH"] ?? "").split(separator: ":").map { URL(filePath: "\($0)/swiftc") },
            "'swiftc' in the PATH")
        let plugin = try Self.first(
            of: (DeveloperOptions.contains("plugin")
                ? [sources.appending(path: "../.build/debug/BanyanMacros-tool").standardizedFileURL] : [])
                + [products.appending(path: "BanyanMacros-tool")],
            "the macro plugin; tests that were built with BANYAN_DEV=plugin have to be run with it")
        let modules = products.appending(path: "Modules")
        _ = try Self.first(of: [modules.appending(path: "Banyan.swiftmodule")], "the module of Banyan")
        let clang = try Self.first(
            of: [products.appending(path: "CPrefetch.build/module.modulemap")], "the module map of CPrefetch")
        arguments =
            [
                "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-diagnostic-style", "llvm",
                "-module-name", "Snippet", "-I", modules.path, "-Xcc", "-fmodule-map-file=\(clang.path)",
                "-module-cache-path", products.appending(path: "ModuleCache-snippets").path,
                "-load-plugin-executable", "\(plugin.path)#BanyanMacros",
            ] + ["CLZ4", "CXXHash"].flatMap { ["-I", sources.appending(path: $0).path] }
    }

    private static func first(of candidates: [URL], _ name: String) throws -> URL {
        guard let found = candidates.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
            throw NotFound(description: "Not found: \(name). Looked for \(candidates.map(\.path)).")
        }
        return found
    }

    /// What a package manifest is compiled with besides.
    static func manifestFlags() throws -> [String] {
        let library = try Self().swiftc.resolvingSymlinksInPath()
            .appending(path: "../../lib/swift/pm/ManifestAPI").standardizedFileURL
        return ["-I", library.path, "-package-description-version", "6.2.0"]
    }

    /// Compiles one file, as far as the compiler finds mistakes.
    ///
    /// - Parameter isScript: Whether there may be statements outside of functions.
    func compile(_ file: URL, flags: [String], isScript: Bool = false) async throws -> CompilerReport {
        let flags = flags + (isScript ? [] : ["-parse-as-library"])
        await Turns.shared.begin()
        let result: Result<CompilerReport, any Error>
        do { result = .success(try await run(file, flags)) } catch { result = .failure(error) }
        await Turns.shared.end()
        return try result.get()
    }

    private func run(_ file: URL, _ flags: [String]) async throws -> CompilerReport {
        let folder = FileManager.default.temporaryDirectory.appending(path: "banyan-compiler-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let output = folder.appending(path: "output")
        try Data().write(to: output)
        let process = Process()
        process.executableURL = swiftc
        process.arguments = arguments + flags + [file.path]
        // A file, not a pipe: nobody has to read while the compiler runs.
        process.standardError = try FileHandle(forWritingTo: output)
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in done.resume() }
            do { try process.run() } catch {
                process.terminationHandler = nil
                done.resume(throwing: error)
            }
        }
        let text = try String(decoding: Data(contentsOf: output), as: UTF8.self)
        try FileManager.default.removeItem(at: folder)
        return CompilerReport(text, file: file, isSuccess: process.terminationStatus == 0)
    }
}

/// Lets as many compilers run at a time as there are processors.
private actor Turns {
    static let shared = Turns()
    private var free = ProcessInfo.processInfo.activeProcessorCount
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func end() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
