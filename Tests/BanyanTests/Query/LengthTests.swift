import Banyan
import Foundation
import Testing

@Model class Lengthy: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var text = ""
    @Persisted var note: String?
    @Persisted var data = Data()
    @Persisted var blob: Data?
    @Persisted var other: Lengthy?
    @Persisted var others: List<Lengthy>
    @Persisted var words: List<String>
    @Persisted var notes: Map<String, String>
}

@Suite("Lengths of texts and data in queries")
struct LengthTests {
    static let texts = [
        "", "a", "ab", "é", "e\u{301}", "👩‍👩‍👧", "line\r\n", "a text of more than fifteen bytes", "日本語", "\r\n\r\n",
        "zoë 🦆",
    ]

    private func world() throws -> Results<Lengthy> {
        let graph = Graph(try Store(.init(models: [Lengthy.self])))
        try graph.write {
            for (i, text) in Self.texts.enumerated() {
                let object = Lengthy()
                (object.id, object.text, object.data) = (i, text, Data(text.utf8))
                (object.note, object.blob) = i.isMultiple(of: 2) ? (text, Data(text.utf8)) : (nil, nil)
                try graph.add(object)
                object.words.append(objectsIn: Self.texts.prefix(i))
                object.notes["a"] = text
                object.other = i > 0 ? graph.objects(Lengthy.self)[i - 1] : nil
                object.others.append(objectsIn: Array(graph.objects(Lengthy.self).prefix(i)))
            }
        }
        return graph.objects(Lengthy.self)
    }

    private func check(
        _ all: Results<Lengthy>, _ text: String, _ condition: (Query<Lengthy>) -> Query<Bool>,
        _ isMeant: (Lengthy) -> Bool
    ) throws {
        let typed = all.where(condition)
        let expected = all.filter { isMeant($0) }.map(\.id)
        #expect(typed.fault == nil && typed.map(\.id) == expected, "\(text) \(typed.fault?.message ?? "")")
        #expect(try all.filter(text).map(\.id) == expected, "\(text)")
        #expect(!expected.isEmpty && expected.count < all.count, "\(text)")
    }

    @Test("Texts are counted in characters, as Swift does, data in bytes; nil has no length and is not empty")
    func single() throws {
        let all = try world()
        try check(all, "text.@length == 1", { $0.text.count == 1 }) { $0.text.count == 1 }
        try check(all, "text.@count > 2", { $0.text.count > 2 }) { $0.text.count > 2 }
        try check(all, "text[SIZE] IN {0, 3}", { $0.text.count.in([0, 3]) }) { [0, 3].contains($0.text.count) }
        try check(all, "note.@length == nil", { $0.note.count == nil }) { $0.note == nil }
        try check(all, "note.@length < 3", { $0.note.count < 3 }) { $0.note.map { $0.count < 3 } ?? false }
        try check(all, "note.@length != 1", { $0.note.count != 1 }) { $0.note?.count != 1 }
        try check(all, "data.@length == 3", { $0.data.count == 3 }) { $0.data.count == 3 }
        try check(all, "blob.@length > 4", { $0.blob.count > 4 }) { $0.blob.map { $0.count > 4 } ?? false }
        try check(all, "text == ''", { $0.text.isEmpty }) { $0.text.isEmpty }
        try check(all, "note == ''", { $0.note.isEmpty }) { $0.note?.isEmpty ?? false }
        try check(all, "data == b64''", { $0.data.isEmpty }) { $0.data.isEmpty }
        try check(all, "blob == b64''", { $0.blob.isEmpty }) { $0.blob?.isEmpty ?? false }
        #expect(all.where { $0.text.isEmpty }.explain().contains("index"))
    }

    @Test("Lengths behind links and in collections, compared with each other, and sorted by")
    func paths() throws {
        let all = try world()
        try check(all, "other.text.@length == 1", { $0.other.text.count == 1 }) { $0.other?.text.count == 1 }
        try check(all, "other.text.@length == nil", { $0.other.text.count == nil }) { $0.other == nil }
        try check(all, "text.@length < id", { $0.text.count < $0.id }) { $0.text.count < $0.id }
        try check(all, "text.@length == data.@length", { $0.text.count == $0.data.count }) {
            $0.text.count == $0.data.count
        }
        try check(all, "ANY others.text.@length == 5", { $0.others.text.count == 5 }) {
            $0.others.contains { $0.text.count == 5 }
        }
        try check(all, "ALL words.@length < 2", { $0.words.all.count < 2 }) { $0.words.allSatisfy { $0.count < 2 } }
        try check(all, "NONE words[*].@length > 20", { $0.words.none.count > 20 }) {
            !$0.words.contains { $0.count > 20 }
        }
        try check(all, "words[1].@length == 1", { $0.words[1].count == 1 }) { $0.words.count > 1 }
        try check(all, "notes['a'].@length == 3", { $0.notes["a"].count == 3 }) { $0.notes["a"]?.count == 3 }
        try check(all, "words.@count == 0", { $0.words.isEmpty }) { $0.words.isEmpty }
        let sorted = all.sorted { $0.text.count }.map(\.text.count)
        #expect(sorted == sorted.sorted() && sorted.count == Self.texts.count)
        #expect(all.where { $0.notes.isEmpty || $0.others.isEmpty }.map(\.id) == [0])
    }

    @Test(
        "A length is asked of texts and data, at the end of a path",
        arguments: [
            "id.@length == 1", "text.@length.id == 1", "others.@length == 1", "words.@length.@max == 1",
            "words.@length == id", "text.@length BEGINSWITH 'a'", "text.@length == 'a'",
        ])
    func misuse(_ text: String) throws {
        let all = try world()
        #expect(throws: BanyanError.self) { try all.filter(text) }
    }
}
