import BanyanCore

/// A type that the keys of a `Map` can have: String, Int, UUID, and any `PersistableEnum` of such a raw type that says so.
///
/// ```swift
/// enum Size: String, PersistableEnum, MapKey { case small, large }
/// ```
public protocol MapKey: CollectionValue {
    /// The key as text, as coders write it.
    var _$keyText: String { get }
    init?(_$keyText: String)
}

extension PersistableEnum where RawValue: MapKey {
    public var _$keyText: String { rawValue._$keyText }
    public init?(_$keyText text: String) {
        guard let raw = RawValue(_$keyText: text) else { return nil }
        self.init(rawValue: raw)
    }
}
