import BanyanCore
import Foundation
import Testing

@Suite struct EvaluationTests {
    @Test(
        arguments: [(1, 3), (2, 64), (3, 120), (4, 120), (5, 120), (6, 300)] as [(UInt64, Int)],
        QueryWorld.Indexes.allCases)
    func `random predicates find what a naive interpreter finds`(
        size: (seed: UInt64, persons: Int), indexes: QueryWorld.Indexes
    ) throws {
        let (seed, persons) = size
        let world = try QueryWorld(seed: seed, persons: persons, indexes: indexes)
        #expect(world.view._invariantCheck(inTransaction: true).isEmpty)
        let oracle = QueryOracle(world: world)
        let everyone = world.refs(QueryWorld.person)
        var maker = RandomPredicate(random: QueryRandom(seed: seed &* 77))
        var matched = 0
        for round in 0..<300 {
            // The first half inside the transaction, the rest on the version it became.
            if round == 150 { world.commit() }
            let predicate = maker.predicate()
            let expected = everyone.filter { oracle.matches(predicate, $0) }
            matched += expected.count
            let compiled = try CompiledPredicate(predicate, on: QueryWorld.person, world.layout)
            compare(found(compiled, world), expected, "\(predicate)")
            compare(everyone.filter { compiled.matches($0, in: world.view) }, expected, "one by one: \(predicate)")
            #expect(compiled.count(in: world.view) == expected.count, "\(predicate)")
            #expect(compiled.first(in: world.view) == expected.first, "\(predicate)")

            let text = "\(predicate)"
            let reread = try PredicateParser.predicate(text)
            #expect("\(reread)" == text)
            let compiledAgain = try CompiledPredicate(reread, on: QueryWorld.person, world.layout)
            compare(found(compiledAgain, world), expected, "read back: \(text)")
        }
        // The test would say nothing if queries found nothing, or everything.
        #expect(persons < 10 || (300 * everyone.count / 10...300 * everyone.count * 9 / 10).contains(matched))
    }

    private func found(_ compiled: CompiledPredicate, _ world: QueryWorld) -> [ObjectRef] {
        var found: [ObjectRef] = []
        compiled.forEach(in: world.view) {
            found.append($0)
            return true
        }
        return found
    }

    private func compare(_ found: [ObjectRef], _ expected: [ObjectRef], _ text: String) {
        guard found != expected else { return }
        let wrong = Set(found).symmetricDifference(expected).min()
        Issue.record("\(found.count) found, \(expected.count) expected, first difference \(wrong?.slot ?? -1): \(text)")
    }
}
