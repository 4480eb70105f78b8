import DebianPackages
import Foundation
import Testing

@Suite struct PackageIndexTests {
    @Test func `the native architecture is the one that most packages are for`() throws {
        let index = try index("a all", "b all", "c i386", "d amd64", "e amd64", "f all")
        #expect(index.count == 6)
        #expect(index.architectures == ["amd64", "i386"])
        #expect(index.native == "amd64")
        #expect(try self.index("a all").native == "all")
    }

    @Test(arguments: [
        ("b", "amd64", "b"), ("b", "all", "b"), ("b", "i386", "b:i386"), ("b:any", "i386", "b"),
        ("b:i386", "amd64", "b:i386"), ("b:amd64", "i386", "b"), ("b:native", "i386", "b"),
    ])
    func `relations lead to a name on an architecture`(_ text: String, _ asking: String, _ place: String) throws {
        let index = try index("a amd64", "b amd64", "b i386")
        let parts = text.split(separator: ":")
        var relation = Relation(name: String(parts[0]))
        if parts.count > 1 { relation.qualifier = String(parts[1]) }
        #expect(index.place(of: relation, from: asking).description(native: index.native) == place)
    }

    @Test func `what dpkg only remembers is no package`() throws {
        let gone = "Package: gone\nStatus: purge ok not-installed\n\n"
        let index = try PackageIndex(Array((gone + stanza("a all")).utf8), from: .standardInput)
        #expect(index.count == 1)
        var names: [String?] = []
        try index.forEachStanza { names.append($0["Package"]) }
        #expect(names == ["a"])
    }

    @Test(arguments: [
        ("Package: a\nVersion: 1\n", 1, "the stanza has no field 'Architecture'"),
        ("Package: a\nArchitecture: all\n", 1, "the stanza has no field 'Version'"),
        ("Package: a\nVersion:\nArchitecture: all\n", 2, "the field 'Version' is empty"),
        ("Source: a\n", 1, "the stanza has no field 'Package'"),
    ])
    func `what is no package index is refused`(_ text: String, _ line: Int, _ message: String) throws {
        let error = try #require(throws: DebianSyntaxError.self) {
            _ = try PackageIndex(Array(text.utf8), from: .standardInput)
        }
        #expect(error == DebianSyntaxError(file: "standard input", line: line, message: message))
    }

    private func index(_ packages: String...) throws -> PackageIndex {
        try PackageIndex(Array(packages.map(stanza).joined().utf8), from: .standardInput)
    }

    private func stanza(_ package: String) -> String {
        let parts = package.split(separator: " ")
        return "Package: \(parts[0])\nVersion: 1\nArchitecture: \(parts[1])\n\n"
    }
}

@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/apt-cache")))
struct AptCacheTests {
    @Test func `apt counts the sample and knows what asks for a package, of every kind`() throws {
        let apt = try AptCache(index: sampleBytes(), architectures: ["amd64"])
        #expect(try apt.packageCount() == read(sampleBytes()).count)
        let found = try apt.reverseDependencies(of: ["bash-completion", "libaudit1", "mawk", "bash"])
        #expect(found["bash-completion"] == ["bash 20060301-0", "bash 20060301-0", "bash 20060301-0"])
        #expect(found["libaudit1"] == ["libpam-modules 1:2.2.1", "libpam0g 1:2.2.1", "passwd 1:2.2.1"])
        #expect(found["mawk"] == [])
        #expect(found["bash"] == ["bash-completion "])
    }

    @Test func `a text that apt cannot read is an error`() throws {
        let apt = try AptCache(index: Array("no index\n".utf8), architectures: ["amd64"])
        #expect(throws: IndexInput.CommandFailure.self) { _ = try apt.packageCount() }
    }
}
