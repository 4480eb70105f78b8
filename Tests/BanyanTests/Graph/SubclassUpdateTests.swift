import Testing

@testable import Banyan

@Model private class Home: EmbeddedObject {
    @Persisted var city = ""
}

@Model private class Tower: Home {
    @Persisted var floors = 0
    @Persisted var name = ""
}

@Model private class Settler: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var home: Home?
    @Persisted var homes: List<Home>
    @Persisted var named: Map<String, Home?>
}

@Suite("Updating objects of subclasses")
struct SubclassUpdateTests {
    static let policies: [UpdatePolicy] = [.modified, .all]

    @Test("Adding an object updates the one of a subclass that has its key, as creating it does", arguments: policies)
    func add(_ policy: UpdatePolicy) throws {
        let graph = Graph(try Store(.init(models: Vehicles.models)))
        let minibus = Minibus(1, weight: 5, name: "van")
        minibus.seats = 9
        minibus.school = "North"
        minibus.keeper = Keeper("Yan")
        try graph.added(minibus)
        let update = Vehicle(1, weight: 6, name: "a name that is longer than fifteen bytes")
        update.keeper = Keeper("Zoe")
        let holder = Vehicle(2)
        try graph.write {
            try graph.add(update, update: policy)
            try graph.create(Vehicle.self, value: ["id": 2])
            try graph.add(holder, update: policy)
        }
        #expect(graph.objects(Vehicle.self).count == 2 && graph.objects(Minibus.self).count == 1)
        #expect(minibus.weight == 6 && minibus.name == update.name && minibus.keeper?.name == "Zoe")
        #expect(minibus.seats == 9 && minibus.school == "North")
        // The instance is a handle of that object from now on.
        #expect(update == minibus && update.objectID == minibus.objectID && update.objectSchema?.className == "Minibus")
        try graph.write {
            update.weight = 7
            update.name = "short"
            update.keeper = nil
        }
        #expect(minibus.weight == 7 && minibus.name == "short" && minibus.keeper == nil)
        #expect(graph.objects(Vehicle.self).where { $0.name == "short" }.count == 1)
        #expect(graph.workspace.view._invariantCheck() == [])
        try graph.write { graph.delete(update) }
        #expect(minibus.isInvalidated)
    }

    @Test("Without a policy the key is taken; one of another branch is never updated", arguments: policies)
    func taken(_ policy: UpdatePolicy) throws {
        let graph = Graph(try Store(.init(models: Vehicles.models)))
        try graph.added(Truck(1))
        #expect(graph.fault { try $0.add(Vehicle(1)) }?.code == .duplicateKey)
        #expect(graph.fault { try $0.add(Bus(1), update: policy) }?.code == .duplicateKey)
        try graph.added(Vehicle(3))
        #expect(graph.fault { try $0.add(Truck(3), update: policy) }?.code == .duplicateKey)
    }

    @Test("An update reaches those that are linked to")
    func linked() throws {
        let graph = Graph(try Store(.init(models: Vehicles.models)))
        let truck = try graph.added(Truck(1))
        let fleet = Fleet()
        fleet.flagship = Vehicle(1, weight: 3)
        fleet.vehicles.append(Vehicle(1, weight: 4))
        try graph.write { try graph.add(fleet, update: .modified) }
        #expect(fleet.flagship == truck && fleet.vehicles.first == truck && graph.objects(Vehicle.self).count == 1)
    }

    @Test("An embedded object is replaced by one of another class, and changed by one of its own", arguments: policies)
    func embedded(_ policy: UpdatePolicy) throws {
        let graph = Graph(try Store(.init(models: [Settler.self, Tower.self])))
        func make(_ tower: Bool) -> Settler {
            func home() -> Home {
                guard tower else {
                    let home = Home()
                    home.city = "Oslo"
                    return home
                }
                let tower = Tower()
                (tower.city, tower.floors, tower.name) = ("Bergen", 7, "a name that is longer than fifteen bytes")
                return tower
            }
            let settler = Settler()
            (settler.id, settler.home) = (1, home())
            settler.homes.append(objectsIn: [home(), home()])
            settler.named["a"] = home()
            return settler
        }
        let settler = try graph.added(make(false))
        for isTower in [true, true, false, true] {
            try graph.write { try graph.add(make(isTower), update: policy) }
            let all: [Home?] = [settler.home] + Array(settler.homes) + [settler.named["a"] ?? nil]
            #expect(all.count == 4)
            for home in all {
                #expect((home is Tower) == isTower && home?.city == (isTower ? "Bergen" : "Oslo"))
                if let tower = home as? Tower { #expect(tower.floors == 7 && tower.name.count > 15) }
            }
            #expect(graph.workspace.view._invariantCheck() == [])
        }
    }
}
