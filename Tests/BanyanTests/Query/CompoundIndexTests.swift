import Banyan
import Foundation
import Testing

@Model(indexes: [["last", "first"], ["city", "born", "last"]], unique: [["country", "plate"]])
class Driver: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(name: "surname") var last = ""
    @Persisted var first: String?
    @Persisted var city = ""
    @Persisted var born = Date(timeIntervalSinceReferenceDate: 0)
    @Persisted var country = ""
    @Persisted var plate: Int?
    @Persisted var score = 0
}

@Model(indexes: [["score", "wage"]]) class Racer: Driver {
    @Persisted var wage: Int16 = 0
}

@Suite("Indexes of several properties")
struct CompoundIndexTests {
    private static let lasts = [
        "Ng", "Nguyen", "a last name that does not fit sixteen bytes", "a last name that is as long", "",
    ]
    private static let firsts = ["Ada", "Al", "Alan", nil, "a first name beyond the bytes of a key"]

    private func fill(_ graph: Graph, _ ids: Range<Int>, _ random: inout SplitMix) throws {
        try graph.write {
            for id in ids {
                let driver = Driver()
                driver.id = id
                change(driver, &random)
                (driver.country, driver.plate) = (id % 2 == 0 ? "NO" : "SE", id % 10 == 0 ? nil : id / 2)
                try graph.add(driver, update: .modified)
            }
        }
    }

    private func change(_ driver: Driver, _ random: inout SplitMix) {
        driver.last = Self.lasts.randomElement(using: &random) ?? ""
        driver.first = Self.firsts.randomElement(using: &random) ?? nil
        driver.city = ["Oslo", "Bergen"].randomElement(using: &random) ?? ""
        driver.born = Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0..<20, using: &random)))
        driver.score = Int.random(in: 0..<5, using: &random)
    }

    private func check(_ graph: Graph) throws {
        let drivers = graph.objects(Driver.self)
        // In the order of their places in the table, which decides between equals.
        let all = drivers.enumerated().map { place, driver in
            (
                place: place, id: driver.id, last: driver.last, first: driver.first, city: driver.city,
                born: driver.born
            )
        }
        for last in Self.lasts {
            let found = drivers.where { $0.last == last && $0.first == "Alan" }
            #expect(found.map(\.id) == all.filter { $0.last == last && $0.first == "Alan" }.map(\.id))
            let begun = drivers.where { $0.last == last && $0.first.starts(with: "Al") }
            #expect(begun.map(\.id) == all.filter { $0.last == last && $0.first?.hasPrefix("Al") ?? false }.map(\.id))
            #expect(begun.count == all.count { $0.last == last && $0.first?.hasPrefix("Al") ?? false })
            #expect(
                drivers.where { $0.last == last && $0.first == nil }.count
                    == all.count { $0.last == last && $0.first == nil })
        }
        let day = Date(timeIntervalSinceReferenceDate: 7)
        let young = drivers.where { $0.city == "Oslo" && $0.born >= day }.sorted(by: \.born)
        let expected = all.filter { $0.city == "Oslo" && $0.born >= day }.sorted {
            ($0.born, $0.place) < ($1.born, $1.place)
        }
        #expect(young.map(\.id) == expected.map(\.id))
        for ascending in [true, false] {
            let named = drivers.where { $0.last == "Ng" }.sorted(by: \.first, ascending: ascending)
            let sorted = all.filter { $0.last == "Ng" }.sorted { a, b in
                let (x, y) = ((a.first == nil ? 0 : 1, a.first ?? ""), (b.first == nil ? 0 : 1, b.first ?? ""))
                return x == y ? a.place < b.place : ascending ? x < y : x > y
            }
            #expect(named.map(\.id) == sorted.map(\.id))
            #expect(named.explain().contains("read off the index of Driver.last, first"))
        }
    }

    @Test("They give what filtering and sorting all objects gives, through changes, rollbacks and reopening")
    func everywhere() async throws {
        var random = SplitMix(seed: 5)
        let directory = ScratchDirectory()
        let configuration = Store.Configuration(directory: directory.path, models: [Driver.self])
        var store = try await Store.open(configuration)
        let graph = Graph(store)
        try fill(graph, 0..<300, &random)
        try check(graph)
        try graph.write {
            for driver in graph.objects(Driver.self).where({ $0.score == 2 }) { change(driver, &random) }
            graph.delete(graph.objects(Driver.self).where { $0.score == 1 })
            try check(graph)
        }
        #expect(throws: Undo.self) {
            try graph.write {
                for driver in graph.objects(Driver.self) { driver.first = "Zoe" }
                try check(graph)
                throw Undo()
            }
        }
        try check(graph)
        try fill(graph, 50..<350, &random)
        try check(graph)
        try await store.close()
        store = try await Store.open(configuration)
        try store.read { try check($0) }
        try await store.checkpoint()
        try await store.close()
        store = try await Store.open(configuration)
        try store.read { try check($0) }
        let again = Graph(store)
        try again.write { for driver in again.objects(Driver.self) { change(driver, &random) } }
        try check(again)
        try await store.close()
    }

    @Test("A unique one refuses the second object with the same values in all of its properties")
    func uniqueness() throws {
        var random = SplitMix(seed: 6)
        let graph = Graph(try Store(.init(models: [Driver.self])))
        try fill(graph, 0..<40, &random)
        func driver(_ id: Int) throws -> Driver { try #require(graph.object(ofType: Driver.self, forPrimaryKey: id)) }
        let (a, b) = (try driver(2), try driver(4))
        let error = #expect(throws: BanyanError.self) { try graph.write { b.plate = a.plate } }
        #expect(error?.code == .constraint)
        #expect(error?.location.property == "country, plate")
        #expect(b.plate == 2)
        // One of the two is not enough.
        try graph.write {
            b.country = "SE"; try driver(5).country = "DK"
        }
        #expect(throws: BanyanError.self) { try graph.write { b.country = "DK" } }
        // Swapped, and nil as often as one likes.
        try graph.write { (a.plate, b.plate, a.country, b.country) = (b.plate, a.plate, b.country, a.country) }
        #expect(a.country == "SE" && a.plate == 2)
        try graph.write {
            for id in 20..<30 { try driver(id).plate = nil }
        }
        #expect(graph.objects(Driver.self).where { $0.plate == nil }.count == 13)
    }

    @Test("A subclass has those of its superclass and its own")
    func inheritance() throws {
        let graph = Graph(try Store(.init(models: [Racer.self])))
        try graph.write {
            for i in 0..<50 {
                let racer = Racer()
                (racer.id, racer.score, racer.wage, racer.last) = (i, i % 5, Int16(i), "n\(i % 3)")
                (racer.country, racer.plate) = ("NO", i)
                try graph.add(racer)
            }
        }
        #expect(
            graph.objects(Racer.self).where { $0.score == 3 && $0.wage > 20 }.map(\.id) == [23, 28, 33, 38, 43, 48])
        #expect(graph.objects(Racer.self).where { $0.last == "n1" && $0.first == nil }.count == 17)
        #expect(throws: BanyanError.self) {
            try graph.write { graph.objects(Racer.self).first?.plate = 7 }
        }
    }
}
