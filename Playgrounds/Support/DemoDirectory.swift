// The place a page leaves its store in. A page may be run again and then replaces what it made, and nothing else: a mark
// beside the directory says that a page made it, and every file in it must be one that a store has.

import Foundation

public struct DemoDirectory {
    public let path: String
    private var mark: String { path + ".made-by-playground" }

    public init(_ path: String) { self.path = path }

    /// Empties the place, and marks it as a page's.
    ///
    /// - Throws: when something is there that no page made.
    public func prepare() throws {
        let files = FileManager.default
        if files.fileExists(atPath: path) {
            let entries = try files.contentsOfDirectory(atPath: path)
            if !entries.isEmpty {
                guard files.fileExists(atPath: mark) else {
                    throw Occupied(
                        description: "\(path) is not empty, and no earlier run made it; set DEMO_DIR to another place")
                }
                if let other = entries.first(where: { !Self.isOfStore($0) }) {
                    throw Occupied(description: "\(path) has a file that is no store's, \(other); move it away first")
                }
            }
            try files.removeItem(atPath: path)
        }
        let parent = URL(filePath: path).deletingLastPathComponent()
        try files.createDirectory(at: parent, withIntermediateDirectories: true)
        try Data("A page of Playgrounds made \(path) and may replace it.\n".utf8).write(to: URL(filePath: mark))
    }

    /// The newest snapshot in it, by its name, which counts commits.
    public func newestSnapshot() throws -> String? {
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        return names.filter { $0.hasSuffix(".bsn") }.max().map { "\(path)/\($0)" }
    }

    public static func size(of file: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }

    private static func isOfStore(_ name: String) -> Bool {
        name.hasPrefix("MANIFEST") || name == "LOCK" || [".bjl", ".bsn", ".tmp"].contains { name.hasSuffix($0) }
    }

    public struct Occupied: Error, CustomStringConvertible {
        public var description: String
    }
}
