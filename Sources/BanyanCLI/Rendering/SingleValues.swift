import BanyanCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Values that are no links, as JSON; see `ObjectJSON` for the table.
enum ValueJSON {
    static func write(_ value: Value, into json: inout JSONText) {
        switch value.scalar?.json {
        case nil: json.null()
        case .bool(let v)?: json.value(v)
        case .integer(let v)?: json.value(v)
        case .float(let v)?: json.value(float: v)
        case .double(let v)?: json.value(float: v)
        case .string(let v)?: json.value(v)
        }
    }

    /// A value of an AnyValue, so that its kind can be told: see `ObjectJSON`.
    static func writeAny(_ value: Value, into json: inout JSONText) {
        guard let scalar = value.scalar, !scalar.isPlainInJSON else { return write(value, into: &json) }
        json.object { json in
            json.name("$\(value.anyKind.name)")
            write(value, into: &json)
        }
    }

    /// A map's key.
    static func text(ofKey key: Value) -> String { key.scalar?.keyText ?? key.description }
}

/// Values that are no links, for a person.
enum ValueText {
    static func of(_ value: Value) -> String {
        // What could upset a terminal, and what is too long for a line.
        if case .string(let text) = value { return Shown.plain(text) }
        if case .data(let data) = value, data.count > 24 { return Shown.bytes(UInt64(data.count)) }
        return value.scalar?.shortText ?? value.description
    }
}
