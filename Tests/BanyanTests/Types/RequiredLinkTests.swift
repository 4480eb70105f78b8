import Banyan
import Foundation
import Testing

@Model class Landlord: Object {
    @Persisted var name = ""
    @Persisted(inverseOf: \Flat.landlord) var flats: LinkingObjects<Flat>
}

@Model class Flat: Object {
    @Persisted var number = 0
    @Persisted(deleteRule: .deny) var landlord: Landlord
    @Persisted(deleteRule: .cascade, name: "tenant_link") var tenant: Landlord
}

@Suite("Links that are never nil")
struct RequiredLinkTests {
    private func make() -> Flat {
        let flat = Flat()
        flat.number = 3
        flat.landlord = Landlord()
        flat.landlord.name = "Ada"
        flat.tenant = Landlord()
        flat.tenant.name = "Bo"
        return flat
    }

    private func graph() throws -> Graph { Graph(try Store(.init(models: [Flat.self]))) }

    @Test("They lead to their object without being unwrapped", arguments: Situation.allCases)
    func values(_ situation: Situation) async throws {
        try await situation.show(Flat.self, make: make, spoil: { $0.landlord = $0.tenant }) { flat in
            #expect(flat.landlord.name == "Ada" && flat.tenant.name == "Bo")
            #expect(flat.detached(depth: 1).landlord.value?.name == "Ada")
            if let graph = flat.graph {
                #expect(Array(graph.objects(Flat.self).where { $0.tenant.name == "Bo" }) == [flat])
                #expect(flat.landlord.flats.first == flat && flat.tenant.flats.isEmpty)
            }
        }
    }

    @Test("An object that is left without fails the commit, naming type, id and property")
    func unset() throws {
        let graph = try graph()
        let flat = Flat()
        let fault = graph.fault { graph in
            try graph.add(flat)
            flat.landlord = Landlord()
        }
        #expect(fault?.code == .constraint && fault?.location.type == "Flat")
        #expect(fault?.location.property == "tenant" && fault?.location.object != nil)
        #expect(graph.objects(Flat.self).isEmpty)
        // For a while it may be unset.
        try graph.write {
            let flat = Flat()
            try graph.add(flat)
            (flat.landlord, flat.tenant) = (Landlord(), Landlord())
        }
        #expect(graph.objects(Flat.self).count == 1)
    }

    @Test("Reading one that is not set yet fails the transaction")
    func reading() throws {
        let graph = try graph()
        let fault = graph.fault { graph in
            let flat = Flat()
            try graph.add(flat)
            #expect(flat.landlord.isInvalidated)
            (flat.landlord, flat.tenant) = (Landlord(), Landlord())
        }
        #expect(fault?.code == .constraint && fault?.location.property == "landlord")
    }

    @Test("Its rule keeps the target, or the write from leaving the link without one")
    func deleting() throws {
        let graph = try graph()
        let flat = try graph.added(make())
        #expect(graph.fault { $0.delete(flat.landlord) }?.code == .constraint)
        #expect(graph.fault { $0.delete(flat.tenant) }?.code == .constraint)
        let (landlord, tenant) = (flat.landlord, flat.tenant)
        try graph.write { graph.delete(flat) }
        #expect(!landlord.isInvalidated && tenant.isInvalidated)
        #expect(flat.landlord.isInvalidated)
    }

    @Test("Creating takes them as any link")
    func create() throws {
        let graph = try graph()
        let flat = try graph.write {
            try graph.create(Flat.self, value: ["number": 1, "landlord": ["name": "a"], "tenant": ["name": "b"]])
        }
        #expect(flat.landlord.name == "a" && flat.tenant.name == "b")
        #expect(graph.fault { try $0.create(Flat.self, value: ["landlord": ["name": "a"]]) }?.code == .constraint)
    }

    #if !os(iOS)
        @Test("Reading one of an unmanaged object before it is set traps, and says so")
        func trap() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = Flat().landlord
            }
            let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
            #expect(text.contains("'Flat.landlord' is never nil, and was read before it was set"))
        }
    #endif
}
