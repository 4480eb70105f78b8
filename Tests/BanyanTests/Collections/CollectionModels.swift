import Banyan
import BanyanCore
import Foundation

// The models that the tests of collections use: one property for each kind of element.

enum Colour: String, PersistableEnum, MapKey, Codable { case red, green, blue }

@Model class Dog: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var age: Int?
    @Persisted(originProperty: "dogs") var kennels: LinkingObjects<Kennel>
    @Persisted(originProperty: "dogSet") var setKennels: LinkingObjects<Kennel>
    @Persisted(originProperty: "dogMap") var mapKennels: LinkingObjects<Kennel>

    convenience init(_ id: Int, _ name: String = "") {
        self.init()
        self.id = id
        self.name = name
    }
}

@Model class Toy: EmbeddedObject {
    @Persisted var name = ""
    @Persisted var parts: List<Toy>

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }
}

@Model class Kennel: Object {
    @Persisted var name = ""
    @Persisted var dogs: List<Dog>
    @Persisted var dogSet: MutableSet<Dog>
    @Persisted var dogMap: Map<String, Dog?>
    @Persisted var toys: List<Toy>
    @Persisted var toyMap: Map<String, Toy?>
}

@Model class Lists: Object {
    @Persisted var bool: List<Bool>
    @Persisted var int: List<Int>
    @Persisted var int8: List<Int8>
    @Persisted var optionalInt: List<Int?>
    @Persisted var float: List<Float>
    @Persisted var double: List<Double>
    @Persisted var string: List<String>
    @Persisted var optionalString: List<String?>
    @Persisted var data: List<Data>
    @Persisted var date: List<Date>
    @Persisted var uuid: List<UUID>
    @Persisted var objectId: List<ObjectId>
    @Persisted var decimal: List<Decimal128>
    @Persisted var colour: List<Colour>
    @Persisted var optionalColour: List<Colour?>
    @Persisted var int16: List<Int16>
    @Persisted var int32: List<Int32>
    @Persisted var int64: List<Int64>
    @Persisted var optionalBool: List<Bool?>
    @Persisted var optionalInt8: List<Int8?>
    @Persisted var optionalInt16: List<Int16?>
    @Persisted var optionalInt32: List<Int32?>
    @Persisted var optionalInt64: List<Int64?>
    @Persisted var optionalFloat: List<Float?>
    @Persisted var optionalDouble: List<Double?>
    @Persisted var optionalData: List<Data?>
    @Persisted var optionalDate: List<Date?>
    @Persisted var optionalUuid: List<UUID?>
    @Persisted var optionalObjectId: List<ObjectId?>
    @Persisted var optionalDecimal: List<Decimal128?>
}

@Model class Sets: Object {
    @Persisted var bool: MutableSet<Bool>
    @Persisted var int: MutableSet<Int>
    @Persisted var int8: MutableSet<Int8>
    @Persisted var optionalInt: MutableSet<Int?>
    @Persisted var float: MutableSet<Float>
    @Persisted var double: MutableSet<Double>
    @Persisted var string: MutableSet<String>
    @Persisted var optionalString: MutableSet<String?>
    @Persisted var data: MutableSet<Data>
    @Persisted var date: MutableSet<Date>
    @Persisted var uuid: MutableSet<UUID>
    @Persisted var objectId: MutableSet<ObjectId>
    @Persisted var decimal: MutableSet<Decimal128>
    @Persisted var colour: MutableSet<Colour>
    @Persisted var optionalColour: MutableSet<Colour?>
    @Persisted var int16: MutableSet<Int16>
    @Persisted var int32: MutableSet<Int32>
    @Persisted var int64: MutableSet<Int64>
    @Persisted var optionalBool: MutableSet<Bool?>
    @Persisted var optionalInt8: MutableSet<Int8?>
    @Persisted var optionalInt16: MutableSet<Int16?>
    @Persisted var optionalInt32: MutableSet<Int32?>
    @Persisted var optionalInt64: MutableSet<Int64?>
    @Persisted var optionalFloat: MutableSet<Float?>
    @Persisted var optionalDouble: MutableSet<Double?>
    @Persisted var optionalData: MutableSet<Data?>
    @Persisted var optionalDate: MutableSet<Date?>
    @Persisted var optionalUuid: MutableSet<UUID?>
    @Persisted var optionalObjectId: MutableSet<ObjectId?>
    @Persisted var optionalDecimal: MutableSet<Decimal128?>
}

@Model class Maps: Object {
    @Persisted var bool: Map<String, Bool>
    @Persisted var int: Map<Int, Int>
    @Persisted var int8: Map<String, Int8>
    @Persisted var optionalInt: Map<UUID, Int?>
    @Persisted var float: Map<String, Float>
    @Persisted var double: Map<String, Double>
    @Persisted var string: Map<String, String>
    @Persisted var optionalString: Map<Int, String?>
    @Persisted var data: Map<String, Data>
    @Persisted var date: Map<String, Date>
    @Persisted var uuid: Map<UUID, UUID>
    @Persisted var objectId: Map<String, ObjectId>
    @Persisted var decimal: Map<String, Decimal128>
    @Persisted var colour: Map<Colour, Colour>
    @Persisted var optionalColour: Map<String, Colour?>
    @Persisted var int16: Map<String, Int16>
    @Persisted var int32: Map<String, Int32>
    @Persisted var int64: Map<String, Int64>
    @Persisted var optionalBool: Map<String, Bool?>
    @Persisted var optionalInt8: Map<String, Int8?>
    @Persisted var optionalInt16: Map<String, Int16?>
    @Persisted var optionalInt32: Map<String, Int32?>
    @Persisted var optionalInt64: Map<String, Int64?>
    @Persisted var optionalFloat: Map<String, Float?>
    @Persisted var optionalDouble: Map<String, Double?>
    @Persisted var optionalData: Map<String, Data?>
    @Persisted var optionalDate: Map<String, Date?>
    @Persisted var optionalUuid: Map<String, UUID?>
    @Persisted var optionalObjectId: Map<String, ObjectId?>
    @Persisted var optionalDecimal: Map<String, Decimal128?>
}
