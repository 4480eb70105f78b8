import Banyan
import Foundation
import Testing

@Suite("Results against plain Swift")
struct ResultsOracleTests {
    private func expect(_ world: ItemWorld, _ condition: Condition, _ results: Results<Item>, _ moment: String) {
        let expected = world.plain.values.filter { condition.oracle($0, world.plain) }.map(\.id).sorted()
        #expect(results.map(\.id).sorted() == expected, "\(condition.text), \(moment)")
        #expect(results.count == expected.count, "\(condition.text), \(moment)")
    }

    @Test("Every condition selects what a filter selects, before and after random changes", arguments: [1, 2])
    func each(_ seed: Int) throws {
        let world = try ItemWorld(150, seed: UInt64(seed))
        for _ in 0..<3 {
            for condition in Condition.all() {
                expect(world, condition, world.graph.objects(Item.self).where(condition.query), "committed")
            }
            try world.graph.write { for _ in 0..<60 { try world.step() } }
        }
    }

    @Test("So does every random combination of them", arguments: [1, 2, 3])
    func combined(_ seed: Int) throws {
        let world = try ItemWorld(150, seed: UInt64(seed + 100))
        let conditions = Condition.all()
        func condition(_ depth: Int) -> Condition {
            switch depth == 0 ? 0 : world.number(0..<5) {
            case 1, 2: condition(depth - 1) && condition(depth - 1)
            case 3: condition(depth - 1) || condition(depth - 1)
            case 4: !condition(depth - 1)
            default: conditions[world.number(0..<conditions.count)]
            }
        }
        for _ in 0..<120 {
            let condition = condition(3)
            expect(world, condition, world.graph.objects(Item.self).where(condition.query), "committed")
        }
    }

    @Test("Results that are kept stay right inside writes, after commits and after rollbacks", arguments: [1, 2])
    func live(_ seed: Int) throws {
        let world = try ItemWorld(100, seed: UInt64(seed + 200))
        let kept = Condition.all().map { ($0, world.graph.objects(Item.self).where($0.query)) }
        let all = world.graph.objects(Item.self)
        func check(_ moment: String) {
            for (condition, results) in kept { expect(world, condition, results, moment) }
            #expect(all.count == world.plain.count)
            #expect(Set(all.map(\.id)) == Set(world.plain.keys))
        }
        for _ in 0..<3 {
            try world.graph.write {
                for _ in 0..<3 {
                    for _ in 0..<5 { try world.step() }
                    check("inside the write")
                }
            }
            check("after the commit")
        }
        world.graph.undoing {
            world.graph.deleteAll()
            #expect(all.isEmpty)
            for (_, results) in kept { #expect(results.isEmpty) }
        }
        check("after the rollback")
    }

    @Test("Sorting puts them in the order of a property, and keeps what is equal", arguments: [false, true])
    func sorting(_ ascending: Bool) throws {
        let world = try ItemWorld(200, seed: 7)
        func check<Value>(
            _ name: String, _ keyPath: KeyPath<Item, Value>, _ key: (PlainItem) -> Key
        ) {
            let results = world.graph.objects(Item.self).sorted(by: keyPath, ascending: ascending)
            let keys = results.compactMap { world.plain[$0.id] }.map(key)
            #expect(keys.count == world.plain.count)
            let order = ascending ? keys : keys.reversed()
            #expect(zip(order, order.dropFirst()).allSatisfy { !($1 < $0) }, "\(name)")
            #expect(Set(results.map(\.id)) == Set(world.plain.keys))
        }
        enum Key: Comparable {
            case none
            case number(Double)
            case text([UInt8])
            static func < (a: Key, b: Key) -> Bool {
                switch (a, b) {
                case (.none, .none): false
                case (.none, _): true
                case (_, .none): false
                case (.number(let x), .number(let y)): x < y
                case (.text(let x), .text(let y)): x.lexicographicallyPrecedes(y)
                default: false
                }
            }
        }
        check("group", \.group) { .number(Double($0.group)) }
        check("name", \.name) { .text(Array($0.name.utf8)) }
        check("amount", \.amount) { $0.amount.map { .number(Double($0)) } ?? .none }
        check("small", \.small) { .number(Double($0.small)) }
        check("price", \.price) { .number($0.price) }
        check("ratio", \.ratio) { $0.ratio.map { .number(Double($0)) } ?? .none }
        check("day", \.day) { .number($0.day.timeIntervalSinceReferenceDate) }
        check("flag", \.flag) { .number($0.flag ? 1 : 0) }
        check("parent.group", \.parent?.group) { item in
            item.parent.flatMap { world.plain[$0] }.map { .number(Double($0.group)) } ?? .none
        }
        check("place.city", \.place?.city) { $0.city.map { .text(Array($0.utf8)) } ?? .none }
    }

    @Test("Objects are sorted by what their collections amount to, in every way to say it", arguments: [false, true])
    func sortingByAggregates(_ ascending: Bool) throws {
        let world = try ItemWorld(120, seed: 8)
        let all = world.graph.objects(Item.self)
        func check<Value>(
            _ name: String, _ value: (Query<Item>) -> Query<Value>, _ key: (PlainItem) -> Double?
        ) throws {
            let items = world.plain.values.sorted { $0.id < $1.id }
            let places = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.id, $0) })
            // Nil comes first, and what is equal in the order it had.
            func precedes(_ a: PlainItem, _ b: PlainItem) -> Bool {
                let (x, y) = (key(a) ?? -.infinity, key(b) ?? -.infinity)
                return x == y ? places[a.id] ?? 0 < places[b.id] ?? 0 : ascending ? x < y : y < x
            }
            let expected = items.sorted(by: precedes).map(\.id)
            #expect(all.sorted(ascending: ascending, by: value).map(\.id) == expected, "\(name)")
            #expect(try all.sorted(byKeyPath: name, ascending: ascending).map(\.id) == expected, "\(name)")
            #expect(
                try all.sorted(by: [SortDescriptor(keyPath: name, ascending: ascending)]).map(\.id) == expected,
                "\(name)")
            let dynamic = try world.graph.dynamicObjects("Item").sorted(byKeyPath: name, ascending: ascending)
            #expect(dynamic.map { $0["id"] as? Int } == expected, "\(name)")
        }
        try check("parts.@count", { $0.parts.count }) { Double($0.parts.count) }
        try check("children.@count", { $0.children.count }) { item in
            Double(world.plain.values.count { $0.parent == item.id })
        }
        try check("numbers.@sum", { $0.numbers.sum }) { Double($0.numbers.reduce(0, +)) }
        try check("numbers.@max", { $0.numbers.max }) { $0.numbers.max().map { Double($0) } }
        try check("numbers.@min", { $0.numbers.min }) { $0.numbers.min().map { Double($0) } }
        try check("numbers.@avg", { $0.numbers.avg }) { item in
            item.numbers.isEmpty ? nil : Double(item.numbers.reduce(0, +)) / Double(item.numbers.count)
        }
    }

    @Test("A limit and an offset come last, and results with them stay live", arguments: [1, 2])
    func limits(_ seed: Int) throws {
        let world = try ItemWorld(120, seed: UInt64(seed + 300))
        let all = world.graph.objects(Item.self)
        let owner = try world.graph.added(Item()) {
            $0.id = -1
            $0.parts.append(objectsIn: all.where { $0.group >= 0 })
        }
        let whole: [Results<Item>] = [
            all, all.sorted(by: \.group), all.where { $0.group > 0 }, all.sorted(by: \.name).where { $0.flag },
            all.where { $0.name == "Ada" }, all.where { $0.id == 12 }, all.distinct(by: [\.group]),
            owner.parts.where { $0.flag }, all.sorted { $0.parts.count },
        ]
        let cuts: [(limit: Int?, offset: Int)] = [
            (0, 0), (1, 0), (5, 0), (nil, 3), (4, 2), (1000, 1), (nil, 1000), (-3, 0), (2, -1), (256, 0), (300, 1),
        ]
        let live = whole.map { results in
            cuts.map { cut in
                let offset = results.offset(cut.offset)
                return cut.limit.map { offset.limit(7).limit($0) } ?? offset
            }
        }
        func check(_ moment: String) {
            for (i, results) in whole.enumerated() {
                let ids = results.map(\.id)
                for (cut, part) in zip(cuts, live[i]) {
                    let rest = ids.dropFirst(max(0, cut.offset))
                    let expected = cut.limit.map { Array(rest.prefix(max(0, $0))) } ?? Array(rest)
                    let message: Comment = "results \(i), \(cut), \(moment)"
                    // In every order of asking.
                    #expect(part.count == expected.count && part.isEmpty == expected.isEmpty, message)
                    #expect(part.first?.id == expected.first && part.last?.id == expected.last, message)
                    #expect(part.map(\.id) == expected, message)
                    #expect(part.sum(of: \.group) == part.reduce(0) { $0 + $1.group }, message)
                    #expect(part.where { $0.group > 1 }.count <= max(0, cut.limit ?? .max), message)
                }
            }
        }
        check("at first")
        for _ in 0..<2 {
            try world.graph.write {
                for _ in 0..<30 { try world.step() }
                check("inside the write")
            }
            check("after the commit")
        }
        let frozen = live.map { $0.map { $0.freeze().map(\.id) } }
        #expect(frozen == live.map { $0.map { $0.map(\.id) } })
        try world.graph.write { world.graph.delete(all.sorted(by: \.id).offset(1).limit(3)) }
        check("after deleting some")
        let first = try world.graph.dynamicObjects("Item").sorted(byKeyPath: "id").offset(1).limit(2)
        #expect(first.map { $0["id"] as? Int } == Array(all.map(\.id).sorted()[1..<3]))
    }

    @Test("Sums, means and extremes are those of the values")
    func aggregates() throws {
        let world = try ItemWorld(200, seed: 11)
        let results = world.graph.objects(Item.self).where { $0.group > 0 }
        let plain = world.plain.values.filter { $0.group > 0 }
        #expect(results.sum(of: \.group) == plain.map(\.group).reduce(0, +))
        #expect(abs(results.sum(of: \.price) - plain.map(\.price).reduce(0, +)) < 1e-9)
        #expect(results.min(of: \.price) == plain.map(\.price).min())
        #expect(results.max(of: \.group) == plain.map(\.group).max())
        let mean = Double(plain.map(\.group).reduce(0, +)) / Double(plain.count)
        #expect(results.average(of: \.group).map { abs($0 - mean) < 1e-9 } == true)
        let none = world.graph.objects(Item.self).where { $0.id < 0 }
        #expect(none.sum(of: \.group) == 0 && none.min(of: \.group) == nil && none.average(of: \.group) == nil)
    }

    @Test("A narrowed result keeps both conditions, whichever language they come in", arguments: [1, 2])
    func narrowing(_ seed: Int) throws {
        let world = try ItemWorld(150, seed: UInt64(seed + 50))
        let all = world.graph.objects(Item.self)
        let expected = world.plain.values.filter { $0.group > 0 && $0.flag && $0.amount != nil }.map(\.id).sorted()
        #expect(all.where { $0.group > 0 }.where { $0.flag }.where { $0.amount != nil }.map(\.id).sorted() == expected)
        #expect(try all.filter("group > 0").filter("flag == true AND amount != nil").map(\.id).sorted() == expected)
        #expect(
            try all.filter("flag == true").where { $0.group > 0 && $0.amount != nil }.map(\.id).sorted() == expected)
        #expect(all.sorted(by: \.id).where { $0.group > 0 && $0.flag && $0.amount != nil }.map(\.id) == expected)
    }
}

@Suite("Results")
struct ResultsTests {
    @Test("Results looked at while a type had no object show the first one")
    func firstObject() throws {
        let graph = try kinGraph()
        let results = graph.objects(Owner.self)
        let some = results.where { $0.age == 0 }
        #expect(results.first == nil && Array(results).isEmpty && Array(some).isEmpty)
        let owner = try graph.added(Owner(1))
        #expect(results.first == owner && results.count == 1 && Array(results) == [owner])
        #expect(Array(some) == [owner])
    }

    @Test("Results looked at inside a write that fills a type show every object, write after write")
    func growing() throws {
        let graph = try kinGraph()
        let results = graph.objects(Hound.self)
        for round in 0..<10 {
            try graph.write {
                for i in 0..<70 {
                    try graph.add(Hound("\(round) \(i)"))
                    #expect(Array(results).count == round * 70 + i + 1)
                    #expect(results.last?.name == "\(round) \(i)")
                }
            }
            #expect(Array(results).count == (round + 1) * 70)
        }
    }

    @Test("A value changed in place through a cached handle is seen by results that were already looked at")
    func staleCache() throws {
        let graph = try kinGraph()
        let owner = try graph.added(Owner(1)) { $0.age = 1 }
        let old = graph.objects(Owner.self).where { $0.age > 50 }
        try graph.write {
            for age in [60, 40, 70, 30] {
                owner.age = age
                #expect(old.first == (age > 50 ? owner : nil))
                owner.age = age
                #expect(old.count == (age > 50 ? 1 : 0))
            }
            owner.age = 80
        }
        #expect(old.first == owner)
        try graph.write { owner.age = 5 }
        #expect(old.first == nil && old.isEmpty)
    }

    @Test("Deleting while iterating deletes each once, and leaves out what went with another")
    func deletingWhileIterating() throws {
        let graph = try kinGraph()
        try graph.write { for i in 0..<100 { try graph.add(Hound("\(i)")) } }
        let all = graph.objects(Hound.self)
        var seen = 0
        try graph.write {
            for hound in all {
                seen += 1
                #expect(!hound.isInvalidated)
                graph.delete(hound)
                // And the one after it.
                if let next = all.first { graph.delete(next) }
            }
        }
        #expect(seen == 50)
        #expect(all.isEmpty)
    }

    @Test("Changing while iterating goes through what was selected at the start")
    func changingWhileIterating() throws {
        let graph = try kinGraph()
        try graph.write { for i in 0..<100 { try graph.add(Owner(i)) } }
        let young = graph.objects(Owner.self).where { $0.age == 0 }
        var seen = 0
        try graph.write {
            for owner in young {
                owner.age = 1
                try graph.add(Owner(1000 + seen))
                seen += 1
            }
        }
        #expect(seen == 100)
        #expect(young.count == 100)
    }

    @Test("An object deleted and replaced while iterating is not taken for the one selected")
    func replacedWhileIterating() throws {
        let graph = try kinGraph()
        try graph.write { for i in 0..<3 { try graph.add(Hound("\(i)")) } }
        var names: [String] = []
        try graph.write {
            let last = try #require(graph.objects(Hound.self).last)
            for hound in graph.objects(Hound.self) {
                names.append(hound.name)
                if names.count == 1 {
                    graph.delete(last)
                    try graph.add(Hound("replacement"))
                }
            }
        }
        #expect(names == ["0", "1"])
    }

    @Test("Results are a collection: indices, slices, first and last, isEmpty")
    func collection() throws {
        let graph = try kinGraph()
        try graph.write { for i in 0..<10 { try graph.add(Owner(i)) } }
        let sorted = graph.objects(Owner.self).sorted(by: \.id, ascending: false)
        #expect(sorted.first?.id == 9 && sorted.last?.id == 0)
        #expect(sorted[3].id == 6)
        #expect(sorted[2..<5].map(\.id) == [7, 6, 5])
        #expect(sorted.indices == 0..<10 && !sorted.isEmpty)
        #expect(sorted.prefix(2).map(\.id) == [9, 8])
        #expect(sorted.reversed().map(\.id) == Array(0..<10))
        #expect(sorted.firstIndex { $0.id == 4 } == 5)
    }

    @Test("The order of unsorted results is the same until something is committed")
    func stableOrder() throws {
        let graph = try kinGraph()
        try graph.write { for i in 0..<200 { try graph.add(Owner(i)) } }
        try graph.write { graph.delete(graph.objects(Owner.self).where { $0.id < 50 }) }
        let first = graph.objects(Owner.self).map(\.id)
        #expect(graph.objects(Owner.self).map(\.id) == first)
        #expect(Array(graph.objects(Owner.self)).indices.allSatisfy { graph.objects(Owner.self)[$0].id == first[$0] })
    }

    @Test("Equality with an index says that it uses it, and gives what a scan gives")
    func index() throws {
        let world = try ItemWorld(300, seed: 3)
        let indexed = world.graph.objects(Item.self).where { $0.name == "Ada" }
        #expect(indexed.explain().contains("index"))
        #expect(indexed.map(\.id).sorted() == world.plain.values.filter { $0.name == "Ada" }.map(\.id).sorted())
        let key = world.graph.objects(Item.self).where { $0.id == 12 }
        #expect(key.map(\.id) == [12])
        #expect(!world.graph.objects(Item.self).where { $0.price == 1 }.explain().contains("index"))
    }

    @Test("A mistake in the string language throws and names the column")
    func stringErrors() throws {
        let graph = try kinGraph()
        for text in ["age >", "age > > 3", "(age > 3", "age LIKES 3", "'open"] {
            let error = #expect(throws: BanyanError.self, "\(text)") { try graph.objects(Owner.self).filter(text) }
            #expect(error?.code == .invalidQuery)
        }
    }

    @Test("Objects can be compared with links, and found in collections")
    func objects() throws {
        let graph = try kinGraph()
        let (a, b) = (Hound("a"), Hound("b"))
        let owner = try graph.added(Owner(1)) {
            $0.favourite = a
            $0.hounds.append(b)
        }
        try graph.added(Owner(2)) { $0.favourite = b }
        #expect(graph.objects(Owner.self).where { $0.favourite == a }.map(\.id) == [1])
        #expect(graph.objects(Owner.self).where { $0.favourite != a }.map(\.id) == [2])
        #expect(graph.objects(Owner.self).where { $0.hounds.contains(b) }.first == owner)
        let unmanaged = Hound("c")
        #expect(graph.objects(Owner.self).where { $0.favourite == unmanaged }.isEmpty)
        #expect(graph.objects(Hound.self).where { $0.favouriteOf.id == 2 }.first == b)
    }
}
