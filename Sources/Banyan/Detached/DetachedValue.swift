public import BanyanCore
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A scalar without its Swift type, as the values of embedded objects that no class of their own describes.
public indirect enum DetachedValue: Sendable, Hashable, Codable {
    case null
    case bool(Bool)
    case int(Int64)
    case float(Float)
    case double(Double)
    case string(String)
    case data(Data)
    case date(Date)
    case uuid(UUID)
    case objectId(ObjectId)
    case decimal128(Decimal128)
    case object(ObjectID?)
    case list([DetachedValue])
    case dictionary([String: DetachedValue])
}
