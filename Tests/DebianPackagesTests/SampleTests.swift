import DebianPackages
import Foundation
import Testing

/// The sample that machines without Debian's tools read.
@Suite struct SampleTests {
    @Test func `every package has what a package needs, and a key of its own`() throws {
        let stanzas = try read(sampleBytes())
        #expect((60...100).contains(stanzas.count))
        var keys: Set<String> = []
        for stanza in stanzas {
            let name = try stanza.required("Package")
            #expect(DebianVersion(try stanza.required("Version")) != nil)
            #expect(try stanza.required("Maintainer").hasSuffix("example.org>"))
            #expect(keys.insert("\(name):\(try stanza.required("Architecture"))").inserted, "\(name) is there twice")
        }
    }

    @Test func `what packages need is in the sample`() throws {
        let stanzas = try read(sampleBytes())
        var offered = Set(stanzas.compactMap { $0["Package"] })
        for stanza in stanzas { offered.formUnion(try stanza.relations("Provides").map(\.name)) }
        for stanza in stanzas {
            for field: StaticString in ["Depends", "Pre-Depends"] {
                var choice: [String] = []
                for relation in try stanza.relations(field) {
                    choice.append(relation.name)
                    guard !relation.orNext else { continue }
                    #expect(!offered.isDisjoint(with: choice), "\(stanza["Package"]!) needs \(choice)")
                    choice = []
                }
            }
        }
    }

    @Test func `it has one of every kind of thing`() throws {
        let stanzas = try read(sampleBytes())
        let relations = try stanzas.flatMap { try $0.relations("Depends") + $0.relations("Provides") }
        #expect(relations.contains { $0.orNext })
        #expect(relations.contains { $0.qualifier == "any" })
        #expect(relations.contains { $0.comparison == .equal && $0.version.hasPrefix("1:") })
        #expect(stanzas.contains { $0.lines("Description").count > 2 })
        #expect(stanzas.contains { $0["Maintainer"]?.hasPrefix("Zoë") == true })
    }
}

@Suite struct IndexInputTests {
    @Test(arguments: ["gzip", "xz", "lz4"])
    func `compressed files are read by what they are, not by their name`(_ tool: String) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "banyan-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }  // The system clears what stays.
        let file = directory.appending(path: "packages.data")
        try Data(IndexInput.output(of: [tool, "-c", samplePath])).write(to: file)
        #expect(try IndexInput.file(file.path).bytes() == sampleBytes())
    }

    @Test func `a command that fails is an error that says so`() {
        #expect { _ = try IndexInput.command(["false"]).bytes() } throws: { "\($0)" == "false failed with status 1" }
        #expect {
            _ = try IndexInput.command(["banyan-no-such-tool"]).bytes()
        } throws: {
            "\($0)" == "banyan-no-such-tool is not installed"
        }
    }

    @Test func `a missing file is an error`() {
        #expect {
            _ = try IndexInput.file("/no/such/file").bytes()
        } throws: {
            "\($0)" == "/no/such/file cannot be read"
        }
    }
}

let samplePath = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Playgrounds/Debian.playground/Resources/sample-packages.txt").standardizedFileURL.path

func sampleBytes() throws -> [UInt8] { try IndexInput.file(samplePath).bytes() }
