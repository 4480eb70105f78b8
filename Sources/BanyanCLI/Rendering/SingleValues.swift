import BanyanCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Values that are no links, as JSON; see `ObjectJSON` for the table.
enum ValueJSON {
    static func write(_ value: Value, into json: inout JSONText) {
        switch value {
        case .null, .object, .list, .dictionary: json.null()
        case .bool(let v): json.value(v)
        case .int(let v): json.value(v)
        case .float(let v): json.value(float: v)
        case .double(let v): json.value(float: v)
        case .string(let v): json.value(v)
        case .data(let v): json.value(v.base64EncodedString())
        case .date(let v):
            if let text = ISODate.text(of: v) {
                json.value(text)
            } else {
                json.value(float: v.timeIntervalSinceReferenceDate)
            }
        case .uuid(let v): json.value(v.uuidString)
        case .objectId(let v): json.value(v.description)
        case .decimal128(let v): json.value(v.description)
        }
    }

    /// A value of an AnyValue, so that its kind can be told: see `ObjectJSON`.
    static func writeAny(_ value: Value, into json: inout JSONText) {
        let kind: AnyKind =
            switch value {
            case .float: .float
            case .double(let v) where !v.isFinite: .double
            case .data: .data
            case .date: .date
            case .uuid: .uuid
            case .objectId: .objectId
            case .decimal128: .decimal128
            default: .none
            }
        guard kind != .none else { return write(value, into: &json) }
        json.object { json in
            json.name("$\(kind)")
            write(value, into: &json)
        }
    }

    /// A map's key.
    static func text(ofKey key: Value) -> String {
        switch key {
        case .string(let v): v
        case .date(let v): ISODate.text(of: v) ?? "\(v.timeIntervalSinceReferenceDate)"
        case .data(let v): v.base64EncodedString()
        default: key.description
        }
    }
}

/// Values that are no links, for a person.
enum ValueText {
    static func of(_ value: Value) -> String {
        switch value {
        case .string(let v): Shown.plain(v)
        case .data(let v): v.count <= 24 ? v.base64EncodedString() : Shown.bytes(UInt64(v.count))
        case .date(let v): ISODate.text(of: v) ?? "\(v.timeIntervalSinceReferenceDate) s from 2001"
        default: value.description
        }
    }
}
