import Banyan
import Foundation

// Types of one's own, stored as others: always readable, and not always.

struct Celsius: CustomPersistable, Comparable {
    var degrees: Double
    init(_ degrees: Double) { self.degrees = degrees }
    init(persistedValue: Double) { degrees = persistedValue }
    var persistableValue: Double { degrees }
    static func < (a: Celsius, b: Celsius) -> Bool { a.degrees < b.degrees }
}

struct Code: CustomPersistable {
    var text: String
    init(_ text: String) { self.text = text }
    init(persistedValue: String) { text = persistedValue }
    var persistableValue: String { text }
}

struct Packed: CustomPersistable {
    var bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }
    init(persistedValue: Data) { bytes = Array(persistedValue) }
    var persistableValue: Data { Data(bytes) }
}

struct Price: CustomPersistable {
    var amount: Decimal128
    init(_ amount: Decimal128) { self.amount = amount }
    init(persistedValue: Decimal128) { amount = persistedValue }
    var persistableValue: Decimal128 { amount }
}

/// Over an enum.
struct Forecast: CustomPersistable {
    var weather: Weather
    init(_ weather: Weather) { self.weather = weather }
    init(persistedValue: Weather) { weather = persistedValue }
    var persistableValue: Weather { weather }
}

/// Not for every stored value, and not for the default one: 0 is not even odd.
struct Odd: FailableCustomPersistable {
    var value: Int
    init?(persistedValue: Int) {
        guard persistedValue % 2 != 0 else { return nil }
        value = persistedValue
    }
    init(_ value: Int) { self.value = value }
    var persistableValue: Int { value }
}

/// Not for every stored value, but for the default one.
struct Even: FailableCustomPersistable {
    var value: Int
    init?(persistedValue: Int) {
        guard persistedValue % 2 == 0 else { return nil }
        value = persistedValue
    }
    init(_ value: Int) { self.value = value }
    var persistableValue: Int { value }
}

/// Not for the default one, but it says what to show instead.
struct Prime: FailableCustomPersistable {
    var value: Int
    init?(persistedValue: Int) {
        guard [2, 3, 5, 7].contains(persistedValue) else { return nil }
        value = persistedValue
    }
    init(_ value: Int) { self.value = value }
    var persistableValue: Int { value }
    static var unreadableValue: Prime? { Prime(2) }
}

@Model class StoredPoint: EmbeddedObject {
    @Persisted var x = 0.0
    @Persisted var y = 0.0
    @Persisted var label: String?
}

struct Point: CustomPersistable {
    var x: Double
    var y: Double
    var label: String?
    init(_ x: Double, _ y: Double, _ label: String? = nil) { (self.x, self.y, self.label) = (x, y, label) }
    init(persistedValue: StoredPoint) { self.init(persistedValue.x, persistedValue.y, persistedValue.label) }
    var persistableValue: StoredPoint {
        let stored = StoredPoint()
        (stored.x, stored.y, stored.label) = (x, y, label)
        return stored
    }
}

@Model class Customised: Object {
    @Persisted(primaryKey: true) var code = Code("key")
    @Persisted(indexed: .ordered) var outside: Celsius
    @Persisted var inside: Celsius = Celsius(21)
    @Persisted var packed: Packed
    @Persisted var price = Price(5)
    @Persisted var forecast: Forecast
    @Persisted var even: Even
    @Persisted var odd = Odd(3)
    @Persisted var prime: Prime
    @Persisted var place: Point
    @Persisted var home = Point(1, 2, "home")

    @Persisted var maybe: Celsius?
    @Persisted var maybePacked: Packed?
    @Persisted var maybeOdd: Odd?
    @Persisted var maybePlace: Point?

    @Persisted var temperatures: List<Celsius>
    @Persisted var gaps: List<Celsius?>
    @Persisted var odds: List<Odd?>
    @Persisted var primes: List<Prime>
    @Persisted var favourite = Prime(7)
    @Persisted var route: List<Point>
    @Persisted var codes: MutableSet<Code>
    @Persisted var prices: Map<String, Price>
    @Persisted var places: Map<String, Point?>
}

/// What files hold of it.
enum Raw {
    @Model class Customised: Object {
        @Persisted(primaryKey: true) var code = ""
        @Persisted(indexed: .ordered) var outside = 0.0
        @Persisted var inside = 0.0
        @Persisted var packed: Data
        @Persisted var price: Decimal128
        @Persisted var forecast = ""
        @Persisted var even = 0
        @Persisted var odd = 0
        @Persisted var prime = 0
        @Persisted var place: StoredPoint?
        @Persisted var home: StoredPoint?

        @Persisted var maybe: Double?
        @Persisted var maybePacked: Data?
        @Persisted var maybeOdd: Int?
        @Persisted var maybePlace: StoredPoint?

        @Persisted var temperatures: List<Double>
        @Persisted var gaps: List<Double?>
        @Persisted var odds: List<Int?>
        @Persisted var primes: List<Int>
        @Persisted var favourite = 0
        @Persisted var route: List<StoredPoint>
        @Persisted var codes: MutableSet<String>
        @Persisted var prices: Map<String, Decimal128>
        @Persisted var places: Map<String, StoredPoint?>
    }
}
