import Banyan
import Testing

/// Where an owner may have an embedded object: every rule holds in each of these.
enum EmbeddedPlace: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case property, list, map, nestedProperty, nestedList

    var testDescription: String { rawValue }

    /// Puts an object there, in the place of the one that is there.
    func put(_ abode: Abode?, _ owner: Owner) {
        switch self {
        case .property: owner.abode = abode
        case .list:
            if let abode, owner.formerAbodes.isEmpty {
                owner.formerAbodes.append(abode)
            } else if let abode {
                owner.formerAbodes[0] = abode
            } else {
                owner.formerAbodes.removeFirst()
            }
        case .map: owner.namedAbodes["here"] = abode.map { $0 }
        case .nestedProperty:
            if owner.abode == nil { owner.abode = Abode("around") }
            owner.abode?.inner = abode
        case .nestedList:
            if owner.abode == nil { owner.abode = Abode("around") }
            guard let rooms = owner.abode?.rooms else { return }
            if let abode, rooms.isEmpty {
                rooms.append(abode)
            } else if let abode {
                rooms[0] = abode
            } else {
                rooms.removeFirst()
            }
        }
    }

    func get(_ owner: Owner) -> Abode? {
        switch self {
        case .property: owner.abode
        case .list: owner.formerAbodes.first
        case .map: owner.namedAbodes["here"] ?? nil
        case .nestedProperty: owner.abode?.inner
        case .nestedList: owner.abode?.rooms.first
        }
    }

    /// What its inverses say of who holds it.
    func holders(_ abode: Abode) -> [ObjectBase] {
        switch self {
        case .property: Array(abode.tenants)
        case .list: Array(abode.formerTenants)
        case .map: Array(abode.namers)
        case .nestedProperty: Array(abode.outer)
        case .nestedList: Array(abode.house)
        }
    }

    func holder(_ owner: Owner) -> ObjectBase? {
        switch self {
        case .property, .list, .map: owner
        case .nestedProperty, .nestedList: owner.abode
        }
    }

    /// An unmanaged one with others in it, and a guest.
    static func furnished(_ city: String) -> Abode {
        let abode = Abode(city)
        abode.inner = Abode("\(city) cellar")
        abode.rooms.append(Abode("\(city) hall"))
        abode.rooms.append(Abode("\(city) attic"))
        abode.rooms[1].inner = Abode("\(city) chest")
        abode.guest = Hound("\(city) guest")
        return abode
    }

    /// It and all it holds.
    static func everything(_ abode: Abode) -> [Abode] {
        [abode] + [abode.inner].compactMap { $0 }.flatMap(everything) + abode.rooms.flatMap(everything)
    }
}
