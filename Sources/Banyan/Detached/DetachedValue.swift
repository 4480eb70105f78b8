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
    case duration(Duration)
    case object(ObjectID?)
    case list([DetachedValue])
    case dictionary([String: DetachedValue])
}

extension DetachedValue {
    /// A scalar; links are null.
    init(_ value: Value) {
        switch value {
        case .null, .object, .list, .dictionary: self = .null
        case .bool(let v): self = .bool(v)
        case .int(let v): self = .int(v)
        case .float(let v): self = .float(v)
        case .double(let v): self = .double(v)
        case .string(let v): self = .string(v)
        case .data(let v): self = .data(v)
        case .date(let v): self = .date(v)
        case .uuid(let v): self = .uuid(v)
        case .objectId(let v): self = .objectId(v)
        case .decimal128(let v): self = .decimal128(v)
        case .duration(let v): self = .duration(v)
        }
    }
}
