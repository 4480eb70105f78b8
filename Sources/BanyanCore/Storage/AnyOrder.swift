/// Equality, order and hash of AnyValues: of set elements, of entries of an index, in sorting and in queries.
///
/// Numbers of every kind compare by value, exactly, with NaN below all others. A Bool is no number, and a text is never equal to
/// anything but a text. Values that cannot be compared are ordered by what they are: none, Bools, numbers, strings, data, dates,
/// ObjectIds, UUIDs, objects, lists, dictionaries.
enum AnyOrder {
    /// Negative, zero or positive as `a` sorts before, with or after `b`.
    static func compare(_ a: Cell, _ b: Cell) -> Int {
        let (x, y) = (AnyCell.open(a), AnyCell.open(b))
        let (left, right) = (rank(x.kind), rank(y.kind))
        guard left == right else { return left < right ? -1 : 1 }
        guard let kind = x.kind.valueKind, let other = y.kind.valueKind else { return 0 }
        if kind == other { return CellOrder.compare(x.value, y.value, kind) }
        // Two kinds of numbers.
        if let order = NumberOrder.compare(x.value, kind, y.value, other) { return order }
        return isNaN(x.value, kind) ? -1 : 1
    }

    /// Equal values have equal hashes: numbers those of the nearest Double.
    static func hash(_ cell: Cell, seed: UInt64) -> UInt64 {
        let (kind, value) = AnyCell.open(cell)
        guard let valueKind = kind.valueKind else { return CellOrder.hash(.null, .int, seed: seed) }
        guard let number = number(value, kind) else { return CellOrder.hash(value, valueKind, seed: seed) }
        return CellOrder.hash(Cell(low: number.bitPattern), .double, seed: seed)
    }

    /// Orders as `compare` does, but for values that have the same key.
    static func sortKey(_ cell: Cell) -> UInt64 {
        let (kind, value) = AnyCell.open(cell)
        let top = UInt64(rank(kind)) &<< 60
        switch kind {
        case .none, .list, .dictionary: return top
        case .string, .data: return top | SortLevel.key(value, .string, 0) &>> 4
        default:
            if let number = number(value, kind) {
                return top | SortLevel.key(Cell(low: number.bitPattern), .double, 0) &>> 4
            }
            return top | SortLevel.key(value, kind.valueKind ?? .int, 0) &>> 4
        }
    }

    private static func number(_ value: Cell, _ kind: AnyKind) -> Double? {
        switch kind {
        case .int: Double(Int64(bitPattern: value.low))
        case .float: value.double(.float)
        case .double: value.double(.double)
        case .decimal128: Decimal128(cell: value).doubleValue
        default: nil
        }
    }

    private static func isNaN(_ value: Cell, _ kind: ValueKind) -> Bool {
        kind == .decimal128 ? Decimal128(cell: value).isNaN : !kind.isInteger && value.double(kind).isNaN
    }

    private static func rank(_ kind: AnyKind) -> UInt8 {
        switch kind {
        case .none: 0
        case .bool: 1
        case .int, .float, .double, .decimal128: 2
        case .string: 3
        case .data: 4
        case .date: 5
        case .objectId: 6
        case .uuid: 7
        case .object: 8
        case .list: 9
        case .dictionary: 10
        }
    }
}
