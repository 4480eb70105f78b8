import Banyan
import Testing

@Suite("Looking for a text in texts")
struct InfixTests {
    @Test("What contains a text is what Swift says contains its bytes", arguments: 1...3)
    func oracle(_ seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        func text(_ length: Int) -> String {
            String(
                decoding: (0..<length).map { _ in [UInt8(0), 97, 98, 99].randomElement(using: &random) ?? 97 },
                as: UTF8.self)
        }
        let texts = (0..<600).map { text($0 % 24) }
        let graph = Graph(try Store(.init(models: [Item.self])))
        try graph.write {
            for (i, text) in texts.enumerated() {
                let item = Item()
                (item.id, item.name, item.note) = (i, text, i % 3 == 0 ? nil : text)
                try graph.add(item)
            }
        }
        func has(_ text: String, _ part: String) -> Bool {
            let (bytes, needle) = (Array(text.utf8), Array(part.utf8))
            return needle.count <= bytes.count
                && (0...(bytes.count - needle.count)).contains { bytes[$0...].starts(with: needle) }
        }
        for length in 0..<18 {
            for _ in 0..<5 {
                let part = length == 0 ? "" : text(length)
                let names = graph.objects(Item.self).where { $0.name.contains(part) }
                #expect(names.map(\.id) == texts.indices.filter { has(texts[$0], part) }, "\(part.debugDescription)")
                let notes = graph.objects(Item.self).where { $0.note.contains(part) }
                #expect(
                    notes.map(\.id) == texts.indices.filter { $0 % 3 != 0 && has(texts[$0], part) },
                    "\(part.debugDescription)")
            }
        }
    }

    @Test("Texts that come in order, or in the opposite one, are sorted like any others", arguments: [false, true])
    func presorted(_ ascending: Bool) throws {
        let texts = ["", "\0", "a", "a\0", "ab", "abcdefgh", "abcdefgh\0", "abcdefghijklmno", "abcdefghijklmnop", "b"]
        let graph = Graph(try Store(.init(models: [Item.self])))
        try graph.write {
            for (i, text) in (texts + texts.reversed()).enumerated() {
                try graph.create(Item.self, value: ["id": i, "name": text])
            }
        }
        for range in [0...9, 10...19, 0...19] {
            let results = graph.objects(Item.self).where { $0.id.contains(range) }
            let sorted = results.sorted(by: \.name, ascending: ascending).map { Array($0.name.utf8) }
            let expected = results.map { Array($0.name.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
            #expect(sorted == (ascending ? expected : expected.reversed()))
        }
    }
}
