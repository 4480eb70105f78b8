public import Foundation

extension Bool: _PersistedProperty { public static var _zero: Bool { false } }
extension Int: _PersistedProperty { public static var _zero: Int { 0 } }
extension Int8: _PersistedProperty { public static var _zero: Int8 { 0 } }
extension Float: _PersistedProperty { public static var _zero: Float { 0 } }
extension Double: _PersistedProperty { public static var _zero: Double { 0 } }
extension String: _PersistedProperty { public static var _zero: String { "" } }
extension Date: _PersistedProperty { public static var _zero: Date { Date(timeIntervalSince1970: 0) } }
extension UUID: _PersistedProperty { public static var _zero: UUID { UUID() } }
extension Data: _PersistedProperty { public static var _zero: Data { Data() } }

extension Optional: _PersistedProperty where Wrapped: _Storable {
    public static var _zero: Wrapped? { nil }
}

public protocol _Storable {}
extension Bool: _Storable {}
extension Int: _Storable {}
extension String: _Storable {}
extension Date: _Storable {}
extension ObjectBase: _Storable {}

/// Collections of the mock hold nothing: only their types matter to an expansion.
public struct List<Element>: _PersistedProperty {
    public init() {}
    public static var _zero: List<Element> { List() }
}

public struct MutableSet<Element>: _PersistedProperty {
    public init() {}
    public static var _zero: MutableSet<Element> { MutableSet() }
}

public struct Map<Key, Value>: _PersistedProperty {
    public init() {}
    public static var _zero: Map<Key, Value> { Map() }
}

public struct LinkingObjects<Element>: _PersistedProperty {
    public static var _zero: LinkingObjects<Element> { LinkingObjects() }
}
