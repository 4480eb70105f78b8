@testable import Banyan
import Synchronization
import Testing

/// A number that counts how often one is read or made.
struct VisitedNumber: CustomPersistable {
    static let visits = Atomic<Int>(0)

    var number: Int
    init(_ number: Int) { self.number = number }
    init(persistedValue: Int) {
        Self.visits.add(1, ordering: .relaxed)
        number = persistedValue
    }
    var persistableValue: Int {
        Self.visits.add(1, ordering: .relaxed)
        return number
    }
}

@Model class Nest: EmbeddedObject {
    @Persisted var tally = VisitedNumber(0)
    @Persisted var inner: Nest?
    @Persisted var list: List<Nest>
    @Persisted var byName: Map<String, Nest?>
}

@Model class Burrow: Object {
    @Persisted var tally = VisitedNumber(0)
    @Persisted var nest: Nest?
    @Persisted var next: Burrow?
    @Persisted var others: List<Burrow>
}

/// Twice as deep is twice as much work. It is counted, for times say little on a busy machine.
@Suite("How work grows with depth", .serialized)
struct DepthGrowthTests {
    enum Shape: String, CaseIterable, Sendable {
        case link, listOfLinks, embedded, embeddedList, embeddedMap

        /// What makes a burrow with so many objects within each other.
        func value(_ depth: Int) -> [String: Any] {
            let name =
                switch self {
                case .link: "next"
                case .listOfLinks: "others"
                case .embedded: "inner"
                case .embeddedList: "list"
                case .embeddedMap: "byName"
                }
            var value: [String: Any] = ["tally": 0]
            for number in 1..<depth {
                let inner: Any =
                    switch self {
                    case .link, .embedded: value
                    case .listOfLinks, .embeddedList: [value]
                    case .embeddedMap: ["key": value]
                    }
                value = ["tally": number, name: inner]
            }
            switch self {
            case .link, .listOfLinks: return value
            case .embedded, .embeddedList, .embeddedMap: return ["tally": depth, "nest": value]
            }
        }
    }

    private func graph() throws -> Graph { Graph(try Store(.init(models: [Burrow.self, Nest.self]))) }

    private func visits(_ body: () throws -> Void) rethrows -> Int {
        let before = VisitedNumber.visits.load(ordering: .relaxed)
        try body()
        return VisitedNumber.visits.load(ordering: .relaxed) - before
    }

    private func expectLinear(_ what: String, _ work: (Int) throws -> Int, _ depth: Int) throws {
        let (once, twice) = (try work(depth), try work(2 * depth))
        #expect(once >= depth, "\(what) counts nothing")
        #expect(twice <= 2 * once + 20, "\(what): \(once) at depth \(depth), \(twice) at \(2 * depth)")
    }

    @Test("create(value:) reads and sets each value once, however deep it is", arguments: Shape.allCases)
    func create(_ shape: Shape) throws {
        for isManaged in [true, false] {
            try expectLinear(
                "reading",
                { depth in
                    let graph = try graph()
                    return try graph.write {
                        let reader = ValueReader(isManaged ? .linked(to: graph) : .kept)
                        let read = try reader.read(shape.value(depth), as: Burrow.self)
                        let assembler = isManaged ? ObjectAssembler(graph, .error, reader) : ObjectAssembler(reader)
                        let burrow = try assembler.make(read) as? Burrow
                        #expect(burrow?.nest != nil || burrow?.next != nil || burrow?.others.isEmpty == false)
                        return reader.valuesRead + reader.paths.work + assembler.valuesSet
                    }
                }, 120)
            try expectLinear(
                "the values",
                { depth in
                    let (graph, value) = (try graph(), shape.value(depth))
                    return try visits {
                        try graph.write {
                            let burrow =
                                isManaged ? try graph.create(Burrow.self, value: value) : try Burrow(value: value)
                            if !isManaged { try graph.add(burrow) }
                        }
                    }
                }, 120)
        }
    }

    @Test("detached() and unmanagedCopy() visit each object once, however deep it is", arguments: Shape.allCases)
    func detached(_ shape: Shape) throws {
        for isManaged in [true, false] {
            func burrow(_ depth: Int) throws -> Burrow {
                guard isManaged else { return try Burrow(value: shape.value(depth)) }
                let graph = try graph()
                return try graph.write { try graph.create(Burrow.self, value: shape.value(depth)) }
            }
            // A detached value is at most a hundred levels deep.
            try expectLinear(
                "detached",
                { depth in
                    let burrow = try burrow(depth)
                    return visits { _ = burrow.detached(depth: .max) }
                }, 45)
            try expectLinear(
                "a copy",
                { depth in
                    let burrow = try burrow(depth)
                    let reader = ValueReader(.copied(depth: .max))
                    let read = try reader.read(burrow, as: Burrow.self)
                    let assembler = ObjectAssembler(reader)
                    _ = try assembler.make(read)
                    return reader.valuesRead + reader.paths.work + assembler.valuesSet
                }, 120)
        }
    }
}
