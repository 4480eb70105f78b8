import DebianPackages
import Testing

@Suite struct StanzaReaderTests {
    @Test func `fields keep their order, their values lose the white space around them`() throws {
        let stanzas = try read("Package:  bash \nVersion:5.2-1\nEmpty:\n\n\n \t\nPackage: dash\n")
        #expect(stanzas.count == 2)
        #expect(stanzas[0].map(\.name) == ["Package", "Version", "Empty"])
        #expect(stanzas[0].map(\.value) == ["bash", "5.2-1", ""])
        #expect(stanzas[0].map(\.line) == [1, 2, 3])
        #expect(stanzas[1].line == 7)
    }

    @Test func `names of fields ignore case, in looking up and in telling twins apart`() throws {
        let stanza = try #require(try read("PACKAGE: bash\n").first)
        #expect(stanza["Package"] == "bash")
        #expect(stanza["Version"] == nil)
        #expect(stanza.isNamed(0, ["Version", "package"]))
    }

    @Test func `continuation lines belong to the field before them`() throws {
        let stanza = try #require(
            try read("Description: shell\n It runs.\n .\n  indented\nTag: a::b, c::d,\n e::f\n").first)
        #expect(stanza["Description"] == "shell\n It runs.\n .\n  indented")
        #expect(stanza.lines("Description") == ["shell", "It runs.", "", " indented"])
        #expect(stanza.firstLine("Description") == "shell")
        #expect(stanza.list("Tag") == ["a::b", "c::d", "e::f"])
        #expect(stanza.list("Missing").isEmpty)
    }

    @Test(arguments: ["", "\n\n \n", "# only a comment\n", "\r\n\r\n"])
    func `nothing is no stanza`(_ text: String) throws {
        #expect(try read(text).isEmpty)
    }

    @Test func `comments, carriage returns and a missing last line break change nothing`() throws {
        let stanzas = try read("# first\nPackage: a\r\n# within\r\nVersion: 1\r\n\r\nPackage: b")
        #expect(stanzas.map { $0.map(\.value) } == [["a", "1"], ["b"]])
    }

    @Test(arguments: [
        ("Package bash\n", 1, "expected 'Field: value', found 'Package bash'"),
        ("Package: a\n\n: b\n", 3, "expected 'Field: value', found ': b'"),
        ("Package: a\nBad name: b\n", 2, "expected 'Field: value', found 'Bad name: b'"),
        ("-----BEGIN: x\n", 1, "expected 'Field: value', found '-----BEGIN: x'"),
        ("\n a continuation\n", 2, "a continuation line without a field before it"),
        ("Package: a\nVersion: 1\npackage: b\n", 3, "the field 'package' is there already, in line 1"),
        ("Package: a\nVersion: \u{0}\n", 2, "this is not UTF-8 text"),
    ])
    func `what is malformed is refused with its line`(_ text: String, _ line: Int, _ message: String) throws {
        let error = try #require(throws: DebianSyntaxError.self) { _ = try read(text) }
        #expect(error == DebianSyntaxError(file: "test", line: line, message: message))
        #expect(error.description == "test:\(line): \(message)")
    }

    @Test func `bytes that are no text are refused with their line`() throws {
        let error = try #require(throws: DebianSyntaxError.self) {
            var reader = StanzaReader(Array("Package: a\nMaintainer: ".utf8) + [0xC3, 0x28, 0x0A])
            while try reader.next() != nil {}
        }
        #expect(error.line == 2)
        #expect(error.message == "this is not UTF-8 text")
    }

    @Test func `a file without an end of stanza is given up before it fills the memory`() throws {
        let error = try #require(throws: DebianSyntaxError.self) {
            var reader = StanzaReader { [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20) }
            _ = try reader.next()
        }
        #expect(error.message.contains("no package index"))
    }

    @Test func `a source that fails passes its error on`() {
        struct Gone: Error {}
        #expect(throws: Gone.self) {
            var reader = StanzaReader { throw Gone() }
            _ = try reader.next()
        }
    }

    @Test(arguments: [1, 2, 3, 7, 64, 1000])
    func `chunks of any size read the same`(_ size: Int) throws {
        let bytes = try sampleBytes()
        var rest = bytes[...]
        var reader = StanzaReader {
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
        // Chunks of a few bytes scan a stanza again for each: some stanzas will do.
        let wanted = try read(bytes).prefix(size < 64 ? 12 : .max)
        for stanza in wanted {
            let next = try #require(try reader.next())
            #expect(Array(next) == Array(stanza))
        }
    }
}

func read(_ text: String) throws -> [Stanza] { try read(Array(text.utf8)) }

func read(_ bytes: [UInt8]) throws -> [Stanza] {
    var reader = StanzaReader(bytes, file: "test")
    var stanzas: [Stanza] = []
    while let stanza = try reader.next() { stanzas.append(stanza) }
    return stanzas
}
