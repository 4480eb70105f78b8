import Foundation

enum TemporaryDirectory {
    /// Runs `body` with a new directory of the real file system, and removes it.
    static func with<Value>(_ body: (String) throws -> Value) throws -> Value {
        let path = FileManager.default.temporaryDirectory.path + "/banyan-files-\(UUID())"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { remove(path) }
        return try body(path)
    }

    static func with<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let path = FileManager.default.temporaryDirectory.path + "/banyan-files-\(UUID())"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { remove(path) }
        return try await body(path)
    }

    private static func remove(_ path: String) {
        do { try FileManager.default.removeItem(atPath: path) } catch { print("left behind: \(path): \(error)") }
    }
}
