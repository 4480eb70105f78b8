import Banyan
import Testing

@Suite("Aggregates of results against plain Swift")
struct AggregateOracleTests {
    @Test("Sums, means and extremes are those of the values, whatever is selected", arguments: 1...3)
    func oracle(_ seed: Int) throws {
        let world = try ItemWorld(500, seed: UInt64(seed + 400))
        for condition in Condition.scalars() {
            let results = world.graph.objects(Item.self).where(condition.query)
            check(results, world.plain.values.filter { condition.oracle($0, world.plain) }, condition.text)
        }
        check(world.graph.objects(Item.self), Array(world.plain.values), "all")
        try world.graph.write {
            for _ in 0..<50 { try world.step() }
            check(world.graph.objects(Item.self), Array(world.plain.values), "all, inside a write")
        }
    }

    private func check(_ results: Results<Item>, _ plain: [PlainItem], _ text: String) {
        func mean(_ values: [Double]) -> Double? {
            values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
        }
        func isNear(_ a: Double?, _ b: Double?) -> Bool {
            if let a, let b { abs(a - b) < 1e-9 } else { a == nil && b == nil }
        }
        let comment: Comment = "\(text)"
        #expect(results.sum(of: \.id) == plain.map(\.id).reduce(0, +), comment)
        #expect(
            results.min(of: \.id) == plain.map(\.id).min() && results.max(of: \.id) == plain.map(\.id).max(), comment)
        #expect(isNear(results.average(of: \.group), mean(plain.map { Double($0.group) })), comment)
        #expect(results.sum(of: \.amount) == plain.compactMap(\.amount).reduce(0, +), comment)
        #expect(isNear(results.average(of: \.amount), mean(plain.compactMap { $0.amount.map(Double.init) })), comment)
        #expect(results.min(of: \.amount) == plain.compactMap(\.amount).min(), comment)
        #expect(results.max(of: \.amount) == plain.compactMap(\.amount).max(), comment)
        #expect(results.sum(of: \.small) == plain.reduce(0) { $0 + Int($1.small) }, comment)
        #expect(results.max(of: \.small) == plain.map(\.small).max(), comment)
        #expect(isNear(results.sum(of: \.price), plain.map(\.price).reduce(0, +)), comment)
        #expect(results.min(of: \.price) == plain.map(\.price).min(), comment)
        #expect(isNear(results.average(of: \.ratio), mean(plain.compactMap { $0.ratio.map(Double.init) })), comment)
        #expect(results.sum(of: \.decimal) == plain.map(\.decimal).reduce(0, +), comment)
        #expect(results.max(of: \.day) == plain.map(\.day).max(), comment)
        #expect(results.min(of: \.name) == plain.map(\.name).min(), comment)
    }

    @Test("A sum of integers stops at the bounds of Int, and one of large ones is exact")
    func large() throws {
        let graph = Graph(try Store(.init(models: [Item.self])))
        let values = [Int.max, 5, .max, .min, -7, .min, 1 << 60, -(1 << 58)] + Array(repeating: 1 << 56, count: 120)
        try graph.write {
            for (i, value) in values.enumerated() { try graph.create(Item.self, value: ["id": i, "group": value]) }
        }
        let items = graph.objects(Item.self)
        #expect(items.where { $0.id < 3 }.sum(of: \.group) == .max)
        #expect(items.where { $0.group < 0 }.sum(of: \.group) == .min)
        for count in [64, 65, 100, 128] {
            let exact = values.prefix(count).reduce(Int128(0)) { $0 + Int128($1) }
            #expect(items.where { $0.id < count }.sum(of: \.group) == Int(clamping: exact))
        }
        #expect(items.min(of: \.group) == .min && items.max(of: \.group) == .max)
    }
}
