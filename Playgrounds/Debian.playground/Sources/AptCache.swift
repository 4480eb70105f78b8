// The machine's own opinion: apt reads the same text with its own parser and answers the same questions.
//
// `apt-cache` takes any file as the only index it knows, with its caches in memory, so that asking changes nothing on the
// machine and needs no rights. `showpkg` lists every relation that leads to a package, whatever its kind, once for each time
// it is declared. A name with `:any` is a name of its own there.

import Foundation

/// `apt-cache`, asked about one package index.
public struct AptCache: ~Copyable {
    private let directory: URL
    private let options: [String]

    /// - Parameter architectures: The architectures of the packages, the native one first.
    public init(index: [UInt8], architectures: [String]) throws {
        let files = FileManager.default
        directory = files.temporaryDirectory.appending(path: "banyan-apt-\(UUID().uuidString)")
        try files.createDirectory(at: directory.appending(path: "lists/partial"), withIntermediateDirectories: true)
        let status = directory.appending(path: "index")
        try Data(index).write(to: status)
        options =
            [
                "Dir::State::status=\(status.path)", "Dir::State::Lists=\(directory.path)/lists/",
                "Dir::Etc::SourceList=/dev/null", "Dir::Etc::SourceParts=/dev/null", "Dir::Cache::pkgcache=",
                "Dir::Cache::srcpkgcache=", "APT::Architecture=\(architectures.first ?? "")",
            ].flatMap { ["-o", $0] } + architectures.flatMap { ["-o", "APT::Architectures::=\($0)"] }
    }

    deinit {
        // What cannot be removed from the temporary directory is the system's to clear.
        try? FileManager.default.removeItem(at: directory)
    }

    /// How many packages apt counts, each version of one by itself.
    public func packageCount() throws -> Int {
        let text = String(decoding: try ask(["stats"]), as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("Total distinct versions:") }
        guard let count = line?.split(whereSeparator: \.isWhitespace).compactMap({ Int($0) }).first else {
            throw Unreadable(description: "apt-cache stats does not say how many versions there are")
        }
        return count
    }

    /// For each of these names what leads to it: `bash 5.0` for a package `bash` that asks for it with that version, sorted.
    /// Packages of another than the native architecture are `name:architecture`.
    public func reverseDependencies(of names: [String]) throws -> [String: [String]] {
        var result: [String: [String]] = [:]
        // The kernel limits how long a command may be.
        for start in stride(from: 0, to: names.count, by: 20_000) {
            let bytes = try ask(["showpkg"] + names[start..<min(start + 20_000, names.count)])
            Self.collect(bytes, into: &result)
        }
        return result.mapValues { $0.sorted() }
    }

    private static func collect(_ bytes: [UInt8], into result: inout [String: [String]]) {
        let package = Array("Package: ".utf8)
        let begin = Array("Reverse Depends: ".utf8)
        let end = Array("Dependencies: ".utf8)
        var name = ""
        var entries: [String] = []
        var isInside = false
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: package) {
                name = String(decoding: line.dropFirst(package.count), as: UTF8.self)
            } else if line.elementsEqual(begin) {
                isInside = true
                entries = []
            } else if isInside, line.elementsEqual(end) {
                isInside = false
                result[name] = entries
            } else if isInside, let comma = line.firstIndex(of: UInt8(ascii: ",")) {
                let parent = String(decoding: line[..<comma].dropFirst(2), as: UTF8.self)
                let space = line[comma...].firstIndex(of: UInt8(ascii: " "))
                let version = space.map { String(decoding: line[$0...].dropFirst(), as: UTF8.self) } ?? ""
                entries.append("\(parent) \(version)")
            }
        }
    }

    private func ask(_ question: [String]) throws -> [UInt8] {
        try IndexInput.output(of: ["apt-cache"] + options + question)
    }

    /// An answer that is not what it always was.
    public struct Unreadable: Error, CustomStringConvertible {
        public var description: String
    }
}
