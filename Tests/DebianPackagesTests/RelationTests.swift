import DebianPackages
import Testing

@Suite struct RelationTests {
    @Test func `a plain name`() throws {
        #expect(try relations("libc6") == [Relation(name: "libc6")])
    }

    @Test func `everything at once`() throws {
        let found = try relations(
            "python3:any (>= 3.9~) [amd64  !i386] <!nocheck> <cross !stage1> | pypy3,\n dpkg(<<1.21)")
        var first = Relation(name: "python3")
        first.qualifier = "any"
        first.comparison = .laterOrEqual
        first.version = "3.9~"
        first.architectures = ["amd64", "!i386"]
        first.profiles = ["!nocheck", "cross !stage1"]
        first.orNext = true
        var third = Relation(name: "dpkg")
        third.comparison = .earlier
        third.version = "1.21"
        #expect(found == [first, Relation(name: "pypy3"), third])
        #expect(found[0].description == "python3:any (>= 3.9~) [amd64 !i386] <!nocheck> <cross !stage1>")
        #expect(found[2].description == "dpkg (<< 1.21)")
    }

    @Test(arguments: [
        ("<<", Relation.Comparison.earlier), ("<=", .earlierOrEqual), ("=", .equal), (">=", .laterOrEqual),
        (">>", .later), ("<", .earlierOrEqual), (">", .laterOrEqual),
    ])
    func `every comparison`(_ sign: String, _ comparison: Relation.Comparison) throws {
        for text in ["a (\(sign) 1:2-3)", "a(\(sign)1:2-3)", "a\n ( \(sign)  1:2-3 ) "] {
            let relation = try #require(try relations(text).first)
            #expect(relation.comparison == comparison)
            #expect(relation.version == "1:2-3")
        }
    }

    @Test func `alternatives know that they are`() throws {
        #expect(try relations("a | b|c, d").map(\.orNext) == [true, true, false, false])
    }

    @Test func `empty entries are passed over`() throws {
        #expect(try relations("a,, b,").map(\.name) == ["a", "b"])
        #expect(try relations("").isEmpty)
    }

    @Test func `a missing field has no relations`() throws {
        let stanza = try #require(try read("Package: a\n").first)
        #expect(try stanza.relations("Depends").isEmpty)
    }

    @Test(arguments: [
        ("a b", "expected ',' or '|' after 'a'"),
        ("a | , b", "expected the name of a package"),
        ("a |", "expected the name of a package"),
        ("(>= 1)", "expected the name of a package"),
        ("a: b", "expected an architecture after 'a:'"),
        ("a (1.0)", "expected one of <<, <=, =, >=, >>, found ''"),
        ("a (=> 1.0)", "expected one of <<, <=, =, >=, >>, found '=>'"),
        ("a (>= )", "expected a version of 'a'"),
        ("a (>= 1", "expected ')' after the version of 'a'"),
        ("a (>= 1 2)", "expected ')' after the version of 'a'"),
        ("a [amd64", "expected ']' after 'a'"),
        ("a <!nocheck", "expected '>' after 'a'"),
    ])
    func `what is malformed is refused`(_ text: String, _ message: String) throws {
        let error = try #require(throws: DebianSyntaxError.self) { _ = try relations(text) }
        #expect(error.message == "in 'Depends': \(message)")
    }

    @Test func `a mistake in a folded field is told by its own line`() throws {
        let stanza = try #require(try read("Package: a\nDepends: b,\n c,\n d e\n").first)
        let error = try #require(throws: DebianSyntaxError.self) { _ = try stanza.relations("Depends") }
        #expect(error.line == 4)
    }

    private func relations(_ text: String) throws -> [Relation] {
        try #require(try read("Package: a\nDepends: \(text)\n").first).relations("Depends")
    }
}
