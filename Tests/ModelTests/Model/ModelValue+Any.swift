import BanyanCore

// AnyValues: what is written down here a second time is how values of different kinds compare.

extension Value {
    /// The order of values of different kinds: numbers by value, exactly, and all others by what they are.
    static func order(any a: Value, _ b: Value) -> Int {
        if let x = a.number, let y = b.number {
            if x.isNaN || y.isNaN { return x.isNaN ? (y.isNaN ? 0 : -1) : 1 }
            if x != y { return x < y ? -1 : 1 }
            // Decimals reach beyond what a Double holds, at both ends; what the pool has between them is exact.
            return a.beyondDouble - b.beyondDouble
        }
        return a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0
    }

    /// The nearest Double; nil for what is no number.
    private var number: Double? {
        switch self {
        case .int(let value): Double(value)
        case .float(let value): Double(value)
        case .double(let value): value
        case .decimal128(let value): Double(value.description)
        default: nil
        }
    }

    /// On which side of its nearest Double a decimal is.
    private var beyondDouble: Int {
        guard case .decimal128(let value) = self, !value.isNaN, value.isFinite, let number else { return 0 }
        if number.isInfinite { return number > 0 ? -1 : 1 }
        return number == 0 && !value.isZero ? (value.description.hasPrefix("-") ? -1 : 1) : 0
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .bool: 1
        case .int, .float, .double, .decimal128: 2
        case .string: 3
        case .data: 4
        case .date: 5
        case .duration: 6
        case .objectId: 7
        case .uuid: 8
        case .object: 9
        case .list: 10
        case .dictionary: 11
        }
    }

    /// The object that stands for the list or dictionary it is.
    var nested: ObjectRef? {
        switch self {
        case .list(let ref), .dictionary(let ref): ref
        default: nil
        }
    }

    /// What goes with a property of this kind that holds it.
    func owned(by kind: ValueKind) -> ObjectRef? {
        switch kind {
        case .embedded: link
        case .any: nested
        default: nil
        }
    }
}
