import Banyan
import Foundation

enum Plain: String { case a, b }
enum Bare { case a, b }
struct Point { var x = 1 }

@Model class Enums: Object {
    @Persisted var plain: Plain  // ✗ an enum is stored when it is a PersistableEnum
    @Persisted var inferred = Plain.a  // ✗ an enum is stored when it is a PersistableEnum
    @Persisted var bare: Bare  // ✗ this type is not stored; make it a PersistableEnum
    @Persisted var fine: String
}

@Model class Structs: Object {
    @Persisted var point: Point  // ✗ this type is not stored; make it a PersistableEnum
    @Persisted var inferred = Point()  // ✗ this type is not stored; make it a PersistableEnum
    @Persisted var fine: Int?
}

@Model class Others: Object {
    @Persisted var url: URL  // ✗ a URL is not stored
    @Persisted var count: UInt = 1  // ✗ unsigned integers are not stored; use Int
    @Persisted var price: Decimal  // ✗ a Decimal is not stored; use Decimal128
    @Persisted var letter: Character = "a"  // ✗ this type is not stored
    @Persisted(indexed: true) var width: CGFloat  // ✗ this type is not stored
    @Persisted var fine: Double
}
