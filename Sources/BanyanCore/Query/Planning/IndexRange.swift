/// A stretch of an ordered index: values for its leading properties, and what the next one may be.
struct IndexRange: Sendable {
    /// One for each of the leading properties.
    let equal: [KeyCell]
    /// Of the property after those.
    let next: Interval?

    enum Interval: Sendable {
        /// Nil values are not in it, whatever the limits are.
        case between(lower: Limit?, upper: Limit?)
        /// Texts that begin with this one.
        case prefix(KeyCell)
    }

    struct Limit: Sendable {
        let key: KeyCell
        let isIncluded: Bool
    }

    /// Where it starts and ends. Valid as long as the range is held.
    func bounds(_ parts: [IndexPart]) -> (lower: IndexBound, upper: IndexBound) {
        let cells = equal.map(\.cell)
        switch next {
        case nil: return (IndexBound(cells: cells, isAfter: false), IndexBound(cells: cells, isAfter: true))
        case .prefix(let key):
            return (
                IndexBound(cells: cells + [key.cell], isPrefix: true, isAfter: false),
                IndexBound(cells: cells + [key.cell], isPrefix: true, isAfter: true)
            )
        case .between(let lower, let upper):
            let isOptional = parts[cells.count].isOptional
            let first =
                isOptional
                ? IndexBound(cells: cells + [.null], isAfter: true) : IndexBound(cells: cells, isAfter: false)
            return (
                lower.map { IndexBound(cells: cells + [$0.key.cell], isAfter: !$0.isIncluded) } ?? first,
                upper.map { IndexBound(cells: cells + [$0.key.cell], isAfter: $0.isIncluded) }
                    ?? IndexBound(cells: cells, isAfter: true)
            )
        }
    }
}

extension ValueTest {
    /// The values that pass, as a stretch of an ordered index; nil where they are none.
    func interval(_ kind: ValueKind) -> IndexRange.Interval? {
        func limits(_ lower: KeyCell, _ upper: KeyCell) -> IndexRange.Interval {
            .between(
                lower: IndexRange.Limit(key: lower, isIncluded: true),
                upper: IndexRange.Limit(key: upper, isIncluded: true))
        }
        switch self {
        case .integers(let range):
            guard let all = kind.integers, all.overlaps(range) else { return nil }
            let range = range.clamped(to: all)
            return limits(Self.key(range.lowerBound), Self.key(range.upperBound))
        case .binaries(let range) where kind.form == .float64:
            return limits(Self.key(range.lowerBound), Self.key(range.upperBound))
        case .binaries(let range) where kind.form == .float32:
            // The floats between two doubles.
            let (low, high) = (Float(range.lowerBound), Float(range.upperBound))
            let lower = Double(low) < range.lowerBound ? low.nextUp : low
            let upper = Double(high) > range.upperBound ? high.nextDown : high
            return limits(
                KeyCell(Cell(low: UInt64(lower.bitPattern))), KeyCell(Cell(low: UInt64(upper.bitPattern))))
        case .wides(let range):
            guard let lower = Self.key(range.lowerBound, kind), let upper = Self.key(range.upperBound, kind) else {
                return nil
            }
            return limits(lower, upper)
        case .text(let text) where text.options.isEmpty:
            switch text.operation {
            case .beginsWith(let bytes): return .prefix(KeyCell(bytes: bytes))
            case .between(let lower, let upper):
                func limit(_ limit: TextTest.Limit) -> IndexRange.Limit {
                    IndexRange.Limit(key: KeyCell(bytes: limit.bytes), isIncluded: limit.isIncluded)
                }
                return .between(lower: lower.map(limit), upper: upper.map(limit))
            default: return nil
            }
        default: return nil
        }
    }

    /// Both tests in one, where they are of one kind.
    func merged(_ other: ValueTest) -> ValueTest? {
        switch (self, other) {
        case (.integers, .integers), (.binaries, .binaries), (.wides, .wides): return intersection(other)
        case (.text(let a), .text(let b)):
            guard case .between = a.operation, case .between = b.operation, a.options.isEmpty, b.options.isEmpty else {
                return nil
            }
            return intersection(other)
        default: return nil
        }
    }
}
