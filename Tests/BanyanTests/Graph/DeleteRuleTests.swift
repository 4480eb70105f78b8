import Banyan
import BanyanCore
import Testing

@Model class Firm: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted(deleteRule: .cascade) var departments: List<Department>
    @Persisted(deleteRule: .cascade) var seat: Building?
    @Persisted var notes: List<Memo>

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }
}

@Model class Department: Object {
    @Persisted var title = ""
    @Persisted(deleteRule: .cascade) var byRole: Map<String, Worker?>
    @Persisted(deleteRule: .cascade) var parts: MutableSet<Department>
    @Persisted(deleteRule: .deny) var building: Building?
    @Persisted(originProperty: "departments") var firms: LinkingObjects<Firm>
}

@Model class Worker: Object {
    @Persisted var name = ""
    @Persisted(deleteRule: .cascade) var partner: Worker?
    @Persisted var desk: Desk?
}

@Model class ExternalWorker: Worker { @Persisted var agency = "" }

@Model class Building: Object {
    @Persisted var street = ""
    @Persisted(originProperty: "building") var departments: LinkingObjects<Department>
}

@Model class Desk: EmbeddedObject { @Persisted(deleteRule: .cascade) var memo: Memo? }
@Model class Memo: Object { @Persisted var text = "" }

@Suite("Delete rules")
struct DeleteRuleTests {
    static let models: [ObjectBase.Type] = [Firm.self, ExternalWorker.self]

    private func graph() throws -> Graph { Graph(try Store(.init(models: Self.models))) }

    private static func firm() -> Firm {
        let firm = Firm("A")
        let (sales, export) = (Department(), Department())
        sales.title = "sales"
        sales.parts.insert(export)
        let (ada, bob) = (Worker(), ExternalWorker())
        (ada.name, bob.name) = ("Ada", "Bob")
        (ada.partner, bob.partner) = (bob, ada)
        ada.desk = Desk()
        ada.desk?.memo = Memo()
        sales.byRole["head"] = ada
        export.byRole["head"] = bob
        firm.departments.append(objectsIn: [sales, sales])
        firm.seat = Building()
        sales.building = firm.seat
        firm.notes.append(Memo())
        return firm
    }

    private static func counts(_ graph: Graph) -> [Int] {
        [
            graph.objects(Firm.self).count, graph.objects(Department.self).count, graph.objects(Worker.self).count,
            graph.objects(Building.self).count, graph.objects(Memo.self).count,
        ]
    }

    @Test(
        "A cascade takes what is linked to, through every kind of link, once, and ends in cycles",
        arguments: Situation.managed)
    func cascade(_ situation: Situation) async throws {
        try await situation.show(Firm.self, Self.models, make: Self.firm) { firm in
            firm.graph?.delete(firm)
        } check: { firm in
            let graph = try #require(firm.graph)
            let desk = try #require(firm.departments.first?.byRole["head"]??.desk)
            #expect(Self.counts(graph) == [1, 2, 2, 1, 2])
            guard !graph.isFrozen else { return }
            func delete() {
                graph.delete(firm)
                // What it merely links to stays.
                #expect(Self.counts(graph) == [0, 0, 0, 0, 1])
                #expect(desk.isInvalidated && firm.isInvalidated)
            }
            guard graph.isInWriteTransaction else { return try graph.write { delete() } }
            #expect(throws: Undo.self) {
                try graph.savepoint {
                    delete()
                    throw Undo()
                }
            }
            #expect(Self.counts(graph) == [1, 2, 2, 1, 2])
        }
    }

    @Test("What a cascade takes others no longer link to")
    func shared() throws {
        let graph = try graph()
        let (one, two) = (Self.firm(), Firm("B"))
        try graph.write {
            try graph.add(one)
            two.departments.append(objectsIn: one.departments)
            try graph.add(two)
        }
        try graph.write { graph.delete(one) }
        #expect(two.departments.isEmpty && Self.counts(graph) == [1, 0, 0, 0, 1])
    }

    @Test("Taking a target out of a cascading link deletes nothing")
    func unlinking() throws {
        let graph = try graph()
        let firm = try graph.added(Self.firm())
        try graph.write {
            firm.departments.removeAll()
            firm.seat = nil
        }
        #expect(Self.counts(graph) == [1, 2, 2, 1, 2])
        try graph.write { graph.delete(firm) }
        #expect(Self.counts(graph) == [0, 2, 2, 1, 2])
    }

    @Test("A denied deletion fails the transaction, says who denies it, and changes nothing")
    func deny() throws {
        let graph = try graph()
        let firm = try graph.added(Self.firm())
        let seat = try #require(firm.seat)
        let error = graph.fault { graph in
            firm.name.isEmpty ? () : graph.delete(seat)
            #expect(!seat.isInvalidated)
        }
        #expect(error?.code == .constraint)
        #expect(error?.location.type == "Department" && error?.location.property == "building")
        #expect(error?.location.object == firm.departments[0].objectID.map { "\($0)" })
        #expect(error?.remedy?.contains("Clear the links first") == true)
        #expect(Self.counts(graph) == [1, 2, 2, 1, 2] && firm.seat == seat)
        try graph.write {
            firm.departments[0].building = nil
            graph.delete(seat)
        }
        #expect(firm.seat == nil && graph.objects(Building.self).isEmpty)
    }

    @Test("Objects that go together deny each other nothing, whatever their order", arguments: [false, true])
    func together(_ isReversed: Bool) throws {
        let graph = try graph()
        let firm = try graph.added(Self.firm())
        let all: [Object] = [try #require(firm.seat), firm.departments[0]]
        try graph.write { graph.delete(isReversed ? all.reversed() : all) }
        #expect(Self.counts(graph)[1] == 0 && graph.objects(Building.self).isEmpty)
        try graph.write { try graph.add(Self.firm(), update: .modified) }
        try graph.write { graph.deleteAll() }
        #expect(Self.counts(graph) == [0, 0, 0, 0, 0])
    }

    @Test("A chain of cascades as long as the data likes takes no stack")
    func chain() throws {
        let graph = try graph()
        try graph.write {
            var last: Worker?
            for _ in 0..<100_000 {
                let worker = Worker()
                worker.partner = last
                try graph.add(worker)
                last = worker
            }
            if let last { graph.delete(last) }
        }
        #expect(graph.objects(Worker.self).isEmpty)
    }

    @Test("What a cascade did is journalled, and is there after a restart")
    func restart() async throws {
        let directory = ScratchDirectory()
        let store = try await Store.open(.init(directory: directory.path, models: Self.models))
        let graph = Graph(store)
        let firm = try graph.added(Self.firm())
        try graph.write { graph.delete(firm) }
        try await store.close()
        let reopened = try await Store.open(.init(directory: directory.path, models: Self.models))
        #expect(Self.counts(Graph(reopened)) == [0, 0, 0, 0, 1])
        try await reopened.close()
    }

    // A class that asks for it does not compile: see `MustNotCompile/Models`.
    @Test("A schema in which something embedded has a rule is refused, and the property named")
    func refusals() {
        let schema = Schema(types: [
            TypeSchema(name: "Desk", isEmbedded: true, properties: []),
            TypeSchema(
                name: "Denying", isEmbedded: false,
                properties: [
                    PropertySchema(name: "desk", kind: .embedded, isOptional: true, target: "Desk", deleteRule: .deny)
                ]),
        ])
        let error = #expect(throws: BanyanError.self) { try schema.validate() }
        #expect(error?.code == .invalidSchema && error?.location.property == "desk")
    }
}
