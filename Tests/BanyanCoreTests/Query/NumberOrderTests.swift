import BanyanCore
import Testing

/// Numbers of all kinds in AnyValues: one order, one equality, one hash, for indexes, sets, sorting and queries.
@Suite struct NumberOrderTests {
    /// An object for each number, with the same value where an index finds it and where it does not.
    private struct World {
        let values: [Value]
        let numbers: [ExactNumber]
        let layout: StoreLayout
        let workspace: Workspace
        let refs: [ObjectRef]

        init(_ values: [Value]) throws {
            self.values = values
            numbers = try values.map { try #require(ExactNumber($0)) }
            let schema = Schema(types: [
                TypeSchema(
                    name: "Thing",
                    properties: [
                        PropertySchema(name: "scanned", kind: .any),
                        PropertySchema(name: "indexed", kind: .any, isIndexed: true),
                        PropertySchema(name: "all", kind: .any, shape: .set),
                    ])
            ])
            layout = try StoreLayout(schema.withNestedValues)
            workspace = Workspace(Version.empty(layout))
            let transaction = workspace.begin()
            var refs: [ObjectRef] = []
            for value in values {
                let id = transaction.create(0)
                transaction.initializeIndexes(id)
                transaction.setValue(id, 0, value)
                transaction.setValue(id, 1, value)
                refs.append(id.ref)
            }
            self.refs = refs
            if let fault = transaction.fault { throw fault }
        }

        func found(_ predicate: BanyanCore.Predicate) throws -> (count: Int, refs: [ObjectRef]) {
            let compiled = try CompiledPredicate(predicate, on: 0, layout)
            return (compiled.count(in: workspace.view), compiled.objects(in: workspace.view))
        }
    }

    @Test func `the oracle itself knows what is equal and what is not`() throws {
        func order(_ a: Value, _ b: Value) throws -> Int {
            ExactNumber.compare(try #require(ExactNumber(a)), try #require(ExactNumber(b)))
        }
        #expect(try order(.double(0.1), .decimal128("0.1")) == 1)
        #expect(try order(.double(0.1), .decimal128("0.1000000000000000055511151231257828")) == -1)
        #expect(try order(.float(0.1), .double(0.1)) == 1)
        #expect(try order(.int(.min), .double(-0x1p63)) == 0)
        #expect(try order(.int(.min), .decimal128("-9223372036854775809")) == 1)
        #expect(try order(.decimal128("1.50"), .float(1.5)) == 0)
        #expect(try order(.double(-0.0), .int(0)) == 0)
        #expect(try order(.decimal128("NaN"), .double(-.infinity)) == -1)
        #expect(try order(.double(.nan), .decimal128("NaN")) == 0)
    }

    @Test func `every two numbers are ordered and hashed by their exact value`() throws {
        let values = NastyNumbers.all
        let numbers = try values.map { try #require(ExactNumber($0)) }
        for (i, a) in values.enumerated() {
            for (j, b) in values.enumerated() {
                let expected = ExactNumber.compare(numbers[i], numbers[j])
                let (order, hashes) = a.withAnyCell { kind, cell in
                    AnyCell.withCell(kind, cell) { x in
                        b.withAnyCell { kind, cell in
                            AnyCell.withCell(kind, cell) { y in
                                (
                                    CellOrder.compare(x, y, .any),
                                    [x, y].map { CellOrder.hash($0, .any, seed: 7) }
                                )
                            }
                        }
                    }
                }
                #expect(order.signum() == expected, "\(a) \(b)")
                if expected == 0 { #expect(hashes[0] == hashes[1], "\(a) \(b)") }
            }
        }
    }

    @Test(
        arguments: [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual] as [Comparison.Operator])
    func `an index, a scan and the exact values agree on every comparison`(relation: Comparison.Operator) throws {
        let world = try World(NastyNumbers.all)
        for (value, number) in zip(world.values, world.numbers) {
            let expected = zip(world.refs, world.numbers).filter { _, stored in
                let order = ExactNumber.compare(stored, number)
                // NaN equals itself, and is neither less nor greater than anything.
                if (stored == .nan) != (number == .nan) { return relation == .notEqual }
                return switch relation {
                case .equal: order == 0
                case .notEqual: order != 0
                case .less: order < 0
                case .lessOrEqual: order <= 0
                case .greater: order > 0
                default: order >= 0
                }
            }.map(\.0)
            for property in ["scanned", "indexed"] as [PropertyPath] {
                let found = try world.found(.compare(property, relation, value))
                #expect(found.refs == expected, "\(property) \(relation.rawValue) \(value)")
                #expect(found.count == expected.count, "\(property) \(relation.rawValue) \(value)")
            }
        }
    }

    @Test func `several values are looked up as they are one by one`() throws {
        let world = try World(NastyNumbers.all)
        for (i, value) in world.values.enumerated() {
            let asked = [value, world.values[(i * 7 + 3) % world.values.count], .string("no number"), .null]
            let numbers = asked.compactMap { ExactNumber($0) }
            let expected = zip(world.refs, world.numbers)
                .filter { _, stored in numbers.contains { ExactNumber.compare($0, stored) == 0 } }.map(\.0)
            for property in ["scanned", "indexed"] as [PropertyPath] {
                let predicate = BanyanCore.Predicate.comparison(Comparison(.path(property), .isIn, .values(asked)))
                let found = try world.found(predicate)
                #expect(found.refs == expected && found.count == expected.count, "\(property) \(asked)")
            }
        }
    }

    @Test func `a set holds each number once, and sorting puts equal ones as they were`() throws {
        let world = try World(NastyNumbers.all)
        var different: [ExactNumber] = []
        for number in world.numbers where !different.contains(where: { ExactNumber.compare($0, number) == 0 }) {
            different.append(number)
        }
        let transaction = try #require(world.workspace.transaction)
        let id = transaction.create(0)
        transaction.initializeIndexes(id)
        for value in world.values + world.values.reversed() { _ = transaction.setInsert(id, 2, value) }
        #expect(world.workspace.view.elementCount(CollectionRef(id.ref, 2)) == different.count)
        transaction.delete(id)

        let query = BanyanCore.Query("Thing", sort: [SortKey("scanned")])
        let sorted = try QueryPlan(query, world.layout).slots(in: world.workspace.view).map(Int.init)
        let expected = world.numbers.indices.sorted {
            let order = ExactNumber.compare(world.numbers[$0], world.numbers[$1])
            return order == 0 ? $0 < $1 : order < 0
        }
        #expect(sorted == expected)
    }

    @Test func `two columns compare by exact value`() throws {
        let world = try World(NastyNumbers.all)
        let transaction = try #require(world.workspace.transaction)
        let equal = try CompiledPredicate(
            .comparison(Comparison(.path("scanned"), .equal, .path("indexed"))), on: 0, world.layout)
        for turn in [1, 17, 40] {
            for (i, ref) in world.refs.enumerated() {
                let other = (i + turn) % world.values.count
                transaction.setValue(world.workspace.view.id(ref), 1, world.values[other])
                let expected = ExactNumber.compare(world.numbers[i], world.numbers[other]) == 0
                #expect(equal.matches(ref, in: world.workspace.view) == expected, "\(i) \(other)")
            }
        }
    }
}
