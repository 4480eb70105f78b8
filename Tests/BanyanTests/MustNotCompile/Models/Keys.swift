import Banyan

@Model class TwoKeys: Object {
    @Persisted(primaryKey: true) var one: String
    @Persisted(primaryKey: true) var two: Int  // ✗ 'two' is a second primary key; 'one' already is the key
}

@Model class WithKey: EmbeddedObject {
    @Persisted(primaryKey: true) var id: Int  // ✗ an embedded object has no primary key
}

@Model class Key: Object {
    @Persisted(primaryKey: true) var price: Double  // ✗ 'Double' cannot be a primary key
}
