public import BanyanCore

// A duration is stored exactly, in attoseconds. Coders get ISO 8601.

extension Duration: _PlainScalar, _CustomStorage, _DetachedScalar, PrimaryKeyValue, _QuerySummable, _QueryAveraged,
    SummableValue, PlainAggregate
{
    public typealias _DetachedStored = Duration
    public typealias _Detached = Duration
    @inlinable public static var _$kind: ValueKind { .duration }
    @inlinable public init(_$bits bits: _TwoWords) { self.init(cell: bits.cell) }
    @inlinable public var _$bits: _TwoWords { _TwoWords(cell) }
    @inlinable public init(_$cell cell: Cell) { self.init(cell: cell) }
    @inlinable public var _$cell: Cell { cell }

    /// Beyond what a duration holds, the nearest one within.
    public static func _$sum(_ values: some Sequence<Duration>) -> Duration { summary(.sum, of: values) ?? .zero }

    /// Rounded to the nearest attosecond.
    public static func _$average(_ values: some Sequence<Duration>) -> Duration? { summary(.average, of: values) }

    private static func summary(_ aggregate: Aggregate, of values: some Sequence<Duration>) -> Duration? {
        var accumulator = Accumulator(aggregate, .duration)
        for value in values { accumulator.add(value.cell) }
        return accumulator.result.isNull ? nil : Duration(cell: accumulator.result)
    }
}

extension Duration: _DetachedCoding {
    public var _$coded: String { iso8601 }
    public init?(_$coded text: String) { self.init(iso8601: text) }
}
