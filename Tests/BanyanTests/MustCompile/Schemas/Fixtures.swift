import Banyan
import Foundation

@Model(indexes: [["oneString", "maybeInt"], ["maybeDate", "oneInt16", "oneString"]]) class Single: Object {
    @Persisted(indexed: true) var oneBool: Bool = false
    @Persisted(indexed: .ordered) var maybeBool: Bool?
    @Persisted var oneInt8: Int8 = 0
    @Persisted(indexed: .ordered) var maybeInt8: Int8?
    @Persisted(indexed: true) var oneInt16: Int16 = 0
    @Persisted(indexed: .ordered) var maybeInt16: Int16?
    @Persisted var oneInt32: Int32 = 0
    @Persisted(indexed: .ordered) var maybeInt32: Int32?
    @Persisted(indexed: true) var oneInt: Int = 0
    @Persisted(indexed: .ordered) var maybeInt: Int?
    @Persisted var oneFloat: Float = 0
    @Persisted(indexed: .ordered) var maybeFloat: Float?
    @Persisted var oneDouble: Double = 0
    @Persisted(indexed: .ordered) var maybeDouble: Double?
    @Persisted var oneString: String = ""
    @Persisted(indexed: .ordered) var maybeString: String?
    @Persisted var oneData: Data = Data()
    @Persisted var maybeData: Data?
    @Persisted var oneDate: Date = Date(timeIntervalSinceReferenceDate: 0)
    @Persisted(indexed: .ordered) var maybeDate: Date?
    @Persisted(indexed: true) var oneUUID: UUID = UUID()
    @Persisted(indexed: .ordered) var maybeUUID: UUID?
    @Persisted var oneObjectId: ObjectId = ObjectId.generate()
    @Persisted(indexed: .ordered) var maybeObjectId: ObjectId?
    @Persisted var oneDecimal128: Decimal128 = 0
    @Persisted var maybeDecimal128: Decimal128?
    @Persisted(indexed: true) var any: AnyValue
    @Persisted var otherAny: AnyValue
    @Persisted var next: Single?
    @Persisted(originProperty: "next") var previous: LinkingObjects<Single>
    @Persisted(originProperty: "any") var inAny: LinkingObjects<Single>
    @Persisted(originProperty: "links") var inLists: LinkingObjects<Many>
    @Persisted var box: Box?
}

@Model class Many: Object {
    @Persisted var listBool: List<Bool>
    @Persisted var listBoolMaybe: List<Bool?>
    @Persisted var setBool: MutableSet<Bool>
    @Persisted var setBoolMaybe: MutableSet<Bool?>
    // Maps with keys of Int8 cannot be declared: @Persisted var mapBool: Map<Int8, Bool>
    // Maps with keys of Int8 cannot be declared: @Persisted var mapBoolMaybe: Map<Int8, Bool?>
    @Persisted var listInt8: List<Int8>
    @Persisted var listInt8Maybe: List<Int8?>
    @Persisted var setInt8: MutableSet<Int8>
    @Persisted var setInt8Maybe: MutableSet<Int8?>
    // Maps with keys of Int16 cannot be declared: @Persisted var mapInt8: Map<Int16, Int8>
    // Maps with keys of Int16 cannot be declared: @Persisted var mapInt8Maybe: Map<Int16, Int8?>
    @Persisted var listInt16: List<Int16>
    @Persisted var listInt16Maybe: List<Int16?>
    @Persisted var setInt16: MutableSet<Int16>
    @Persisted var setInt16Maybe: MutableSet<Int16?>
    // Maps with keys of Int32 cannot be declared: @Persisted var mapInt16: Map<Int32, Int16>
    // Maps with keys of Int32 cannot be declared: @Persisted var mapInt16Maybe: Map<Int32, Int16?>
    @Persisted var listInt32: List<Int32>
    @Persisted var listInt32Maybe: List<Int32?>
    @Persisted var setInt32: MutableSet<Int32>
    @Persisted var setInt32Maybe: MutableSet<Int32?>
    @Persisted var mapInt32: Map<Int, Int32>
    @Persisted var mapInt32Maybe: Map<Int, Int32?>
    @Persisted var listInt: List<Int>
    @Persisted var listIntMaybe: List<Int?>
    @Persisted var setInt: MutableSet<Int>
    @Persisted var setIntMaybe: MutableSet<Int?>
    @Persisted var mapInt: Map<String, Int>
    @Persisted var mapIntMaybe: Map<String, Int?>
    @Persisted var listFloat: List<Float>
    @Persisted var listFloatMaybe: List<Float?>
    @Persisted var setFloat: MutableSet<Float>
    @Persisted var setFloatMaybe: MutableSet<Float?>
    @Persisted var mapFloat: Map<UUID, Float>
    @Persisted var mapFloatMaybe: Map<UUID, Float?>
    @Persisted var listDouble: List<Double>
    @Persisted var listDoubleMaybe: List<Double?>
    @Persisted var setDouble: MutableSet<Double>
    @Persisted var setDoubleMaybe: MutableSet<Double?>
    // Maps with keys of ObjectId cannot be declared: @Persisted var mapDouble: Map<ObjectId, Double>
    // Maps with keys of ObjectId cannot be declared: @Persisted var mapDoubleMaybe: Map<ObjectId, Double?>
    @Persisted var listString: List<String>
    @Persisted var listStringMaybe: List<String?>
    @Persisted var setString: MutableSet<String>
    @Persisted var setStringMaybe: MutableSet<String?>
    // Maps with keys of Int8 cannot be declared: @Persisted var mapString: Map<Int8, String>
    // Maps with keys of Int8 cannot be declared: @Persisted var mapStringMaybe: Map<Int8, String?>
    @Persisted var listData: List<Data>
    @Persisted var listDataMaybe: List<Data?>
    @Persisted var setData: MutableSet<Data>
    @Persisted var setDataMaybe: MutableSet<Data?>
    // Maps with keys of Int16 cannot be declared: @Persisted var mapData: Map<Int16, Data>
    // Maps with keys of Int16 cannot be declared: @Persisted var mapDataMaybe: Map<Int16, Data?>
    @Persisted var listDate: List<Date>
    @Persisted var listDateMaybe: List<Date?>
    @Persisted var setDate: MutableSet<Date>
    @Persisted var setDateMaybe: MutableSet<Date?>
    // Maps with keys of Int32 cannot be declared: @Persisted var mapDate: Map<Int32, Date>
    // Maps with keys of Int32 cannot be declared: @Persisted var mapDateMaybe: Map<Int32, Date?>
    @Persisted var listUUID: List<UUID>
    @Persisted var listUUIDMaybe: List<UUID?>
    @Persisted var setUUID: MutableSet<UUID>
    @Persisted var setUUIDMaybe: MutableSet<UUID?>
    @Persisted var mapUUID: Map<Int, UUID>
    @Persisted var mapUUIDMaybe: Map<Int, UUID?>
    @Persisted var listObjectId: List<ObjectId>
    @Persisted var listObjectIdMaybe: List<ObjectId?>
    @Persisted var setObjectId: MutableSet<ObjectId>
    @Persisted var setObjectIdMaybe: MutableSet<ObjectId?>
    @Persisted var mapObjectId: Map<String, ObjectId>
    @Persisted var mapObjectIdMaybe: Map<String, ObjectId?>
    @Persisted var listDecimal128: List<Decimal128>
    @Persisted var listDecimal128Maybe: List<Decimal128?>
    @Persisted var setDecimal128: MutableSet<Decimal128>
    @Persisted var setDecimal128Maybe: MutableSet<Decimal128?>
    @Persisted var mapDecimal128: Map<UUID, Decimal128>
    @Persisted var mapDecimal128Maybe: Map<UUID, Decimal128?>
    @Persisted var anyList: List<AnyValue>
    @Persisted var anySet: MutableSet<AnyValue>
    @Persisted var anyMap: Map<String, AnyValue>
    @Persisted var links: List<Single>
    @Persisted var linkSet: MutableSet<Single>
    @Persisted var linkMap: Map<String, Single?>
    @Persisted var animals: List<Animal>
    @Persisted var boxes: List<Box>
    @Persisted var boxMap: Map<Int, Box?>
}

@Model class Box: EmbeddedObject {
    @Persisted var label: String?
    @Persisted var content: AnyValue
    @Persisted var link: Single?
    @Persisted var inner: Box?
    @Persisted var parts: List<Box>
    @Persisted var tags: MutableSet<String>
    @Persisted(originProperty: "box") var owners: LinkingObjects<Single>
}

@Model class KeyedInt8: Object {
    @Persisted(primaryKey: true) var key: Int8 = 0
    @Persisted(indexed: true) var note: String = ""
}

@Model class KeyedInt8Maybe: Object {
    @Persisted(primaryKey: true, indexed: .ordered) var key: Int8?
    @Persisted(indexed: true) var note: String = ""
}

@Model class KeyedInt16: Object {
    @Persisted(primaryKey: true) var key: Int16 = 0
    @Persisted(indexed: true) var note: String = ""
}

@Model class KeyedInt16Maybe: Object {
    @Persisted(primaryKey: true, indexed: .ordered) var key: Int16?
    @Persisted(indexed: true) var note: String = ""
}

@Model class KeyedInt32: Object {
    @Persisted(primaryKey: true) var key: Int32 = 0
    @Persisted(indexed: true) var note: String = ""
}

@Model class KeyedInt32Maybe: Object {
    @Persisted(primaryKey: true, indexed: .ordered) var key: Int32?
    @Persisted(indexed: true) var note: String = ""
}

@Model class KeyedInt: Object {
    @Persisted(primaryKey: true) var key: Int = 0
    @Persisted(indexed: true) var note: String = ""
}

@Model class KeyedIntMaybe: Object {
    @Persisted(primaryKey: true, indexed: .ordered) var key: Int?
    @Persisted(indexed: true) var note: String = ""
}

@Model class KeyedString: Object {
    @Persisted(primaryKey: true) var key: String = ""
    @Persisted(indexed: true) var note: String = ""
}

@Model class KeyedStringMaybe: Object {
    @Persisted(primaryKey: true, indexed: .ordered) var key: String?
    @Persisted(indexed: true) var note: String = ""
}

@Model class KeyedUUID: Object {
    @Persisted(primaryKey: true) var key: UUID = UUID()
    @Persisted(indexed: true) var note: String = ""
}

@Model class KeyedUUIDMaybe: Object {
    @Persisted(primaryKey: true, indexed: .ordered) var key: UUID?
    @Persisted(indexed: true) var note: String = ""
}

@Model class KeyedObjectId: Object {
    @Persisted(primaryKey: true) var key: ObjectId = ObjectId.generate()
    @Persisted(indexed: true) var note: String = ""
}

@Model class KeyedObjectIdMaybe: Object {
    @Persisted(primaryKey: true, indexed: .ordered) var key: ObjectId?
    @Persisted(indexed: true) var note: String = ""
}

@Model class Animal: Object {
    @Persisted(primaryKey: true) var name: String = ""
    @Persisted var friend: Animal?
    @Persisted(deleteRule: .cascade) var parts: List<Animal>
    @Persisted(deleteRule: .deny) var guarded: KeyedInt?
    @Persisted(originProperty: "friend") var friends: LinkingObjects<Animal>
    @Persisted var box: Box?
}

@Model class Dog: Animal {
    @Persisted(indexed: .ordered) var weight: Double = 0
    @Persisted(deleteRule: .cascade) var toys: Map<String, KeyedString?>
}

@Model(indexes: [["weeks", "weight"]]) class Puppy: Dog {
    @Persisted var weeks: Int8?
}

@Model(unique: [["row", "seat"]]) class Ticket: Object {
    @Persisted(unique: true) var code: Int?
    @Persisted(indexed: .ordered, unique: true) var place: String = ""
    @Persisted var row: Int8 = 0
    @Persisted var seat: String?
    @Persisted(deleteRule: .deny) var holder: KeyedInt
    @Persisted(deleteRule: .cascade) var series: KeyedUUID
}

// Files call this type "two words", and a class cannot be called that:
// a store that has it does not open with this model.
@Model class two_words: Object {
    @Persisted var `class`: String = ""
    @Persisted(name: "größe 🌳") var größe_🌳: Double = 0
    @Persisted(name: "1st") var _1st: two_words?
    @Persisted(originProperty: "_1st") var from__it_: LinkingObjects<two_words>
}
