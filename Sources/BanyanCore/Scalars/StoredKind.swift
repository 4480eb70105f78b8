/// What one kind of value is: its order and its hash, its names, what it may be used for, and what its values add up to.
///
/// Each kind conforms in a file of its own. Cells that are passed in are of the kind, and not nil unless it is said.
package protocol StoredKind {
    static var valueKind: ValueKind { get }

    /// The name used in messages and in schema listings.
    static var kindName: String { get }
    /// What messages call a value, as in "a date".
    static var phrase: String { get }
    /// What a constant in a query must look like, as messages say it.
    static var constantForm: String { get }
    /// What to do where a constant of another kind stands, as messages say it; nil for the kinds that need no advice.
    static var mismatchRemedy: String? { get }
    /// What follows a required property in Swift: a value to begin with.
    static var swiftInitial: String { get }

    // MARK: Uses

    /// Whether values can be a primary key.
    static var canBeKey: Bool { get }
    /// Whether a property can have an index.
    static var canBeIndexed: Bool { get }
    /// Whether a property can have an ordered index, alone or with others.
    static var canBeOrdered: Bool { get }
    /// Whether values have an order that a query can ask about.
    static var isOrdered: Bool { get }

    // MARK: Identity and order

    /// Negative, zero or positive as `a` sorts before, with or after `b`.
    static func compareCells(_ a: Cell, _ b: Cell) -> Int
    /// Equal cells have equal hashes.
    static func hashCell(_ cell: Cell, seed: UInt64) -> UInt64
    /// The order of 12 and 16 byte values as that of integers; 0 of NaN.
    static func wideKey(_ cell: Cell) -> UInt128
    /// The cell whose key it is; nil where several values have one key.
    static func cell(wideKey: UInt128) -> Cell?
    /// All keys that a comparison other than with NaN can be true of.
    static var wideKeys: ClosedRange<UInt128> { get }
    /// The key nearest to a constant, and the sign of what it lies above the constant; nil where they are not comparable.
    ///
    /// - Parameter isExact: whether a number stands for itself; else for what it is when written with the kind's precision.
    static func wideBound(_ value: Value, isExact: Bool) -> (key: UInt128, order: Int)?

    // MARK: In AnyValues

    /// Where values stand among those of other kinds in an AnyValue; kinds with one rank compare with each other. Nil for kinds
    /// that AnyValues do not hold.
    static var anyRank: UInt8? { get }
    /// What queries call the kind in an AnyValue, the first of them in messages.
    static var typeNames: [String] { get }

    // MARK: As a number

    /// Whether values compare with those of other kinds of numbers.
    static var isNumber: Bool { get }
    /// The number that a cell holds; nil for what is none.
    static func number(_ cell: Cell) -> Number?

    // MARK: Sums

    /// The kind of a sum; nil where values do not add up.
    static var sumKind: ValueKind? { get }
    /// The kind of a mean, and of a median.
    static var meanKind: ValueKind? { get }
    /// Adds a value so many times; false for a value that does not count.
    static func add(_ cell: Cell, times: Int, to sum: inout ScalarSum) -> Bool
    static func total(_ sum: ScalarSum) -> Cell
    /// The mean of so many values, at least one.
    static func mean(_ sum: ScalarSum, count: Int) -> Cell

    // MARK: Values

    /// The value of a cell. A text cell must still be valid.
    static func value(_ cell: Cell) -> Value
    /// Whether a string in a query stands for a value.
    static var isWrittenInQuotes: Bool { get }
    /// The value a string in a query stands for; nil where it is none.
    static func value(written text: String) -> Value?
    /// The value that a key of a dictionary, or an argument of the command line, stands for.
    static func value(key text: String) -> Value?
    /// The value a string in JSON stands for.
    static func value(json text: String) -> Value?
    /// The value of a number from outside; nil where the kind has none.
    static func value(integer: Int64) -> Value?
    static func value(floatingPoint: Double) -> Value?
    /// How texts of queries write values that could be taken for another kind.
    static var taggedLiteral: TaggedLiteral? { get }
}

/// A constant with a tag, such as `b64"…"`.
package struct TaggedLiteral: Sendable {
    /// What stands before the quote.
    let tag: String
    /// What is wrong with contents that have no value.
    let misfit: String
    let value: @Sendable (String) -> Value?
}

/// A question that a kind answers by its type.
protocol KindVisitor {
    associatedtype Result
    mutating func visit<K: StoredKind>(_ kind: K.Type) -> Result
}

extension StoredKind {
    package static var constantForm: String { "a value of \(kindName)" }
    package static var mismatchRemedy: String? { nil }
    package static var swiftInitial: String { "" }
    package static var canBeKey: Bool { false }
    package static var canBeIndexed: Bool { canBeKey }
    package static var canBeOrdered: Bool { canBeIndexed }
    package static var isOrdered: Bool { true }
    package static func wideKey(_ cell: Cell) -> UInt128 { 0 }
    package static func cell(wideKey: UInt128) -> Cell? { nil }
    package static var wideKeys: ClosedRange<UInt128> { 0...(.max) }
    package static func wideBound(_ value: Value, isExact: Bool) -> (key: UInt128, order: Int)? {
        value.cell(as: valueKind).map { (wideKey($0), 0) }
    }
    package static var anyRank: UInt8? { nil }
    package static var typeNames: [String] { [] }
    package static var isNumber: Bool { false }
    package static func number(_ cell: Cell) -> Number? { nil }
    package static var sumKind: ValueKind? { nil }
    package static var meanKind: ValueKind? { nil }
    package static func add(_ cell: Cell, times: Int, to sum: inout ScalarSum) -> Bool { false }
    package static func total(_ sum: ScalarSum) -> Cell { .null }
    package static func mean(_ sum: ScalarSum, count: Int) -> Cell { .null }
    package static var isWrittenInQuotes: Bool { false }
    package static func value(written text: String) -> Value? { nil }
    package static func value(key text: String) -> Value? { value(written: text) }
    package static func value(json text: String) -> Value? { value(written: text) }
    package static func value(integer: Int64) -> Value? { nil }
    package static func value(floatingPoint: Double) -> Value? { nil }
    package static var taggedLiteral: TaggedLiteral? { nil }
}

// MARK: - Asked by kind

private struct TypeOfKind: KindVisitor {
    func visit<K: StoredKind>(_ kind: K.Type) -> any StoredKind.Type { kind }
}

private struct IsNumber: KindVisitor {
    @inline(__always)
    func visit<K: StoredKind>(_ kind: K.Type) -> Bool { kind.isNumber }
}

private struct RankInAny: KindVisitor {
    @inline(__always)
    func visit<K: StoredKind>(_ kind: K.Type) -> UInt8? { kind.anyRank }
}

private struct NumberOfCell: KindVisitor {
    let cell: Cell
    @inline(__always)
    func visit<K: StoredKind>(_ kind: K.Type) -> Number? { kind.number(cell) }
}

extension ValueKind {
    /// The type that tells what the kind is, for questions that may cost an indirect call.
    package var type: any StoredKind.Type { visit(TypeOfKind()) }

    package var name: String { type.kindName }
    package var canBeKey: Bool { type.canBeKey }
    package var canBeIndexed: Bool { type.canBeIndexed }
    package var canBeOrdered: Bool { type.canBeOrdered }
    var isOrdered: Bool { type.isOrdered }
    package var isNumber: Bool { visit(IsNumber()) }
    /// Whether values can be summed up: of AnyValues those that are numbers.
    var isSummable: Bool { type.sumKind != nil }
    var anyRank: UInt8? { visit(RankInAny()) }

    /// The number that a cell of the kind holds; nil for what is none. Nil cells are none.
    func number(_ cell: Cell) -> Number? { cell.isNull ? nil : visit(NumberOfCell(cell: cell)) }
}
