import Banyan
import Foundation
import Testing

@Model class Glyph: Object {
    @Persisted var id = 0
    @Persisted(indexed: true) var text = ""
    @Persisted var 🦆 = 0
    @Persisted var größe = 0
    @Persisted var a🌳b = false
    @Persisted var words: List<String>
}

@Model class BigGlyph: Glyph {
    @Persisted var size = 0
}

@Suite("String queries: characters, names, suggestions")
struct TextQueryTests {
    private static let texts = ["é", "e\u{301}", "👩‍👩‍👧", "e", "ab", "日本", "🇳🇴", "\r\n", ""]

    private func glyphs() throws -> Results<Glyph> {
        let graph = Graph(try Store(.init(models: [Glyph.self, BigGlyph.self])))
        try graph.write {
            for (i, text) in Self.texts.enumerated() {
                let glyph = i % 2 == 0 ? Glyph() : BigGlyph()
                (glyph.id, glyph.text, glyph.🦆, glyph.a🌳b) = (i, text, i, i > 5)
                try graph.add(glyph)
            }
        }
        return graph.objects(Glyph.self).sorted(by: \.id)
    }

    @Test("A question mark in a pattern is one character, as Swift counts them")
    func characters() throws {
        let glyphs = try glyphs()
        for (pattern, isMeant) in [
            ("?", { $0.count == 1 }), ("??", { $0.count == 2 }), ("*?", { !$0.isEmpty }), ("?*?", { $0.count > 1 }),
            ("e?", { _ in false }), ("e*", { $0.unicodeScalars.first == "e" }), ("日?", { $0 == "日本" }),
            ("*", { _ in true }),
            ("*b?", { _ in false }), ("?b", { $0 == "ab" }),
        ] as [(String, (String) -> Bool)] {
            let expected = Self.texts.indices.filter { isMeant(Self.texts[$0]) }
            #expect(try glyphs.filter("text LIKE %@", pattern).map(\.id) == expected, "\(pattern)")
            #expect(glyphs.where { $0.text.like(pattern) }.map(\.id) == expected, "\(pattern)")
        }
    }

    @Test("Results and lists tell texts apart by their bytes, as keys, sets and == do")
    func distinct() throws {
        let glyphs = try glyphs()
        #expect(glyphs.distinct(by: [\.text]).count == Self.texts.count)
        #expect(try glyphs.graph.dynamicObjects("Glyph").distinct(by: ["text"]).count == Self.texts.count)
        try glyphs.graph.write { glyphs[0].words.append(objectsIn: ["é", "e\u{301}", "é", "e"]) }
        #expect(glyphs[0].words.distinct().map(\.utf8.count) == [2, 3, 1])
        #expect(List<String>(["é", "e\u{301}", "é"]).distinct().count == 2)
        #expect(glyphs.where { $0.text == "é" }.count == 1)
    }

    @Test("A lookup by an indexed property as text finds objects of subclasses, as the typed one does")
    func subclasses() throws {
        let glyphs = try glyphs()
        for text in Self.texts {
            #expect(try glyphs.graph.objects(Glyph.self).filter("text == %@", text).count == 1, "\(text)")
            #expect(glyphs.graph.objects(Glyph.self).where { $0.text == text }.count == 1, "\(text)")
        }
    }

    @Test("Names with emoji and other letters are read")
    func names() throws {
        let glyphs = try glyphs()
        #expect(try glyphs.filter("🦆 > 6").map(\.id) == [7, 8])
        #expect(try glyphs.filter("a🌳b").map(\.id) == [6, 7, 8])
        #expect(try glyphs.filter("größe == 0 AND NOT 🦆 IN {1, 2}").count == Self.texts.count - 2)
        #expect(glyphs.where { $0.🦆 > 6 }.count == 2)
        let error = #expect(throws: BanyanError.self) { try glyphs.filter("🦆 > 6 ☂ 3") }
        #expect(error?.message.contains("at column 7") == true, "\(error?.message ?? "")")
    }

    @Test(
        "What is suggested for a name that is not there is close to it",
        arguments: [
            ("tetx", "text"), ("txt", "text"), ("siz", nil), ("age", nil), ("wrds", "words"), ("iid", "id"),
            ("nmae", nil),
        ] as [(String, String?)])
    func suggestions(_ name: String, _ suggestion: String?) throws {
        let error = #expect(throws: BanyanError.self) { try glyphs().filter("\(name) == 1") }
        let expected = suggestion.map { "Write '\($0)' if that is meant" }
        if let expected {
            #expect(error?.remedy == expected)
        } else {
            #expect(error?.remedy?.hasPrefix("It has: ") == true, "\(error?.remedy ?? "")")
        }
    }
}
