import BanyanCore
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

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

extension String: MapKey {
    public var _$keyText: String { self }
    public init?(_$keyText text: String) { self = text }
}

extension Int: MapKey {
    public var _$keyText: String { String(self) }
    public init?(_$keyText text: String) { self.init(text) }
}

extension UUID: MapKey {
    public var _$keyText: String { uuidString }
    public init?(_$keyText text: String) { self.init(uuidString: text) }
}

extension PersistableEnum where RawValue: MapKey {
    public var _$keyText: String { rawValue._$keyText }
    public init?(_$keyText text: String) {
        guard let raw = RawValue(_$keyText: text) else { return nil }
        self.init(rawValue: raw)
    }
}
