import Banyan
import Foundation
import Testing

@Model class Reader: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var age = 0
    @Persisted var score: Double?
    @Persisted var nick: String?
    @Persisted var isActive = false
    @Persisted var grade = Grade.good
    @Persisted var born = Date(timeIntervalSinceReferenceDate: 0)
    @Persisted var photo = Data()
    @Persisted var best: Reader?
    @Persisted var friends: List<Reader>
    @Persisted var tags: List<String>
    @Persisted var numbers: MutableSet<Int>
    @Persisted(originProperty: "friends") var fans: LinkingObjects<Reader>
    var label: String { name + "!" }
}

/// `#Predicate` against what the same predicate says of each object in Swift.
@Suite("Predicates of Foundation")
struct PredicateMacroTests {
    private func readers() throws -> Results<Reader> {
        let graph = Graph(try Store(.init(models: [Reader.self])))
        try graph.write {
            for i in 0..<12 {
                let reader = Reader()
                (reader.id, reader.name, reader.age) = (i, ["Ada", "Bo", "Cy", "É", ""][i % 5], i * 3 % 7)
                (reader.score, reader.nick) = (i % 3 == 0 ? nil : Double(i) / 4, i % 4 == 0 ? nil : "n\(i % 3)")
                (reader.isActive, reader.grade) = (i % 2 == 0, [.good, .fair, .poor][i % 3])
                reader.born = Date(timeIntervalSinceReferenceDate: Double(i) * 100)
                reader.photo = Data(repeating: 1, count: i % 3)
                try graph.add(reader)
                reader.tags.append(objectsIn: ["a", "b", "c"].prefix(i % 4))
                reader.numbers.insert(objectsIn: 0..<(i % 3))
            }
            let all = Array(graph.objects(Reader.self))
            for (i, reader) in all.enumerated() {
                reader.best = i % 4 == 3 ? nil : all[(i * 5 + 1) % 12]
                reader.friends.append(objectsIn: (0..<(i % 4)).map { all[(i + $0 * 3 + 1) % 12] })
            }
        }
        return graph.objects(Reader.self)
    }

    private func check(
        _ predicate: Foundation.Predicate<Reader>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let readers = try readers()
        let found: Results<Reader> = try readers.filter(predicate)
        let expected = try readers.map { $0 }.filter { try predicate.evaluate($0) }.map(\.id)
        #expect(found.map(\.id) == expected, sourceLocation: sourceLocation)
        #expect(!expected.isEmpty && expected.count < 12, "\(expected)", sourceLocation: sourceLocation)
    }

    @Test("Comparisons, logic and ranges")
    func plain() throws {
        let (limit, name, some, grade): (Int, String, [Int], Grade) = (3, "Bo", [1, 4, 5], .fair)
        let day = Date(timeIntervalSinceReferenceDate: 500)
        let range = 2...4
        try check(#Predicate { $0.age > limit && $0.name == name })
        try check(#Predicate { $0.age <= limit || !($0.name != name) })
        try check(#Predicate { $0.isActive })
        try check(#Predicate { !$0.isActive })
        try check(#Predicate { $0.isActive == true && 3 < $0.age })
        try check(#Predicate { ($0.age > 3) == $0.isActive })
        try check(#Predicate { some.contains($0.age) })
        try check(#Predicate { (1...3).contains($0.age) })
        try check(#Predicate { (1..<3).contains($0.age) })
        try check(#Predicate { range.contains($0.age) })
        try check(#Predicate { $0.grade == grade })
        try check(#Predicate { $0.born > day })
        try check(#Predicate { $0.age == $0.id })
        try check(#Predicate { $0.isActive ? $0.age > 2 : $0.age < 2 })
    }

    @Test("Optionals and links")
    func optionals() throws {
        let (score, none): (Double?, String?) = (0.5, nil)
        try check(#Predicate { $0.score == nil })
        try check(#Predicate { $0.score == score })
        try check(#Predicate { $0.nick == none })
        try check(#Predicate { $0.nick != "n1" })
        try check(#Predicate { ($0.score ?? 9) > 1.5 })
        try check(#Predicate { ($0.nick ?? "n1") == "n1" })
        try check(#Predicate { $0.best?.name == "Bo" })
        try check(#Predicate { $0.best?.best?.name == "Ada" })
        try check(#Predicate { ($0.best?.age ?? 6) > 3 })
        try check(#Predicate { $0.best?.isActive ?? true })
        try check(#Predicate { ($0.best?.friends.count ?? 0) > 1 })
        try check(#Predicate { ($0.best?.friends.count ?? 5) > 1 })
        try check(#Predicate { $0.best?.friends.count == 1 })
        try check(#Predicate { $0.best?.friends.count != 2 })
        try check(#Predicate { if let best = $0.best { best.age > 2 } else { false } })
        try check(#Predicate { $0.score.flatMap { $0 > 1 } ?? false })
        try check(#Predicate { $0.best == nil })
        // Evaluated in Swift, this throws where there is none.
        let readers = try readers()
        let found = try readers.filter(#Predicate { $0.best!.age > 3 }).map(\.id)
        #expect(found == readers.map { $0 }.filter { ($0.best?.age ?? 0) > 3 }.map(\.id) && !found.isEmpty)
    }

    @Test("Texts and data")
    func texts() throws {
        try check(#Predicate { $0.name.contains("d") })
        try check(#Predicate { $0.name.starts(with: "B") })
        try check(#Predicate { $0.name.isEmpty })
        try check(#Predicate { $0.name.count > 1 })
        try check(#Predicate { $0.photo.count == 2 })
        try check(#Predicate { $0.photo.isEmpty })
        try check(#Predicate { $0.nick?.count == 2 })
    }

    @Test("Collections, and closures on their elements, with what is around them")
    func collections() throws {
        try check(#Predicate { $0.friends.count > 1 })
        try check(#Predicate { $0.friends.isEmpty })
        try check(#Predicate { $0.fans.count == 2 })
        try check(#Predicate { $0.tags.contains("b") })
        try check(#Predicate { $0.numbers.contains(1) })
        try check(#Predicate { $0.tags.contains { $0 == "c" } })
        try check(#Predicate { $0.numbers.allSatisfy { $0 < 1 } })
        try check(#Predicate { $0.friends.contains { $0.age > 3 && $0.name != "" } })
        try check(#Predicate { $0.friends.allSatisfy { $0.isActive } })
        try check(#Predicate { $0.friends.filter { $0.age > 2 }.count > 1 })
        try check(#Predicate { $0.friends.filter { $0.age > 2 }.isEmpty })
        try check(#Predicate { $0.friends.filter { $0.age > 1 }.contains { $0.isActive } })
        try check(#Predicate { reader in reader.friends.contains { $0.age > reader.age } })
        try check(
            #Predicate { reader in
                reader.friends.contains { f in f.friends.contains { $0.age == reader.age && f.age > 1 } }
            })
        try check(#Predicate { reader in reader.fans.contains { $0.name == reader.name || $0.age == reader.age } })
        try check(#Predicate { $0.friends.first?.age == 3 })
        try check(#Predicate { $0.numbers.max() == 1 })
        let readers = try readers()
        #expect(
            try readers.filter(#Predicate { $0.tags[1] == "b" }).map(\.id)
                == readers.map { $0 }.filter { $0.tags.count > 1 }.map(\.id))
    }

    @Test(
        "The results are live, use an index, and are filtered further; collections of objects and maps are filtered too"
    )
    func live() throws {
        let readers = try readers()
        let bos: Results<Reader> = try readers.filter(#Predicate { $0.name == "Bo" })
        #expect(bos.explain().contains("index") && bos.count == 3)
        try readers.graph.write { readers[0].name = "Bo" }
        #expect(bos.count == 4 && bos.where { $0.id > 0 }.count == 3)
        #expect(try bos.filter(#Predicate { $0.id > 5 }).map(\.id) == [6, 11])
        let friends: Results<Reader> = try readers[3].friends.filter(#Predicate { $0.id > 6 })
        #expect(friends.map(\.id) == readers[3].friends.map(\.id).filter { $0 > 6 } && !friends.isEmpty)
        #expect(try AnyObjectCollection(readers).filter(#Predicate { $0.id > 9 }).count == 2)
    }

    @Test("What a query has nothing for is an error that says what it is")
    func refused() throws {
        let readers = try readers()
        func error(_ predicate: Foundation.Predicate<Reader>, _ said: String) {
            let error = #expect(throws: BanyanError.self) { try readers.filter(predicate) }
            #expect(error?.code == .invalidQuery && error?.message.contains(said) == true, "\(error?.message ?? "")")
        }
        error(#Predicate { $0.age + 1 > 3 }, "'Arithmetic'")
        error(#Predicate { $0.label == "x" }, "does not name a stored property")
        error(#Predicate { $0.name.utf8.count > 3 }, "key path")
        error(#Predicate { $0.friends.endIndex > 3 }, "key path")
        error(#Predicate { $0.tags.contains { $0.contains("a") && $0 != "b" } }, "'SequenceContainsWhere'")
        error(#Predicate { -$0.age > 3 }, "'UnaryMinus'")
    }
}
