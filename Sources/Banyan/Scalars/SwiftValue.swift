import BanyanCore

/// Stored scalars as Swift has them.
enum SwiftValue {
    /// Nil for nil, and for links.
    static func make(_ value: Value, _ kind: ValueKind) -> Any? { value.scalar?.swift(kind) }
}
