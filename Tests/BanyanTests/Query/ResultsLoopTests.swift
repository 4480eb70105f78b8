import Banyan
import Testing

/// A class with something of its own beside what is stored.
@Model class Noted: Object {
    @Persisted(primaryKey: true) var id = 0
    var note: String?
}

@Suite("Looping over results")
struct ResultsLoopTests {
    private func graph(_ count: Int) throws -> Graph {
        let graph = Graph(try Store(.init(models: [Item.self, Noted.self])))
        try graph.write {
            for i in 0..<count {
                try graph.create(Item.self, value: ["id": i, "group": i % 7])
                try graph.create(Noted.self, value: ["id": i])
            }
        }
        return graph
    }

    @Test("A loop that keeps nothing shows every object, in one instance")
    func reuse() throws {
        let graph = try graph(200)
        var instances: Set<ObjectIdentifier> = []
        var ids: [Int] = []
        for item in graph.objects(Item.self) {
            instances.insert(ObjectIdentifier(item))
            ids.append(item.id)
        }
        #expect(ids == Array(0..<200))
        #expect(instances.count == 1)
    }

    @Test("An object that is kept stays what it is, whatever the loop shows next", arguments: [1, 2, 3, 64])
    func keeping(_ step: Int) throws {
        let graph = try graph(200)
        var kept: [Item] = []
        for item in graph.objects(Item.self) where item.id % step == 0 { kept.append(item) }
        #expect(kept.map(\.id) == Array(stride(from: 0, to: 200, by: step)))
        #expect(Set(kept).count == kept.count)
        let sorted = graph.objects(Item.self).sorted(by: \.group, ascending: false)
        #expect(Array(sorted).map(\.id) == (0..<200).sorted { ($1 % 7, $0) < ($0 % 7, $1) })
        #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.group >= $1.group && $0 != $1 })
    }

    @Test("An object that is referred to weakly, or without counting, never turns into another")
    func uncounted() throws {
        final class Holder {
            weak var weak: Item?
            unowned(safe) var unowned: Item
            init(weakly item: Item, _ any: Item) { (weak, unowned) = (item, any) }
            init(unowned item: Item) { unowned = item }
        }
        let graph = try graph(200)
        let any = Item()
        var holders: [Holder] = []
        var instances: Set<ObjectIdentifier> = []
        for item in graph.objects(Item.self) {
            for holder in holders { if let seen = holder.weak { #expect(seen.id == 7) } }
            if item.id == 7 { holders.append(Holder(weakly: item, any)) }
            // Their memory stays taken as long as they are referred to.
            if item.id > 100 {
                holders.append(Holder(unowned: item))
                instances.insert(ObjectIdentifier(item))
            }
        }
        #expect(holders[0].weak == nil)
        #expect(instances.count == 99)
    }

    @Test("Two copies of one iterator do not show their objects in one instance")
    func copies() throws {
        var first = try graph(10).objects(Item.self).makeIterator()
        let one = first.next()?.id
        var second = first
        let two = first.next()
        let again = second.next()
        #expect(one == 0 && two?.id == 1 && again?.id == 1)
        #expect(first.next()?.id == 2 && two?.id == 1 && second.next()?.id == 2 && again?.id == 1)
    }

    @Test("What a class keeps beside its stored properties never belongs to another object")
    func stored() throws {
        for noted in try graph(100).objects(Noted.self) {
            #expect(noted.note == nil)
            noted.note = "\(noted.id)"
        }
    }

    @Test("A loop that writes goes through what was there when it began", arguments: [false, true])
    func writing(_ isOne: Bool) throws {
        let graph = try graph(300)
        var ids: [Int] = []
        func body() throws {
            for item in graph.objects(Item.self).where({ $0.group != 3 }) {
                ids.append(item.id)
                let change = {
                    item.group = 3
                    item.name = "a name of more than fifteen bytes"
                    if item.id % 50 == 0 { graph.delete(graph.objects(Item.self).where { $0.id == item.id + 1 }) }
                    try graph.create(Item.self, value: ["id": 1_000 + item.id])
                }
                if isOne { try change() } else { try graph.write { try change() } }
                #expect(item.group == 3)
            }
        }
        if isOne { try graph.write { try body() } } else { try body() }
        let expected = (0..<300).filter { $0 % 7 != 3 && !($0 % 50 == 1 && ($0 - 1) % 7 != 3) }
        #expect(ids == expected)
    }

    @Test("The first ones of a sort are those of the whole sort", arguments: [10, 255, 256, 257, 1_000])
    func first(_ count: Int) throws {
        let graph = try graph(count)
        let all = Array(graph.objects(Item.self).sorted(by: \.group, ascending: false)).map(\.id)
        let results = graph.objects(Item.self).sorted(by: \.group, ascending: false)
        #expect(!results.isEmpty && results.first?.id == all[0])
        #expect(results.prefix(9).map(\.id) == Array(all.prefix(9)))
        #expect(results[count - 1].id == all[count - 1])
        #expect(results[count / 2].id == all[count / 2] && results.last?.id == all.last)
        let young = graph.objects(Item.self).where { $0.group < 2 }
        #expect(young[0].id == 0 && young[1].id == 1 && young.map(\.id) == (0..<count).filter { $0 % 7 < 2 })
        #expect(graph.objects(Item.self).where { $0.group > 7 }.sorted(by: \.group).isEmpty)
    }
}
