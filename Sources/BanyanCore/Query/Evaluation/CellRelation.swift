/// A relation between two values of which neither is known beforehand.
struct CellRelation: Sendable {
    let relation: Comparison.Operator
    let left: ValueKind
    let right: ValueKind
    let options: TextOptions

    func holds(_ a: Cell, _ b: Cell) -> Bool {
        switch relation {
        case .equal: return isEqual(a, b)
        case .notEqual: return !isEqual(a, b)
        default: break
        }
        if a.isNull || b.isNull { return false }
        switch relation {
        case .less: return order(a, b).map { $0 < 0 } ?? false
        case .lessOrEqual: return order(a, b).map { $0 <= 0 } ?? false
        case .greater: return order(a, b).map { $0 > 0 } ?? false
        case .greaterOrEqual: return order(a, b).map { $0 >= 0 } ?? false
        default: return withTexts(a, b) { holds($0, $1) }
        }
    }

    private func isEqual(_ a: Cell, _ b: Cell) -> Bool {
        if a.isNull || b.isNull { return a.isNull && b.isNull }
        if left.isText { return withTexts(a, b) { Text.compare($0, $1) == 0 } }
        return order(a, b) == 0
    }

    /// Nil where one is NaN and the other is not.
    private func order(_ a: Cell, _ b: Cell) -> Int? {
        if left.isNumber { return NumberOrder.compare(a, left, b, right) }
        if left == .date { return NumberOrder.compare(a.double(.date), b.double(.date)) }
        return CellOrder.compare(a, b, left)
    }

    private func withTexts(
        _ a: Cell, _ b: Cell, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        Text.withBytes(a) { x in
            Text.withBytes(b) { y in
                TextFolding.withFolded(x, options) { x in TextFolding.withFolded(y, options) { y in body(x, y) } }
            }
        }
    }

    private func holds(_ text: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        switch relation {
        case .beginsWith:
            return text.count >= other.count
                && Text.compare(UnsafeRawBufferPointer(rebasing: text[..<other.count]), other) == 0
        case .endsWith:
            return text.count >= other.count
                && Text.compare(UnsafeRawBufferPointer(rebasing: text[(text.count - other.count)...]), other) == 0
        case .contains:
            return other.count == 0
                || text.count >= other.count
                    && (0...(text.count - other.count)).contains { start in
                        Text.compare(UnsafeRawBufferPointer(rebasing: text[start..<(start + other.count)]), other) == 0
                    }
        case .like: return LikePattern(String(decoding: other, as: UTF8.self)).matches(text)
        default: return false
        }
    }
}

extension ValueKind {
    var isInteger: Bool {
        switch self {
        case .int8, .int16, .int32, .int: true
        default: false
        }
    }

    var isNumber: Bool { isInteger || self == .float || self == .double || self == .decimal128 }

    /// Whether values have an order that a query can ask about.
    var isOrdered: Bool { self != .bool && !isLink }
}
