import Banyan
import Testing

@Model private class Numbered: Object {
    @Persisted var number = 0
    @Persisted var next: Numbered?
}

@Model private class Jotted: Object {
    @Persisted var number = 0
    var note = "new"
}

@Model private class Row: Object {
    @Persisted var items: List<Numbered>
    @Persisted var notes: List<Jotted>
}

/// An iteration that gives out objects nobody keeps makes one handle of them; nobody may notice.
@Suite("Objects of an iteration")
struct HandleReuseTests {
    private func row(_ count: Int = 300) throws -> (Graph, Row) {
        let graph = Graph(try Store(.init(models: [Row.self])))
        let row = Row()
        for i in 0..<count {
            let item = Numbered()
            item.number = i
            row.items.append(item)
            let noted = Jotted()
            noted.number = i
            row.notes.append(noted)
        }
        try graph.write { try graph.add(row) }
        return (graph, row)
    }

    @Test("Each shows its own values, and those that are kept go on showing them")
    func kept() throws {
        let (_, row) = try row()
        var kept: [Numbered] = []
        var expected = 0
        for item in row.items {
            #expect(item.number == expected)
            if expected % 3 == 0 { kept.append(item) }
            expected += 1
        }
        #expect(expected == 300)
        #expect(kept.map(\.number) == Array(stride(from: 0, to: 300, by: 3)))
        #expect(Set(kept.map(ObjectIdentifier.init)).count == kept.count)
        #expect(Array(row.items).map(\.number) == Array(0..<300))
    }

    @Test("One that is referred to weakly never turns into another")
    func weak() throws {
        let (_, row) = try row()
        weak var reference: Numbered?
        for item in row.items {
            if let reference { #expect(reference.number == 7) }
            if item.number == 7 { reference = item }
        }
        #expect(reference == nil)
    }

    @Test("One that is referred to without counting never turns into another")
    func unowned() throws {
        final class Box {
            unowned let item: Numbered
            init(_ item: Numbered) { self.item = item }
        }
        let (_, row) = try row()
        var iterator = row.items.makeIterator()
        var boxes: [Box] = []
        var kept: [ObjectIdentifier] = []
        while let item = iterator.next(), boxes.count < 100 {
            boxes.append(Box(item))
            kept.append(ObjectIdentifier(item))
        }
        // An object that somebody refers to keeps its memory, so another one cannot be where it was.
        #expect(Set(kept).count == kept.count)
    }

    @Test("What a class keeps beside its persisted properties does not come along")
    func stored() throws {
        let (_, row) = try row()
        for noted in row.notes {
            #expect(noted.note == "new")
            noted.note = "seen"
        }
    }

    @Test("Writing through it while iterating changes the object it shows")
    func writing() throws {
        let (graph, row) = try row()
        try graph.write {
            var previous: Numbered?
            for item in row.items {
                item.number += 1_000
                item.next = previous
                previous = item
            }
        }
        #expect(row.items.map(\.number) == (0..<300).map { $0 + 1_000 })
        #expect(row.items.map { $0.next?.number } == [nil] + (0..<299).map { $0 + 1_000 })
    }

    @Test("Objects deleted on the way are left out")
    func deleting() throws {
        let (graph, row) = try row()
        try graph.write {
            var seen: [Int] = []
            for item in row.items {
                seen.append(item.number)
                if item.number % 10 == 0, item.number < 299 { graph.delete(row.items[row.items.count - 1]) }
            }
            #expect(seen == Array(0..<(300 - seen.filter { $0 % 10 == 0 }.count)))
        }
    }
}
