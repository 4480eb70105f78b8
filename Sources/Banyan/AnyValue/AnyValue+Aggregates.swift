import BanyanCore

// What AnyValues amount to: sums and means of those that are numbers, extremes of all but `.none`, in the order that
// sorting puts them in.

extension AnyValue: SummableValue {
    public static func _$sum(_ values: some Sequence<AnyValue>) -> Decimal128 { total(.sum, values) ?? 0 }
    public static func _$average(_ values: some Sequence<AnyValue>) -> Decimal128? { total(.average, values) }

    private static func total(_ aggregate: Aggregate, _ values: some Sequence<AnyValue>) -> Decimal128? {
        var total = Accumulator(aggregate, .any)
        for value in values {
            value.stored.withAnyCell { kind, cell in AnyCell.withCell(kind, cell) { total.add($0) } }
        }
        guard case .decimal128(let result) = BanyanCore.Value(total.result, .decimal128) else { return nil }
        return result
    }

    /// The first of those that come before, or after, all others.
    fileprivate static func extreme(_ order: Int, of values: some Sequence<AnyValue>) -> AnyValue? {
        var extreme: AnyValue?
        for value in values where !value.isNone {
            if let known = extreme, ComparedByCell.compare(value, known) * order <= 0 { continue }
            extreme = value
        }
        return extreme
    }
}

extension ObjectCollection where Element == AnyValue {
    /// The least of the elements that are not `.none`, in the order that sorting puts them in; nil when there are
    /// none. O(n).
    public func min() -> AnyValue? { AnyValue.extreme(-1, of: self) }

    /// The greatest of the elements that are not `.none`; nil when there are none. O(n).
    public func max() -> AnyValue? { AnyValue.extreme(1, of: self) }
}

extension ObjectCollection where Element: ObjectBase {
    /// The least value of a property that is not `.none`, in the order that sorting puts them in; nil when there is
    /// none. O(n).
    public func min(of property: KeyPath<Element, AnyValue>) -> AnyValue? {
        AnyValue.extreme(-1, of: lazy.map { $0[keyPath: property] })
    }

    /// The greatest value of a property that is not `.none`; nil when there is none. O(n).
    public func max(of property: KeyPath<Element, AnyValue>) -> AnyValue? {
        AnyValue.extreme(1, of: lazy.map { $0[keyPath: property] })
    }
}

extension Results {
    /// The least value of a property that is not `.none`, in the order that sorting puts them in; nil when there is
    /// none. O(n).
    public func min(of property: KeyPath<Element, AnyValue>) -> AnyValue? {
        extreme(.minimum, property) { AnyValue.extreme(-1, of: lazy.map { $0[keyPath: property] }) }
    }

    /// The greatest value of a property that is not `.none`; nil when there is none. O(n).
    public func max(of property: KeyPath<Element, AnyValue>) -> AnyValue? {
        extreme(.maximum, property) { AnyValue.extreme(1, of: lazy.map { $0[keyPath: property] }) }
    }

    private func extreme(
        _ aggregate: Aggregate, _ property: KeyPath<Element, AnyValue>, otherwise: () -> AnyValue?
    ) -> AnyValue? {
        guard let found = column(aggregate, property) else { return otherwise() }
        return found.isNull ? nil : swift(found, property)
    }
}
