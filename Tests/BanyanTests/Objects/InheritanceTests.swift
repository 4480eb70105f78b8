import Banyan
import Testing

@Suite("Classes that inherit from models")
struct InheritanceTests {
    private func store() throws -> Graph { Graph(try Store(.init(models: Vehicles.models))) }

    @Test("Links and collections of a class hold objects of what inherits from it", arguments: Situation.allCases)
    func links(_ situation: Situation) async throws {
        try await situation.show(Fleet.self, Vehicles.models, make: Vehicles.fleet) { fleet in
            fleet.flagship = nil
            fleet.vehicles.removeAll()
            fleet.ready.removeAll()
            fleet.byName["bus"] = nil
        } check: { fleet in
            #expect(fleet.flagship is Minibus)
            #expect(fleet.flagship?.describe() == "minibus 4")
            #expect(fleet.vehicles.map { $0.describe() } == ["vehicle 1", "truck 2", "bus 3", "minibus 4", "truck 2"])
            #expect(fleet.vehicles[1] is Truck && fleet.vehicles.first.map { type(of: $0) == Vehicle.self } == true)
            #expect((fleet.vehicles[1] as? Truck)?.trailer?.describe() == "vehicle 1")
            #expect(Set(fleet.ready.map(\.id)) == [1, 3])
            #expect(fleet.ready.contains { $0 is Bus })
            #expect((fleet.byName["bus"] ?? nil) is Bus && !((fleet.byName["bus"] ?? nil) is Minibus))
            #expect((fleet.byName["truck"] ?? nil) is Truck)
            #expect(fleet.buses.map { $0.describe() } == ["minibus 4", "bus 3"])
            #expect((fleet.buses[0] as? Minibus)?.school == nil)
            #expect(fleet.vehicles[0].keeper is ChiefKeeper && !(fleet.vehicles[3].keeper is ChiefKeeper))
        }
    }

    @Test("Inverses find objects of every class, and those of every class", arguments: Situation.managed)
    func inverses(_ situation: Situation) async throws {
        try await situation.show(Fleet.self, Vehicles.models, make: Vehicles.fleet) { fleet in
            fleet.vehicles.removeAll()
            fleet.flagship = fleet.buses[1]
        } check: { fleet in
            let minibus = try #require(fleet.flagship)
            #expect(minibus.flagshipOf.first == fleet)
            #expect(fleet.vehicles.map { $0.fleets.count } == [1, 2, 1, 1, 2])
            let chief = try #require(fleet.vehicles[0].keeper)
            #expect(chief.vehicles.count == 2 && !chief.vehicles.isEmpty)
            #expect(Set(chief.vehicles.map { $0.describe() }) == ["vehicle 1", "truck 2"])
            #expect((0..<2).map { chief.vehicles[$0].id } == chief.vehicles.map(\.id))
            #expect(chief.vehicles.first == chief.vehicles[0] && chief.vehicles.last == chief.vehicles[1])
            #expect(chief.vehicles.contains(fleet.vehicles[1]) && !chief.vehicles.contains(minibus))
            #expect(chief.vehicles.index(of: fleet.vehicles[1]).map { chief.vehicles[$0] } == fleet.vehicles[1])
        }
    }

    @Test("A query on a class finds objects of what inherits from it", arguments: Situation.managed)
    func queries(_ situation: Situation) async throws {
        try await situation.show(Fleet.self, Vehicles.models, make: Vehicles.fleet) { fleet in
            fleet.vehicles[2].weight = 1000
        } check: { fleet in
            let graph = try #require(fleet.graph)
            let all = graph.objects(Vehicle.self)
            #expect(all.count == 4 && Set(all.map(\.id)) == [1, 2, 3, 4])
            #expect(all.map { $0.describe() } == all.indices.map { all[$0].describe() })
            #expect(Set(all.map { $0.describe() }) == ["vehicle 1", "truck 2", "bus 3", "minibus 4"])
            #expect(all.first == all[0] && all.last == all[3])
            #expect(graph.objects(Vehicle.self, includingSubclasses: false).map(\.id) == [1])
            #expect(Set(graph.objects(Bus.self).map(\.id)) == [3, 4])
            #expect(graph.objects(Bus.self, includingSubclasses: false).count == 1)
            #expect(graph.objects(Minibus.self).map(\.id) == [4])

            #expect(all.sorted(by: \.weight).map(\.id) == [4, 3, 2, 1])
            #expect(all.sorted(by: \.weight, ascending: false).map { $0.describe() }.first == "vehicle 1")
            #expect(all.where { $0.weight > 10 && $0.weight < 40 }.sorted(by: \.name).map(\.id) == [3, 2])
            #expect(all.where { $0.name == "lorry" }.first is Truck)
            #expect(all.where { $0.name == "lorry" }.count == 1 && all.where { $0.name == "ship" }.isEmpty)
            #expect(try all.filter("keeper.name == 'Zoe'").count == 2)
            #expect(graph.objects(Bus.self).where { $0.seats == 0 }.count == 2)
            #expect(all.sum(of: \.weight) == 100 && all.max(of: \.weight) == 40 && all.min(of: \.weight) == 10)
            #expect(all.where { $0.weight < 35 }.average(of: \.weight) == 20)

            let fleets = graph.objects(Fleet.self)
            #expect(fleets.where { $0.flagship.weight == 10 }.count == 1)
            #expect(fleets.where { $0.vehicles.weight == 20 }.count == 1)
            #expect(try fleets.filter("ANY vehicles.keeper.name == 'Yan' AND vehicles.@sum.weight == 130").count == 1)
            #expect(fleets.where { $0.flagship == fleet.vehicles[3] }.count == 1)
            #expect(
                try graph.objects(Keeper.self).filter("vehicles.@count == 2 AND ANY vehicles.weight == 30").count == 1)
            #expect(graph.objects(Keeper.self).sorted(by: \.name).map(\.name) == ["Yan", "Zoe"])
        }
    }

    @Test("A key is unique among the classes that share it, and found through each of them")
    func keys() throws {
        let graph = try store()
        try graph.write { for vehicle in Vehicles.oneOfEach() { try graph.add(vehicle) } }
        #expect(graph.object(ofType: Vehicle.self, forPrimaryKey: 4)?.describe() == "minibus 4")
        #expect(graph.object(ofType: Vehicle.self, forPrimaryKey: 1)?.describe() == "vehicle 1")
        #expect(graph.object(ofType: Vehicle.self, forPrimaryKey: Int8(2)) is Truck)
        #expect(graph.object(ofType: Bus.self, forPrimaryKey: 4) is Minibus)
        #expect(graph.object(ofType: Minibus.self, forPrimaryKey: 4)?.id == 4)
        #expect(graph.object(ofType: Bus.self, forPrimaryKey: 2) == nil)
        #expect(graph.object(ofType: Truck.self, forPrimaryKey: 1) == nil)
        for make in [{ Vehicle(4) }, { Truck(3) }, { Minibus(1) }, { Bus(3) }] {
            for policy in [UpdatePolicy.error, .modified] {
                let object = make()
                // Of its own class, or of one that inherits from it, it is updated.
                let isUpdate = policy == .modified && [4, 3].contains(object.id) && !(object is Truck)
                let error = graph.fault { try $0.add(object, update: policy) }
                #expect(error?.code == (isUpdate ? nil : .duplicateKey))
                #expect(isUpdate || error?.location.property == "id")
            }
        }
        #expect(graph.objects(Vehicle.self).count == 4)
        let truck = try #require(graph.object(ofType: Vehicle.self, forPrimaryKey: 2))
        let id = try #require(truck.objectID)
        #expect(graph.object(Vehicle.self, id) is Truck && graph.object(Bus.self, id) == nil)
        try graph.write { graph.delete(truck) }
        #expect(graph.object(ofType: Vehicle.self, forPrimaryKey: 2) == nil)
        try graph.write { try graph.add(Minibus(2)) }
        #expect(graph.object(ofType: Vehicle.self, forPrimaryKey: 2) is Minibus)
    }

    @Test("Creating with a key that an object of a subclass has updates that one", arguments: [false, true])
    func upsert(_ writesAll: Bool) throws {
        let policy = writesAll ? UpdatePolicy.all : .modified
        let graph = try store()
        try graph.write { for vehicle in Vehicles.oneOfEach() { try graph.add(vehicle) } }
        let minibus = try #require(graph.object(ofType: Minibus.self, forPrimaryKey: 4))
        try graph.write { minibus.school = "the old one" }
        graph.undoing { try graph.create(Vehicle.self, value: ["id": 4, "name": "no"], update: policy) }
        try graph.write {
            let made = try graph.create(Vehicle.self, value: ["id": 4, "name": "renamed"], update: policy)
            #expect(made == minibus && made is Minibus)
            try graph.create(Bus.self, value: ["id": 4, "seats": 9], update: policy)
            // Nested ones are found as well.
            let fleet = try graph.create(
                Fleet.self, value: ["flagship": ["id": 4, "weight": 77], "vehicles": [["id": 2, "name": "lorry"]]],
                update: policy)
            #expect(fleet.flagship == minibus && fleet.vehicles[0] is Truck)
        }
        #expect(minibus.name == "renamed" && minibus.seats == 9 && minibus.weight == 77)
        #expect(minibus.school == "the old one")
        #expect(graph.object(ofType: Truck.self, forPrimaryKey: 2)?.name == "lorry")
        #expect(graph.objects(Vehicle.self).count == 4)
        // A sibling's and a superclass's are in the way.
        for (key, holder) in [(1, "Vehicle"), (2, "Truck")] {
            let error = graph.fault { try $0.create(Bus.self, value: ["id": key], update: policy) }
            #expect(error?.code == .duplicateKey && error?.message.contains("class \(holder) ") == true)
            #expect(error?.location.property == "id" && error?.remedy?.contains("another key") == true)
        }
        try graph.write { try graph.add(Vehicle(4, name: "added"), update: policy) }
        #expect(minibus.name == "added" && minibus.school == "the old one" && graph.objects(Vehicle.self).count == 4)
        let error = graph.fault { try $0.add(Vehicle(4)) }
        #expect(error?.code == .duplicateKey && error?.remedy?.contains("update: .modified") == true)
        #expect(graph.fault { try $0.create(Vehicle.self, value: ["id": 4]) }?.code == .duplicateKey)
    }

    @Test("Deleting an object of a subclass clears the links to it")
    func deletion() throws {
        let graph = try store()
        let fleet = try graph.added(Vehicles.fleet())
        try graph.write {
            graph.delete(try #require(fleet.flagship))
            graph.delete(fleet.vehicles[1])
        }
        #expect(fleet.flagship == nil)
        #expect(fleet.vehicles.map(\.id) == [1, 3] && fleet.buses.map(\.id) == [3])
        #expect(fleet.byName.keys == ["bus", "truck"] && fleet.byName["truck"] == .some(nil))
        try graph.write { graph.delete(graph.objects(Vehicle.self)) }
        #expect(graph.objects(Vehicle.self).isEmpty && fleet.vehicles.isEmpty && fleet.ready.isEmpty)
        #expect(graph.objects(Keeper.self).allSatisfy { $0.vehicles.isEmpty })
    }

    @Test("An object of another hierarchy is no target, and a class that is not in the store is refused")
    func refusals() throws {
        let graph = Graph(try Store(.init(models: [Fleet.self, Truck.self])))
        let fleet = try graph.added(Fleet())
        let error = graph.fault { _ in fleet.flagship = Bus(1) }
        #expect(error == nil)
        let unknown = graph.fault { _ in fleet.flagship = Minibus(9) }
        #expect(unknown?.code == .unknownType && unknown?.location.type == "Minibus")
        #expect(fleet.flagship is Bus)
    }

    @Test("Observers of a class are told of objects of what inherits from it", arguments: 1...6)
    func observation(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let graph = try store()
        let keeper = try graph.added(Keeper("K"))
        let all = graph.objects(Vehicle.self)
        let queries: [Results<Vehicle>] = [
            all, all.sorted(by: \.weight), all.where { $0.weight > 50 }, all.where { $0.keeper.name == "K" },
            all.where { $0.weight < 80 }.sorted(by: \.name, ascending: false),
        ]
        final class Seen { var ids: [Int] = [] }
        let seen = queries.map { _ in Seen() }
        let tokens = zip(queries, seen).map { results, seen in
            results.observe { change in
                switch change {
                case .initial(let now): seen.ids = now.map(\.id)
                case .update(let now, let deletions, let insertions, _):
                    for position in deletions.reversed() { seen.ids.remove(at: position) }
                    for position in insertions { seen.ids.insert(now[position].id, at: position) }
                    #expect(seen.ids == now.map(\.id))
                }
            }
        }
        var next = 0
        for step in 0..<60 {
            try graph.write {
                for _ in 0...Int.random(in: 0..<4, using: &random) {
                    let present = Array(graph.objects(Vehicle.self))
                    let chosen = present.randomElement(using: &random)
                    switch Int.random(in: 0..<6, using: &random) {
                    case 0...2:
                        next += 1
                        let weight = Int.random(in: 0..<100, using: &random)
                        let kinds: [(Int, Int, String) -> Vehicle] = [
                            { Vehicle($0, weight: $1, name: $2) }, { Truck($0, weight: $1, name: $2) },
                            { Bus($0, weight: $1, name: $2) }, { Minibus($0, weight: $1, name: $2) },
                        ]
                        try graph.add(kinds[Int.random(in: 0..<4, using: &random)](next, weight, "n\(weight % 7)"))
                    case 3: chosen?.weight = Int.random(in: 0..<100, using: &random)
                    case 4: chosen?.keeper = chosen?.keeper == nil ? keeper : nil
                    default: if let chosen { graph.delete(chosen) }
                    }
                }
            }
            for (results, seen) in zip(queries, seen) {
                #expect(seen.ids == results.map(\.id), "seed \(seed), step \(step)")
                #expect(results.count == seen.ids.count)
            }
            #expect(keeper.vehicles.count == all.count { $0.keeper == keeper })
        }
        withExtendedLifetime(tokens) {}
    }

    @Test("Iterating inside a write goes through objects of every class", arguments: [false, true])
    func iteration(_ isSorted: Bool) throws {
        let graph = try store()
        try graph.write {
            for i in 0..<200 {
                let kinds: [(Int) -> Vehicle] = [{ Vehicle($0) }, { Truck($0) }, { Bus($0) }, { Minibus($0) }]
                let vehicle = kinds[i % 4](i)
                vehicle.weight = 1000 - i
                try graph.add(vehicle)
            }
        }
        let results = isSorted ? graph.objects(Vehicle.self).sorted(by: \.weight) : graph.objects(Vehicle.self)
        func kind(_ id: Int) -> String { ["vehicle", "truck", "bus", "minibus"][id % 4] + " \(id)" }
        var kept: [Vehicle] = []
        for vehicle in results { kept.append(vehicle) }
        #expect(kept.allSatisfy { $0.describe() == kind($0.id) } && Set(kept.map(\.id)).count == 200)
        var met = 0
        for vehicle in results {
            #expect(vehicle.describe() == kind(vehicle.id))
            met += 1
        }
        #expect(met == 200)
        try graph.write {
            for vehicle in results where vehicle.id % 3 == 0 {
                #expect(vehicle.describe() == kind(vehicle.id))
                graph.delete(vehicle)
            }
        }
        #expect(results.count == 133 && results.allSatisfy { $0.id % 3 != 0 })
        if isSorted { #expect(results.map(\.weight) == results.map(\.weight).sorted()) }
    }
}
