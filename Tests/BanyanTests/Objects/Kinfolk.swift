import Banyan
import Foundation

// A small world of links: owners, their hounds, packs of hounds, and embedded abodes.

@Model class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var age = 0
    @Persisted var favourite: Hound?
    @Persisted var friend: Owner?
    @Persisted var hounds: List<Hound>
    @Persisted var walked: MutableSet<Hound>
    @Persisted var byName: Map<String, Hound?>
    @Persisted var tags: MutableSet<String>
    @Persisted var abode: Abode?
    @Persisted var formerAbodes: List<Abode>
    @Persisted var namedAbodes: Map<String, Abode?>
    @Persisted(originProperty: "friend") var friendOf: LinkingObjects<Owner>

    convenience init(_ id: Int, _ name: String = "") {
        self.init()
        self.id = id
        self.name = name
    }
}

@Model class Hound: Object {
    @Persisted var name = ""
    @Persisted var age: Int8 = 0
    @Persisted(originProperty: "favourite") var favouriteOf: LinkingObjects<Owner>
    @Persisted(originProperty: "hounds") var owners: LinkingObjects<Owner>
    @Persisted(originProperty: "walked") var walkers: LinkingObjects<Owner>
    @Persisted(originProperty: "byName") var namers: LinkingObjects<Owner>
    @Persisted(originProperty: "guest") var hosts: LinkingObjects<Abode>

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }
}

@Model class Abode: EmbeddedObject {
    @Persisted var city = ""
    @Persisted var inner: Abode?
    @Persisted var rooms: List<Abode>
    @Persisted var guest: Hound?
    @Persisted(originProperty: "abode") var tenants: LinkingObjects<Owner>
    @Persisted(originProperty: "formerAbodes") var formerTenants: LinkingObjects<Owner>
    @Persisted(originProperty: "namedAbodes") var namers: LinkingObjects<Owner>
    @Persisted(originProperty: "inner") var outer: LinkingObjects<Abode>
    @Persisted(originProperty: "rooms") var house: LinkingObjects<Abode>

    convenience init(_ city: String) {
        self.init()
        self.city = city
    }
}

let kinfolk: [ObjectBase.Type] = [Owner.self]

func kinGraph() throws -> Graph { Graph(try Store(.init(models: kinfolk))) }
