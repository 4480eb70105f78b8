/// A condition on a single value, wherever it stands: the elements of collections are tested with it, and columns of
/// kinds that have no loop of their own.
protocol CellTest: Sendable {
    func matches(_ cell: Cell, _ view: QueryView) -> Bool
}

struct NilTest: CellTest {
    func matches(_ cell: Cell, _ view: QueryView) -> Bool { cell.isNull }
}

struct NeverTest: CellTest {
    func matches(_ cell: Cell, _ view: QueryView) -> Bool { false }
}

struct BoolTest: CellTest {
    let value: Bool
    func matches(_ cell: Cell, _ view: QueryView) -> Bool { !cell.isNull && (cell.low != 0) == value }
}

struct IntegerTest: CellTest {
    let range: ClosedRange<Int64>
    func matches(_ cell: Cell, _ view: QueryView) -> Bool {
        !cell.isNull && range.contains(Int64(bitPattern: cell.low))
    }
}

struct IntegerSetTest: CellTest {
    let values: [Int64]
    func matches(_ cell: Cell, _ view: QueryView) -> Bool {
        !cell.isNull && values.containsSorted(Int64(bitPattern: cell.low))
    }
}

/// Floats, doubles, dates.
struct BinaryTest: CellTest {
    let range: ClosedRange<Double>
    let kind: ValueKind
    func matches(_ cell: Cell, _ view: QueryView) -> Bool { !cell.isNull && range.contains(cell.double(kind)) }
}

struct BinarySetTest: CellTest {
    let values: [Double]
    let kind: ValueKind
    func matches(_ cell: Cell, _ view: QueryView) -> Bool { !cell.isNull && values.containsSorted(cell.double(kind)) }
}

struct NaNTest: CellTest {
    let kind: ValueKind
    func matches(_ cell: Cell, _ view: QueryView) -> Bool { !cell.isNull && cell.double(kind).isNaN }
}

/// Decimals, UUIDs, ObjectIds.
struct WideTest: CellTest {
    let range: ClosedRange<UInt128>
    let kind: ValueKind
    func matches(_ cell: Cell, _ view: QueryView) -> Bool { !cell.isNull && range.contains(WideKey.key(cell, kind)) }
}

struct WideSetTest: CellTest {
    let values: [UInt128]
    let kind: ValueKind
    func matches(_ cell: Cell, _ view: QueryView) -> Bool {
        !cell.isNull && values.containsSorted(WideKey.key(cell, kind))
    }
}

struct LinkTest: CellTest {
    let words: [UInt64]
    func matches(_ cell: Cell, _ view: QueryView) -> Bool { !cell.isNull && words.containsSorted(cell.low) }
}

struct AnyOfTest: CellTest {
    let tests: [any CellTest]
    func matches(_ cell: Cell, _ view: QueryView) -> Bool { tests.contains { $0.matches(cell, view) } }
}

struct AnyCellTest: CellTest {
    let tests: [AnyKind: any CellTest]
    func matches(_ cell: Cell, _ view: QueryView) -> Bool {
        let (kind, value) = AnyCell.open(cell)
        return tests[kind]?.matches(value, view) ?? false
    }
}

struct AnyKindTest: CellTest {
    let kinds: Set<AnyKind>
    func matches(_ cell: Cell, _ view: QueryView) -> Bool { kinds.contains(AnyCell.kind(cell)) }
}

struct LengthTest: CellTest {
    let test: any CellTest
    /// Of the text.
    let kind: ValueKind
    func matches(_ cell: Cell, _ view: QueryView) -> Bool { test.matches(TextLength.cell(cell, kind), view) }
}

struct TextCellTest: CellTest {
    let matcher: TextMatcher
    func matches(_ cell: Cell, _ view: QueryView) -> Bool {
        !cell.isNull && Text.withBytes(cell) { matcher.matches($0) }
    }
}

extension Cell {
    /// The number of a float, double or date.
    @inline(__always)
    func double(_ kind: ValueKind) -> Double {
        kind.form == .float32 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: low))) : Double(bitPattern: low)
    }
}

extension ValueTest {
    /// The test for single values of `kind`.
    func cellTest(_ kind: ValueKind) -> any CellTest {
        switch self {
        case .never: return NeverTest()
        case .isNil: return NilTest()
        case .bool(let value): return BoolTest(value: value)
        case .integers(let range): return IntegerTest(range: range)
        case .integerSet(let values): return IntegerSetTest(values: values)
        case .binaries(let range): return BinaryTest(range: range, kind: kind)
        case .binarySet(let values): return BinarySetTest(values: values, kind: kind)
        case .isNaN: return NaNTest(kind: kind)
        case .wides(let range): return WideTest(range: range, kind: kind)
        case .wideSet(let values): return WideSetTest(values: values, kind: kind)
        case .links(let words): return LinkTest(words: words)
        case .text(let text): return TextCellTest(matcher: TextMatcher(text))
        case .anyOf(let tests): return AnyOfTest(tests: tests.map { $0.cellTest(kind) })
        case .any(let test):
            var tests: [AnyKind: any CellTest] = [:]
            for (kind, inner) in test.tests { tests[kind] = inner.cellTest(kind.valueKind ?? .int) }
            return AnyCellTest(tests: tests)
        case .kinds(let kinds): return AnyKindTest(kinds: kinds)
        case .contents(let contents, _): return ContentsTest(contents)
        case .length(let test): return LengthTest(test: test.cellTest(.int), kind: kind)
        }
    }

    /// The filter for a column of a table's own pages.
    func filter(_ column: Column, _ kind: ValueKind) -> any PageFilter {
        let never = ConstantFilter(value: false)
        switch self {
        case .never: return never
        case .isNil where kind == .any: return CellFilter(column: column, kind: kind, test: NilTest())
        case .isNil: return NilFilter(column: column, isLink: kind.isLink)
        case .bool(let value): return BoolFilter(column: column, value: value)
        case .integers(let range): return IntegerFilter(column: column, kind: kind, range: range)
        case .integerSet(let values): return IntegerSetFilter(column, kind, values)
        case .binaries(let range):
            return BinaryFilter(
                column: column, isFloat: kind.form == .float32, low: range.lowerBound, high: range.upperBound)
        case .links(let words): return LinkWordFilter(column: column, words: words)
        case .text(let text): return text.filter(column)
        case .anyOf(let tests): return OrFilter(parts: tests.map { $0.filter(column, kind) })
        default: return CellFilter(column: column, kind: kind, test: cellTest(kind))
        }
    }
}
