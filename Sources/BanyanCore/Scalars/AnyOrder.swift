/// Equality, order and hash of AnyValues: of set elements, of entries of an index, in sorting and in queries.
///
/// Numbers of every kind compare by value, exactly, with NaN below all others. A Bool is no number, and a text is never equal to
/// anything but a text. Values that cannot be compared are ordered by what they are, as the kinds' ranks say: none, Bools,
/// numbers, strings, data, dates, durations, ObjectIds, UUIDs, objects, lists, dictionaries.
enum AnyOrder {
    /// Negative, zero or positive as `a` sorts before, with or after `b`.
    static func compare(_ a: Cell, _ b: Cell) -> Int {
        let (x, y) = (AnyCell.open(a), AnyCell.open(b))
        let (left, right) = (x.kind.rank, y.kind.rank)
        guard left == right else { return left < right ? -1 : 1 }
        guard let kind = x.kind.valueKind, let other = y.kind.valueKind else { return 0 }
        if kind == other { return CellOrder.compare(x.value, y.value, kind) }
        // Two kinds of numbers.
        guard let number = kind.number(x.value), let second = other.number(y.value) else { return 0 }
        return NumberOrder.compare(number, second) ?? (number.isNaN ? -1 : 1)
    }

    /// Equal values have equal hashes: numbers those of the nearest Double.
    static func hash(_ cell: Cell, seed: UInt64) -> UInt64 {
        let (kind, value) = AnyCell.open(cell)
        guard let valueKind = kind.valueKind else { return CellOrder.hash(.null, .int, seed: seed) }
        guard let number = valueKind.number(value) else { return CellOrder.hash(value, valueKind, seed: seed) }
        return CellOrder.hash(number.nearestDouble.cell, .double, seed: seed)
    }

    /// Orders as `compare` does, but for values that have the same key.
    static func sortKey(_ cell: Cell) -> UInt64 {
        let (kind, value) = AnyCell.open(cell)
        let top = UInt64(kind.rank) &<< 60
        guard case .value(let valueKind) = kind else { return top }
        if let number = valueKind.number(value) {
            return top | SortLevel.key(number.nearestDouble.cell, .double, 0) &>> 4
        }
        return top | SortLevel.key(value, valueKind, 0) &>> 4
    }
}
