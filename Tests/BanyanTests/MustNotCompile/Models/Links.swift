import Banyan

@Model class Club: Object {
    @Persisted var members: List<Member>
    @Persisted var house: Address?
    @Persisted var chair: Member?
    @Persisted var title: String
}

@Model class Address: EmbeddedObject {
    @Persisted var city: String
}

@Model class Member: Object {
    @Persisted(originProperty: "members") var clubs: LinkingObjects<Club>
    @Persisted(originProperty: "chair") var chaired: LinkingObjects<Club>
}

@Model class Inverses: Object {
    @Persisted(originProperty: "memberz") var wrong: LinkingObjects<Club>  // ✗ has no member 'memberz'
    @Persisted(originProperty: "title") var scalar: LinkingObjects<Club>  // ✗ an inverse follows
    @Persisted(originProperty: "members") var others: LinkingObjects<Club>  // ✗ an inverse follows
    @Persisted(originProperty: "chair") var other: LinkingObjects<Club>  // ✗ an inverse follows
    @Persisted(originProperty: "house") var home: LinkingObjects<Club>  // ✗ an inverse follows
    @Persisted(inverseOf: \Club.title) var path: LinkingObjects<Club>  // ✗ an inverse follows
    @Persisted var missing: LinkingObjects<Club>  // ✗ needs the property of 'Club'
    @Persisted(originProperty: "members") var list: List<Club>  // ✗ its type is 'LinkingObjects<…>'
}

@Model class Member2: Member {
    @Persisted(originProperty: "members") var again: LinkingObjects<Club>
    func change() {
        self.again = again  // ✗ cannot assign to property: 'again' is a get-only property
    }
}

@Model class Rules: Object {
    @Persisted(deleteRule: .cascade) var address: Address?  // ✗ what is embedded goes with its owner
    @Persisted(deleteRule: .deny) var addresses: List<Address>  // ✗ what is embedded goes with its owner
    @Persisted(deleteRule: .cascade) var mapped: Map<String, Address?>  // ✗ what is embedded goes with its owner
    @Persisted(deleteRule: .deny) var number: Int  // ✗ 'deleteRule' is for links and collections of links
    @Persisted(deleteRule: .deny) var any: AnyValue  // ✗ 'deleteRule' is for links and collections of links
    @Persisted(deleteRule: .deny) var owned: Address  // ✗ an embedded object is declared as Optional
    @Persisted var required: Club  // ✗ a link is Optional, or says what deleting its target does
    @Persisted(deleteRule: .nullify) var cleared: Club  // ✗ a link that is never nil cannot be cleared
    @Persisted var embedded: Address  // ✗ an embedded object is declared as Optional
    @Persisted var set: MutableSet<Address>  // ✗ a set holds no embedded objects; use a List or a Map
    @Persisted(deleteRule: .deny) var fine: Club
    @Persisted(deleteRule: .cascade) var alsoFine: Club?
    @Persisted(deleteRule: .cascade) var clubs: Map<String, Club?>
}
