// Conditions on a column of the page itself: one loop per kind of value, over the whole run when many objects are in
// question, over single ones when few are.

/// The mask of the slots that pass. Four chains, each a shift and an addition a step: nothing to mispredict, and a
/// value's own cost is all there is.
@inline(__always)
private func mask(_ test: (Int) -> Bool) -> UInt64 {
    var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var i = 15
    while i >= 0 {
        a = a &+ a &+ (test(i) ? 1 : 0)
        b = b &+ b &+ (test(i &+ 16) ? 1 : 0)
        c = c &+ c &+ (test(i &+ 32) ? 1 : 0)
        d = d &+ d &+ (test(i &+ 48) ? 1 : 0)
        i &-= 1
    }
    return (d &<< 48 | c &<< 32) | (b &<< 16 | a)
}

/// Few bits are tested one by one.
@inline(__always)
func narrowed(_ mask64: UInt64, _ test: (Int) -> Bool) -> UInt64 {
    if mask64.nonzeroBitCount > 16 { return mask64 & mask(test) }
    var kept = mask64
    var rest = mask64
    while rest != 0 {
        let slot = rest.trailingZeroBitCount
        if !test(slot) { kept &= ~(1 &<< UInt64(slot)) }
        rest &= rest &- 1
    }
    return kept
}

extension Column {
    /// The slots that have a value.
    @inline(__always)
    func presence(_ page: UnsafeRawPointer) -> UInt64 {
        presenceOffset == 0 ? ~0 : page.load(fromByteOffset: Int(presenceOffset), as: UInt64.self)
    }
}

/// The values of a column in one page.
struct ColumnRun<T: BitwiseCopyable> {
    let start: UnsafeRawPointer

    @inline(__always)
    subscript(_ slot: Int) -> T { start.load(fromByteOffset: slot &* MemoryLayout<T>.stride, as: T.self) }
}

extension Column {
    @inline(__always)
    func run<T>(_ page: UnsafeRawPointer, of type: T.Type) -> ColumnRun<T> {
        ColumnRun(start: page + Int(valueOffset))
    }
}

struct NilFilter: PageFilter {
    let column: Column
    let isLink: Bool

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        if isLink {
            let column = column
            batch.narrow { page, mask in
                let links = column.run(page, of: UInt64.self)
                return narrowed(mask) { links[$0] == 0 }
            }
        } else {
            batch.narrow { page, mask in mask & ~column.presence(page) }
        }
    }
}

struct BoolFilter: PageFilter {
    let column: Column
    let value: Bool

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        batch.narrow { page, mask in
            let bits = page.load(fromByteOffset: Int(column.valueOffset), as: UInt64.self)
            return mask & column.presence(page) & (value ? bits : ~bits)
        }
    }
}

/// A closed range of integers: one subtraction and one comparison each.
struct IntegerFilter: PageFilter {
    let column: Column
    let kind: ValueKind
    let range: ClosedRange<Int64>

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        // Chosen once a batch: a generic filter would be called unspecialised.
        switch kind.form {
        case .int8: narrow(batch, Int8.self)
        case .int16: narrow(batch, Int16.self)
        case .int32: narrow(batch, Int32.self)
        case .int64, .bit, .float32, .float64, .bytes12, .bytes16, .text, .any, .link: narrow(batch, Int64.self)
        }
    }

    @inline(__always)
    private func narrow<T: FixedWidthInteger & SignedInteger & BitwiseCopyable>(_ batch: PageBatch, _ type: T.Type) {
        guard range.lowerBound <= Int64(T.max), range.upperBound >= Int64(T.min) else {
            return batch.masks.update(repeating: 0, count: batch.count)
        }
        batch.touch(column, width: MemoryLayout<T>.size)
        let low = T(clamping: range.lowerBound)
        let span = T.Magnitude(truncatingIfNeeded: T(clamping: range.upperBound) &- low)
        let column = column
        batch.narrow { page, mask in
            let values = column.run(page, of: T.self)
            return narrowed(mask & column.presence(page)) {
                T.Magnitude(truncatingIfNeeded: values[$0] &- low) <= span
            }
        }
    }
}

/// Any of several integers.
struct IntegerSetFilter: PageFilter {
    let column: Column
    let kind: ValueKind
    /// Sorted.
    private let values: [Int64]
    private let low: Int64
    /// Which of the 64 integers from `low` on are meant, when all are among them.
    private let bits: UInt64?

    init(_ column: Column, _ kind: ValueKind, _ values: [Int64]) {
        self.column = column
        self.kind = kind
        self.values = values
        low = values.first ?? 0
        let (span, overflow) = (values.last ?? 0).subtractingReportingOverflow(low)
        bits = overflow || span > 63 ? nil : values.reduce(0) { $0 | 1 &<< UInt64($1 &- values[0]) }
    }

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        switch kind.form {
        case .int8: narrow(batch, Int8.self)
        case .int16: narrow(batch, Int16.self)
        case .int32: narrow(batch, Int32.self)
        case .int64, .bit, .float32, .float64, .bytes12, .bytes16, .text, .any, .link: narrow(batch, Int64.self)
        }
    }

    @inline(__always)
    private func narrow<T: FixedWidthInteger & SignedInteger & BitwiseCopyable>(_ batch: PageBatch, _ type: T.Type) {
        batch.touch(column, width: MemoryLayout<T>.size)
        let (low, column) = (low, column)
        if let bits {
            batch.narrow { page, mask in
                let run = column.run(page, of: T.self)
                return narrowed(mask & column.presence(page)) {
                    let offset = UInt64(bitPattern: Int64(run[$0]) &- low)
                    return offset < 64 && bits &>> offset & 1 != 0
                }
            }
        } else {
            batch.narrow { page, mask in
                let run = column.run(page, of: T.self)
                return narrowed(mask & column.presence(page)) { values.containsSorted(Int64(run[$0])) }
            }
        }
    }
}

/// A closed range of floating-point numbers. NaN is in none.
struct BinaryFilter: PageFilter {
    let column: Column
    let isFloat: Bool
    let low: Double
    let high: Double

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        if isFloat { narrow(batch, Float.self) } else { narrow(batch, Double.self) }
    }

    @inline(__always)
    private func narrow<T: BinaryFloatingPoint & BitwiseCopyable>(_ batch: PageBatch, _ type: T.Type) {
        batch.touch(column, width: MemoryLayout<T>.size)
        let (low, high, column) = (low, high, column)
        batch.narrow { page, mask in
            let values = column.run(page, of: T.self)
            return narrowed(mask & column.presence(page)) {
                let value = Double(values[$0])
                return value >= low && value <= high
            }
        }
    }
}

/// One link, or any of a few.
struct LinkWordFilter: PageFilter {
    let column: Column
    let words: [UInt64]

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        batch.narrow { page, mask in
            let links = column.run(page, of: UInt64.self)
            if words.count == 1 {
                let word = words[0]
                return narrowed(mask) { links[$0] == word }
            }
            return narrowed(mask) { words.containsSorted(links[$0]) }
        }
    }
}

/// Any other test, a cell at a time.
struct CellFilter: PageFilter {
    let column: Column
    let kind: ValueKind
    let test: any CellTest

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        batch.keep { page, slot in test.matches(column.load(kind, page, slot), view) }
    }
}

extension Array where Element: Comparable {
    /// Whether a sorted array has the element. O(log n).
    @inline(__always)
    func containsSorted(_ element: Element) -> Bool {
        var low = 0
        var high = count
        while low < high {
            let middle = (low &+ high) >> 1
            if self[middle] < element { low = middle &+ 1 } else { high = middle }
        }
        return low < count && self[low] == element
    }
}
