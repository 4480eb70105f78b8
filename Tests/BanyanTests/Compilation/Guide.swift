import Foundation
import Testing

/// A page of the documentation whose code is compiled, so that what a reader copies from it works.
///
/// The blocks that are marked as Swift are one program, in their order on the page: each may use what those before it
/// declare. What a page takes as given, the model that its examples are about for example, stands in
/// `Guides/<page>.swift`. A block that begins with a tools version is a package manifest, and is compiled by itself.
/// Blocks with another mark, or none, are not compiled.
///
/// Every line of code keeps its number on the page, so errors name the line to look at.
struct Guide: Sendable {
    let page: URL
    /// What the page takes as given; nil where its code stands alone.
    let given: URL?
    private(set) var program: String
    private(set) var manifest: String

    init(_ page: URL, given folder: URL) throws {
        self.page = page
        let name = page.deletingPathExtension().lastPathComponent
        let given = folder.appending(path: "\(name).swift")
        self.given = FileManager.default.fileExists(atPath: given.path) ? given : nil
        let text = try String(contentsOf: page, encoding: .utf8)
        var (program, manifest): ([Substring], [Substring]) = ([], [])
        var place = Place.outside
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let isFence = line.hasPrefix("```")
            switch place {
            case .outside where isFence: place = line == "```swift" ? .begin : .other
            case .begin where !isFence: place = line.hasPrefix("// swift-tools-version:") ? .manifest : .program
            case .begin, .program, .manifest, .other: if isFence { place = .outside }
            case .outside: break
            }
            program.append(place == .program ? line : "")
            manifest.append(place == .manifest ? line : "")
        }
        self.program = program.joined(separator: "\n")
        self.manifest = manifest.allSatisfy(\.isEmpty) ? "" : manifest.joined(separator: "\n")
    }

    /// Where a line of a page stands.
    private enum Place {
        case outside
        /// In a block of Swift, before its first line.
        case begin
        case program, manifest
        /// In a block that is not compiled.
        case other
    }

    /// The pages that are compiled.
    static let names = ["GettingStarted", "Observing", "Querying"]

    static func all() throws -> [Guide] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let pages = tests.appending(path: "../../Sources/Banyan/Banyan.docc").standardizedFileURL
        return try names.map {
            try Guide(pages.appending(path: "\($0).md"), given: tests.appending(path: "Guides"))
        }
    }
}

extension Guide: CustomTestStringConvertible {
    var testDescription: String { page.lastPathComponent }
}
