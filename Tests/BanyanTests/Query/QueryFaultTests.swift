import Banyan
import Foundation
import Testing

/// What a closure of a query can get wrong although it compiles: the process goes on, and the results say what it is.
@Suite("Faults of queries")
struct QueryFaultTests {
    enum Way: CaseIterable {
        case twice, clamped, trimmed, isOff, noteOrName, noteOrNone, sortedIgnored, sortedClamped, sortedClosure,
            distinct
        case twoCollections, noValue, aggregateOfOne, descriptors

        /// What is said of it.
        var message: String {
            switch self {
            case .twoCollections: "both lead through collections"
            case .noValue: "not by a condition"
            case .aggregateOfOne: "needs a path through a collection"
            default: "does not name a stored property"
            }
        }

        func results(_ graph: Graph) -> Results<Computing> {
            let all = graph.objects(Computing.self)
            return switch self {
            case .twice: all.where { $0.twice > 3 }
            case .clamped: all.where { $0.clamped > 3 && $0.number > 1 }
            case .trimmed: all.where { !($0.trimmed == "") }
            case .isOff: all.where { $0.isOff || $0.isOn }
            case .noteOrName: all.where { $0.noteOrName == $0.name }
            case .noteOrNone: all.where { ($0.noteOrNone == "none") == true }
            case .sortedIgnored: all.sorted(by: \.ignored)
            case .sortedClamped: all.where { $0.number > 1 }.sorted(by: \.clamped, ascending: false)
            case .sortedClosure: all.sorted { $0.twice }
            case .distinct: all.distinct(by: [\.clamped])
            case .twoCollections: all.where { $0.numbers.any == $0.more.any }
            case .noValue: all.sorted { $0.number == 1 }
            case .aggregateOfOne: all.where { $0.number.max > 1 }
            case .descriptors: all.sorted(by: [.init(keyPath: \Computing.name), .init(keyPath: \Computing.clamped)])
            }
        }
    }

    private func graph() throws -> Graph {
        let graph = Graph(try Store(.init(models: [Computing.self])))
        try graph.write {
            for i in 1...3 {
                let object = Computing()
                object.number = i
                try graph.add(object)
            }
        }
        return graph
    }

    @Test("Results of a query that cannot be answered are empty and say why", arguments: Way.allCases)
    func reading(_ way: Way) throws {
        let graph = try graph()
        let results = way.results(graph)
        #expect(results.fault?.code == .invalidQuery)
        #expect(results.fault?.message.contains(way.message) == true, "\(results.fault?.message ?? "")")
        #expect(throws: BanyanError.self) { try results.checked() }
        #expect(results.isEmpty && results.count == 0 && results.first == nil && Array(results).isEmpty)
        #expect(results.sum(of: \.number) == 0 && results.min(of: \.number) == nil)
        // Whatever is made of them is as empty, and says the same.
        for others in [
            results.where { $0.number > 0 }, results.sorted(by: \.number), results.limit(2), results.freeze(),
            results.distinct(by: [\.number]),
        ] {
            #expect(others.isEmpty && others.fault?.message == results.fault?.message)
        }
        let token = results.observe { _ in }
        try graph.write { graph.objects(Computing.self)[0].number = 9 }
        #expect(results.isEmpty)
        token.invalidate()
    }

    @Test("In a write such a query fails the transaction", arguments: Way.allCases)
    func writing(_ way: Way) throws {
        let graph = try graph()
        let error = #expect(throws: BanyanError.self) {
            try graph.write {
                graph.objects(Computing.self)[0].number = 100
                for object in way.results(graph) { graph.delete(object) }
            }
        }
        #expect(error?.message.contains(way.message) == true)
        // Results that were built, and read, before the write fail it as well.
        let results = way.results(graph)
        #expect(results.isEmpty)
        #expect(throws: BanyanError.self) {
            try graph.write { graph.objects(Computing.self)[0].number = results.count }
        }
        #expect(graph.objects(Computing.self).map(\.number).sorted() == [1, 2, 3])
    }

    @Test("A query that can be answered has no fault, and asking does not look anything up")
    func sound() throws {
        let graph = try graph()
        let results = graph.objects(Computing.self).where { $0.number > 1 }
        #expect(results.fault == nil && graph.objects(Computing.self).fault == nil)
        #expect(try results.checked().count == 2)
        #expect(throws: BanyanError.self) { try graph.objects(Computing.self).filter("clamped > 1") }
    }

    @Test("Nothing is less or greater than nil, and conditions are compared as Bools are")
    func nilAndConditions() throws {
        let graph = Graph(try Store(.init(models: [Item.self, Abode.self])))
        try graph.write {
            for i in 0..<4 {
                let item = Item()
                (item.id, item.amount, item.flag) = (i, i == 0 ? nil : i, i.isMultiple(of: 2))
                try graph.add(item)
            }
        }
        let items = graph.objects(Item.self)
        let limit: Int? = nil
        #expect(items.where { $0.amount > limit }.isEmpty && items.where { $0.amount <= limit }.isEmpty)
        #expect(items.where { $0.amount > limit }.fault == nil)
        #expect(items.where { !($0.amount < limit) }.count == 4)
        #expect(items.where { $0.amount == limit }.count == 1 && items.where { $0.amount != limit }.count == 3)
        #expect(items.where { $0.amount.in([1, limit]) }.count == 2)
        #expect(items.where { ($0.amount == 1) == true }.map(\.id) == [1])
        #expect(items.where { ($0.amount == 1) == false }.map(\.id) == [0, 2, 3])
        #expect(items.where { ($0.amount > 1) != $0.flag }.map(\.id) == [0, 3])
        #expect(items.where { ($0.amount > 1) == ($0.id > 1) }.count == 4)
        #expect(items.where { ($0.amount > 1) != false && !(($0.id == 2) == true) }.map(\.id) == [3])
    }
}
