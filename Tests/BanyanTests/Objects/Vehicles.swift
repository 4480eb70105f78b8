import Banyan

// A hierarchy of classes three levels deep, with links to it, in it and out of it.

@Model class Vehicle: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: .ordered) var weight = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var keeper: Keeper?
    @Persisted(originProperty: "vehicles") var fleets: LinkingObjects<Fleet>
    @Persisted(originProperty: "flagship") var flagshipOf: LinkingObjects<Fleet>

    convenience init(_ id: Int, weight: Int = 0, name: String = "") {
        self.init()
        self.id = id
        self.weight = weight
        self.name = name
    }

    func describe() -> String { "vehicle \(id)" }
}

@Model class Truck: Vehicle {
    @Persisted var load = 0
    @Persisted var trailer: Vehicle?
    override func describe() -> String { "truck \(id)" }
}

@Model class Bus: Vehicle {
    @Persisted var seats = 0
    @Persisted var line: String?
    override func describe() -> String { "bus \(id)" }
}

@Model final class Minibus: Bus {
    @Persisted var school: String?
    override func describe() -> String { "minibus \(id)" }
}

@Model class Keeper: Object {
    @Persisted var name = ""
    @Persisted(originProperty: "keeper") var vehicles: LinkingObjects<Vehicle>

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }
}

@Model class ChiefKeeper: Keeper { @Persisted var rank = 1 }

@Model class Fleet: Object {
    @Persisted var flagship: Vehicle?
    @Persisted var vehicles: List<Vehicle>
    @Persisted var ready: MutableSet<Vehicle>
    @Persisted var byName: Map<String, Vehicle?>
    @Persisted var buses: List<Bus>
}

enum Vehicles {
    static let models: [ObjectBase.Type] = [Fleet.self, Truck.self, Minibus.self, ChiefKeeper.self]

    /// One of each class, numbered from 1 on, heaviest first.
    static func oneOfEach() -> [Vehicle] {
        [
            Vehicle(1, weight: 40, name: "cart"), Truck(2, weight: 30, name: "lorry"),
            Bus(3, weight: 20, name: "coach"),
            Minibus(4, weight: 10, name: "van"),
        ]
    }

    static func fleet() -> Fleet {
        let fleet = Fleet()
        let all = oneOfEach()
        fleet.flagship = all[3]
        fleet.vehicles.append(contentsOf: all + [all[1]])
        fleet.ready.insert(all[2])
        fleet.ready.insert(all[0])
        fleet.byName["bus"] = all[2]
        fleet.byName["truck"] = all[1]
        fleet.buses.append(objectsIn: [all[3], all[2]].compactMap { $0 as? Bus })
        (all[1] as? Truck)?.trailer = all[0]
        let chief = ChiefKeeper()
        chief.name = "Zoe"
        all[0].keeper = chief
        all[1].keeper = chief
        all[3].keeper = Keeper("Yan")
        return fleet
    }
}
