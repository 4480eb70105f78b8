/// A relation between two values of which neither is known beforehand.
struct CellRelation: Sendable {
    let relation: Comparison.Operator
    let left: ValueKind
    let right: ValueKind
    let options: TextOptions

    func holds(_ a: Cell, _ b: Cell, _ view: QueryView) -> Bool {
        if left == .any || right == .any { return holdsOfAny(a, b, view) }
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

    /// Of what AnyValues hold. Values that cannot be compared are different, and in no other relation.
    private func holdsOfAny(_ a: Cell, _ b: Cell, _ view: QueryView) -> Bool {
        if let x = AnyContents(a, left), let y = AnyContents(b, right) {
            let isEqual = x.isEqual(to: y, view.graph)
            return relation == .equal && isEqual || relation == .notEqual && !isEqual
        }
        func opened(_ cell: Cell, _ kind: ValueKind) -> (kind: ValueKind?, cell: Cell) {
            guard kind == .any else { return (cell.isNull ? nil : kind, cell) }
            let (kind, value) = AnyCell.open(cell)
            return (kind.valueKind, value)
        }
        let (x, y) = (opened(a, left), opened(b, right))
        guard let kind = x.kind, let other = y.kind else {
            let isEqual = x.kind == nil && y.kind == nil
            return relation == .equal && isEqual || relation == .notEqual && !isEqual
        }
        let isAlike = kind == other || kind.isNumber && other.isNumber
        let isAsked = !relation.isOrdering || kind.isOrdered
        let textual = !relation.isTextual || kind.form == .text && (kind.isUnicode || relation != .like)
        guard isAlike, isAsked, textual else { return relation == .notEqual && !isAlike }
        let options = kind.isUnicode ? options : []
        return CellRelation(relation: relation, left: kind, right: other, options: options).holds(x.cell, y.cell, view)
    }

    private func isEqual(_ a: Cell, _ b: Cell) -> Bool {
        if a.isNull || b.isNull { return a.isNull && b.isNull }
        if left.isText { return withTexts(a, b) { Text.compare($0, $1) == 0 } }
        return order(a, b) == 0
    }

    /// Nil where one is NaN and the other is not.
    private func order(_ a: Cell, _ b: Cell) -> Int? {
        if left.isNumber { return NumberOrder.compare(a, left, b, right) }
        // A date that is NaN is before no other.
        if left.form == .float64 { return NumberOrder.compare(a.double(left), b.double(left)) }
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
