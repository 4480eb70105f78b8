import Banyan

// The classes of the random lives: every shape of property, a class that inherits, embedded objects, untyped values.

@Model class Villager: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var age = 0
    @Persisted var friend: Villager?
    @Persisted var pals: List<Villager>
    @Persisted var kin: MutableSet<Villager>
    @Persisted var helpers: Map<String, Villager?>
    @Persisted var numbers: List<Int>
    @Persisted var tags: MutableSet<String>
    @Persisted var scores: Map<String, Int>
    @Persisted var hut: Hut?
    @Persisted var huts: List<Hut>
    @Persisted var keepsake: AnyValue
    @Persisted var memories: List<AnyValue>
    @Persisted(originProperty: "friend") var friendOf: LinkingObjects<Villager>
}

@Model class Elder: Villager {
    @Persisted var wisdom = 0.0
    @Persisted var pupil: Villager?
}

@Model class Hut: EmbeddedObject {
    @Persisted var colour = ""
    @Persisted var guest: Villager?
    @Persisted var rooms: List<String>
}
