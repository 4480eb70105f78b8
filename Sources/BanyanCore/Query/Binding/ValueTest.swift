/// A comparison with constants, made ready for one kind of value: a range or a set of the kind's own machine values.
indirect enum ValueTest: Sendable, Hashable {
    /// True of no value, nil included.
    case never
    case isNil
    case bool(Bool)
    case integers(ClosedRange<Int64>)
    /// Sorted, as all the sets are.
    case integerSet([Int64])
    /// Floats, doubles and dates.
    case binaries(ClosedRange<Double>)
    case binarySet([Double])
    case isNaN
    /// Order keys of decimals, UUIDs, ObjectIds.
    case wides(ClosedRange<UInt128>)
    case wideSet([UInt128])
    /// Link words.
    case links([UInt64])
    case text(TextTest)
    case anyOf([ValueTest])
    /// Of AnyValues.
    case any(AnyTest)
    /// What an AnyValue is; nothing, the nil of a path included, is of the kind `none`.
    case kinds(Set<AnyKind>)
    /// Of AnyValues that hold a list or a dictionary, with the path to what is in those.
    case contents(NestedConstant, ResolvedPath)
    /// Of how long a text or data is.
    case length(ValueTest)

    /// Whether it is true of nil.
    var acceptsNil: Bool {
        switch self {
        case .isNil: true
        case .anyOf(let tests): tests.contains(where: \.acceptsNil)
        case .kinds(let kinds): kinds.contains(.none)
        case .length(let test): test.acceptsNil
        default: false
        }
    }

    func intersection(_ other: ValueTest) -> ValueTest {
        switch (self, other) {
        case (.integers(let a), .integers(let b)): Self.intersection(a, b).map(ValueTest.integers) ?? .never
        case (.binaries(let a), .binaries(let b)): Self.intersection(a, b).map(ValueTest.binaries) ?? .never
        case (.wides(let a), .wides(let b)): Self.intersection(a, b).map(ValueTest.wides) ?? .never
        case (.text(let a), .text(let b)): a.intersection(b).map(ValueTest.text) ?? .never
        default: .never
        }
    }

    private static func intersection<T>(_ a: ClosedRange<T>, _ b: ClosedRange<T>) -> ClosedRange<T>? {
        a.overlaps(b) ? a.clamped(to: b) : nil
    }

    /// One test for what any of several tests for equality accepts.
    static func union(_ tests: [ValueTest]) -> ValueTest {
        var integers: Set<Int64> = []
        var binaries: Set<Double> = []
        var wides: Set<UInt128> = []
        var links: Set<UInt64> = []
        var texts: Set<[UInt8]> = []
        var rest: [ValueTest] = []
        for test in tests {
            switch test {
            case .never: break
            case .integers(let range) where range.lowerBound == range.upperBound: integers.insert(range.lowerBound)
            case .binaries(let range): binaries.insert(range.lowerBound)
            case .wides(let range): wides.insert(range.lowerBound)
            case .links(let words): links.formUnion(words)
            case .text(let text):
                if case .equal(let bytes) = text.operation, text.options.isEmpty {
                    texts.insert(bytes)
                } else {
                    rest.append(test)
                }
            default: if !rest.contains(test) { rest.append(test) }
            }
        }
        var parts: [ValueTest] = []
        if integers.count == 1, let only = integers.first {
            parts.append(.integers(only...only))
        } else if !integers.isEmpty {
            parts.append(.integerSet(integers.sorted()))
        }
        if !binaries.isEmpty { parts.append(.binarySet(binaries.sorted())) }
        if !wides.isEmpty { parts.append(.wideSet(wides.sorted())) }
        if !links.isEmpty { parts.append(.links(links.sorted())) }
        if texts.count == 1, let only = texts.first {
            parts.append(.text(TextTest(.equal(only))))
        } else if !texts.isEmpty {
            parts.append(.text(TextTest(.among(texts.sorted { $0.lexicographicallyPrecedes($1) }))))
        }
        parts += rest
        return parts.isEmpty ? .never : parts.count == 1 ? parts[0] : .anyOf(parts)
    }
}

/// What is asked of an AnyValue: a test for each kind of value it may hold; others do not pass.
struct AnyTest: Sendable, Hashable {
    var tests: [AnyKind: ValueTest]
    /// The values that pass, where the tests are for equality.
    var values: [Value]?

    /// Those values as an index finds them, which takes numbers of the same value for one, whatever their kinds.
    var keys: [KeyCell]? {
        guard let values else { return nil }
        var keys: [KeyCell] = []
        for value in values {
            guard let key = KeyCell(value, .any) else { return nil }
            if !keys.contains(where: { CellOrder.equal($0.cell, key.cell, .any) }) { keys.append(key) }
        }
        return keys
    }
}

/// What is asked of the bytes of a text.
struct TextTest: Sendable, Hashable {
    enum Operation: Sendable, Hashable {
        case equal([UInt8])
        /// Sorted by bytes.
        case among([[UInt8]])
        case beginsWith([UInt8])
        case endsWith([UInt8])
        case contains([UInt8])
        case like(LikePattern)
        case between(lower: Limit?, upper: Limit?)
    }

    struct Limit: Sendable, Hashable {
        var bytes: [UInt8]
        var isIncluded: Bool
    }

    /// Operands are folded already.
    var operation: Operation
    var options: TextOptions

    init(_ operation: Operation, options: TextOptions = []) {
        self.operation = operation
        self.options = options
    }

    func intersection(_ other: TextTest) -> TextTest? {
        guard case .between(let a, let b) = operation, case .between(let c, let d) = other.operation else { return nil }
        func isBefore(_ x: Limit, _ y: Limit) -> Bool { x.bytes.lexicographicallyPrecedes(y.bytes) }
        func inner(_ x: Limit, _ y: Limit, _ takesX: Bool) -> Limit {
            x.bytes == y.bytes ? Limit(bytes: x.bytes, isIncluded: x.isIncluded && y.isIncluded) : takesX ? x : y
        }
        var lower = a ?? c
        if let a, let c { lower = inner(a, c, isBefore(c, a)) }
        var upper = b ?? d
        if let b, let d { upper = inner(b, d, isBefore(b, d)) }
        return TextTest(.between(lower: lower, upper: upper))
    }
}
