import BanyanCore

/// Stored scalars as Swift has them.
enum SwiftValue {
    /// Nil for nil, and for links.
    static func make(_ value: Value, _ kind: ValueKind) -> Any? {
        switch value {
        case .null, .object, .list, .dictionary: nil
        case .bool(let v): v
        case .int(let v):
            switch kind {
            case .int8: Int8(exactly: v)
            case .int16: Int16(exactly: v)
            case .int32: Int32(exactly: v)
            default: Int(v)
            }
        case .float(let v): v
        case .double(let v): v
        case .string(let v): v
        case .data(let v): v
        case .date(let v): v
        case .uuid(let v): v
        case .objectId(let v): v
        case .decimal128(let v): v
        }
    }
}
