#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A constant as the nearest value of the kind it is compared with, and on which side of the constant that value lies.
///
/// Every comparison with a constant becomes a closed range of the column's own kind, once, when the query is bound: the
/// pages are then scanned with two comparisons of machine words, however exotic the constant was.
struct Bound<Scalar: Comparable & Sendable> {
    let nearest: Scalar
    /// The sign of `nearest` minus the constant.
    let order: Int
    let next: (Scalar) -> Scalar?
    let previous: (Scalar) -> Scalar?

    /// The least value that is at or above the constant (or strictly above it); nil when there is none.
    func lowest(strictly: Bool) -> Scalar? {
        strictly ? (order > 0 ? nearest : next(nearest)) : (order >= 0 ? nearest : next(nearest))
    }

    func highest(strictly: Bool) -> Scalar? {
        strictly ? (order < 0 ? nearest : previous(nearest)) : (order <= 0 ? nearest : previous(nearest))
    }

    /// The values within `all` that stand in the relation to the constant; nil when none does.
    func range(_ relation: Comparison.Operator, in all: ClosedRange<Scalar>) -> ClosedRange<Scalar>? {
        var low: Scalar? = all.lowerBound
        var high: Scalar? = all.upperBound
        switch relation {
        case .less: high = highest(strictly: true)
        case .lessOrEqual: high = highest(strictly: false)
        case .greater: low = lowest(strictly: true)
        case .greaterOrEqual: low = lowest(strictly: false)
        default: (low, high) = order == 0 ? (nearest, nearest) : (nil, nil)
        }
        guard let low, let high, low <= high else { return nil }
        let clamped = max(low, all.lowerBound)
        return clamped <= min(high, all.upperBound) ? clamped...min(high, all.upperBound) : nil
    }
}

extension Bound<Int64> {
    /// Nil for NaN.
    init?(_ value: Number) {
        let nearest: Int64
        let order: Int
        switch value {
        case .integer(let v): (nearest, order) = (v, 0)
        case .binary(let v):
            if v.isNaN { return nil }
            if v >= 0x1p63 {
                (nearest, order) = (.max, -1)
            } else if v < -0x1p63 {
                (nearest, order) = (.min, 1)
            } else {
                let floor = v.rounded(.down)
                (nearest, order) = (Int64(floor), floor < v ? -1 : 0)
            }
        case .decimal(let v):
            if v.isNaN { return nil }
            if let whole = Int64(truncating: v) {
                (nearest, order) = (whole, NumberOrder.compare(Decimal128(whole), v) ?? 0)
            } else {
                (nearest, order) = v.isNegative ? (.min, 1) : (.max, -1)
            }
        }
        self.init(
            nearest: nearest, order: order, next: { $0 == .max ? nil : $0 + 1 }, previous: { $0 == .min ? nil : $0 - 1 }
        )
    }
}

extension Bound<Double> {
    /// Unless the value itself is asked for, a Double and a decimal count as the nearest value of the form: they may have
    /// been written in a text. Nil for NaN.
    init?(_ value: Number, form: CellForm, isExact: Bool) {
        let nearest: Double
        var order = 0
        let isFloat = form == .float32 && !isExact
        switch value {
        case .integer(let v):
            nearest = Double(v)
            order = NumberOrder.compare(nearest, v) ?? 0
        case .binary(let v):
            nearest = isFloat ? Double(Float(v)) : v
            if nearest.isInfinite { order = NumberOrder.order(nearest, v) }
        case .decimal(let v):
            nearest = isFloat ? Double(v.floatValue) : v.doubleValue
            if isExact || nearest.isInfinite { order = NumberOrder.compare(v, nearest).map { -$0 } ?? 0 }
        }
        self.init(nearest: nearest, order: order)
    }

    /// Nil for NaN.
    init?(nearest: Double, order: Int = 0) {
        if nearest.isNaN { return nil }
        self.init(
            nearest: nearest, order: order, next: { $0 == .infinity ? nil : $0.nextUp },
            previous: { $0 == -.infinity ? nil : $0.nextDown })
    }
}

extension Bound<UInt128> {
    init(key: UInt128, order: Int = 0) {
        self.init(
            nearest: key, order: order, next: { $0 == .max ? nil : $0 + 1 }, previous: { $0 == 0 ? nil : $0 - 1 })
    }
}

/// The order of 12 and 16 byte values as that of integers.
enum WideKey {
    @inline(__always)
    static func key(_ cell: Cell, _ kind: ValueKind) -> UInt128 { kind.visit(KeyOfCell(cell: cell)) }

    private struct KeyOfCell: KindVisitor {
        let cell: Cell
        @inline(__always)
        func visit<K: StoredKind>(_ kind: K.Type) -> UInt128 { kind.wideKey(cell) }
    }
}
