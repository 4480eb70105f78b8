import Foundation
import Testing

@testable import BanyanCore

@Suite("Kinds") struct KindTests {
    @Test("Every kind of scalar is tested, and files call no two alike")
    func everyKindIsListed() {
        #expect(KindSample.all.map(\.kind) == ValueKind.allCases.filter { !$0.mayLink })
        #expect(Set(KindSample.all.map(\.code)).isDisjoint(with: [14, 15, 16, 17, 18]))
        #expect(Set(KindSample.all.map(\.kind.name)).count == KindSample.all.count)
    }

    @Test("A kind keeps its code in files, its form in memory and its uses", arguments: KindSample.all)
    func traits(_ sample: KindSample) {
        let kind = sample.kind
        #expect(kind.rawValue == sample.code)
        #expect(kind.form == sample.form)
        #expect(kind.canBeKey == sample.isKey)
        #expect(kind.canBeIndexed == sample.isIndexed)
        #expect(kind.canBeOrdered == sample.isOrderedIndex)
        #expect(kind.isNumber == sample.isNumber)
        #expect(kind.type.valueKind == kind)
    }

    @Test("A value comes back from its cell, and from an AnyValue of it", arguments: KindSample.all)
    func cells(_ sample: KindSample) {
        for value in sample.ascending {
            let back = value.withCell(as: sample.kind) { cell in cell.map { Value($0, sample.kind) } }
            #expect(back == value)
            let isInAny = sample.kind.anyRank != nil
            let any = value.withCell(as: .any) { cell in cell.map { Value($0, .any) } }
            #expect(any == value)
            if isInAny { #expect(value.anyKind == AnyKind(rawValue: sample.code)) }
        }
    }

    @Test(
        "Cells, sort keys and keys of indexes order values alike, and equal ones have one hash",
        arguments: KindSample.all)
    func order(_ sample: KindSample) {
        let kind = sample.kind
        for (i, a) in sample.ascending.enumerated() {
            for (j, b) in sample.ascending.enumerated() {
                a.withCell(as: kind) { x in
                    b.withCell(as: kind) { y in
                        guard let x, let y else {
                            Issue.record("\(a) and \(b) have no cells")
                            return
                        }
                        #expect(CellOrder.compare(x, y, kind).signum() == (i - j).signum(), "\(a) and \(b)")
                        if i == j { #expect(CellOrder.hash(x, kind, seed: 7) == CellOrder.hash(y, kind, seed: 7)) }
                        if i < j { #expect(SortLevel.key(x, kind, 0) <= SortLevel.key(y, kind, 0), "\(a) and \(b)") }
                        if kind.form == .bytes16 || kind.form == .bytes12 {
                            #expect((WideKey.key(x, kind) < WideKey.key(y, kind)) == (i < j), "\(a) and \(b)")
                        }
                    }
                }
            }
        }
    }

    @Test(
        "A literal in a query gives the value again, and comparisons are those of the order", arguments: KindSample.all)
    func literals(_ sample: KindSample) throws {
        let property = PropertySchema(name: "value", kind: sample.kind)
        let layout = try StoreLayout(
            Schema(types: [TypeSchema(name: "T", properties: [property])], version: 1), seed: 3)
        let workspace = Workspace(Version.empty(layout))
        defer { withExtendedLifetime(workspace) {} }
        let transaction = workspace.begin()
        for value in sample.ascending { transaction.setValue(transaction.create(0), 0, value) }
        let view = transaction.view
        for (i, value) in sample.ascending.enumerated() {
            func count(_ relation: String) throws -> Int {
                let text = "value \(relation) \(Literal.text(of: value))"
                return try PredicateParser.query(text, on: "T").plan(on: layout).count(in: view)
            }
            #expect(try count("==") == 1, "\(value)")
            guard sample.kind.isOrdered else { continue }
            #expect(try count("<") == i, "\(value)")
            #expect(try count(">=") == sample.ascending.count - i, "\(value)")
        }
    }

    @Test("Sums and means are exact, where values add up", arguments: KindSample.all)
    func sums(_ sample: KindSample) {
        #expect((sample.sum != nil) == sample.kind.isSummable)
        guard let sum = sample.sum, let mean = sample.mean else { return }
        for count in 1...sample.ascending.count {
            // The median of the first few, whatever order they come in, is the mean of those in the middle.
            let values = Array(sample.ascending[..<count])
            let middle = Array(values[(count - 1) / 2...count / 2])
            #expect(result(.median, of: values.reversed(), sample.kind) == result(.average, of: middle, sample.kind))
        }
        #expect(result(.median, of: [], sample.kind) == .null)
        #expect(result(.sum, of: sample.ascending, sample.kind) == sum)
        #expect(result(.average, of: sample.ascending, sample.kind) == mean)
    }

    private func result(_ aggregate: Aggregate, of values: [Value], _ kind: ValueKind) -> Value {
        var accumulator = Accumulator(aggregate, kind)
        for value in values { value.withCell(as: kind) { accumulator.add($0 ?? .null) } }
        return Value(accumulator.result, aggregate.resultKind(kind))
    }
}
