import BanyanCore

// Equality as queries, indexes and sets have it.

extension AnyValue: Hashable {
    /// Whether both are the same value: numbers of any two kinds by their exact value, NaN being equal to itself; lists and
    /// dictionaries by what is in them; objects as objects.
    ///
    /// - Complexity: O(1); of lists and dictionaries O(number of elements).
    public static func == (a: AnyValue, b: AnyValue) -> Bool {
        var comparison = AnyValueComparison()
        return comparison.isEqual(a, b)
    }

    public func hash(into hasher: inout Hasher) { hash(into: &hasher, level: 0) }

    /// Lists within lists, of which no graph holds as many: what is nested deeper is equal to itself alone.
    fileprivate static var maximumLevel: Int { NestedValues.maximumDepth + 1 }

    private func hash(into hasher: inout Hasher, level: Int) {
        switch self {
        case .object(let value): hasher.combine(value)
        case .list(let value):
            hasher.combine(value.count)
            // Deeper ones by their counts: a hash need not look at everything.
            guard level < 2 else { return }
            for element in value { element.hash(into: &hasher, level: level + 1) }
        case .dictionary(let value):
            hasher.combine(value.count)
            guard level < 2 else { return }
            // In any order.
            var sum = 0
            for (key, element) in value {
                var inner = Hasher()
                inner.combine(key)
                element.hash(into: &inner, level: level + 1)
                sum &+= inner.finalize()
            }
            hasher.combine(sum)
        default:
            let stored = stored
            guard let number = stored.number?.nearestDouble else { return hasher.combine(stored) }
            // Equal numbers are nearest to the same Double, and have the same hash there.
            hasher.combine(2)
            hasher.combine(number.isNaN ? .nan : number)
        }
    }

    /// Whether it is a list or a dictionary.
    var isNested: Bool {
        switch self {
        case .list, .dictionary: true
        default: false
        }
    }

    /// A list or a dictionary, with what is in it now, as queries compare with it; nil for what is neither. What no value of
    /// the graph is equal to, an object of another one or what is nested too deep, is equal to nothing in it.
    func nestedConstant(in graph: Graph) -> NestedConstant? {
        isNested ? constant(in: graph, level: 0) : nil
    }

    private func constant(in graph: Graph, level: Int) -> NestedConstant {
        // An object that there is not: a cell of a graph never holds it.
        let nothing = NestedConstant.value(.object(ObjectRef(table: Int(UInt16.max), slot: Int(UInt32.max))))
        switch self {
        case .list(let list):
            guard level < Self.maximumLevel else { return nothing }
            return .list(list.map { $0.constant(in: graph, level: level + 1) })
        case .dictionary(let map):
            guard level < Self.maximumLevel else { return nothing }
            let entries = map.map { ($0.key, $0.value.constant(in: graph, level: level + 1)) }
            return .dictionary(Dictionary(entries) { first, _ in first })
        default: return graph.value(self).map { .value($0) } ?? nothing
        }
    }
}

/// One comparison of two values, with all that is in them.
///
/// An unmanaged list may hold another one several times, and that one a third one several times, and so on: there are more ways
/// through them than could ever be gone. So each pair of such lists is compared once.
struct AnyValueComparison {
    /// Two lists or two dictionaries.
    private struct Pair: Hashable {
        let a: ObjectIdentifier
        let b: ObjectIdentifier
    }

    /// How many levels of equal values there are below the pairs that were compared; -1 while one is compared.
    private var heights: [Pair: Int] = [:]
    /// How many pairs of values were compared.
    private(set) var count = 0

    mutating func isEqual(_ a: AnyValue, _ b: AnyValue) -> Bool { height(a, b, level: 0) != nil }

    /// How many levels there are below two equal values; nil for values that are not equal.
    private mutating func height(_ a: AnyValue, _ b: AnyValue, level: Int) -> Int? {
        count += 1
        switch (a, b) {
        case (.object(let a), .object(let b)): return a == b ? 0 : nil
        case (.list(let a), .list(let b)):
            if a == b { return 0 }
            guard a.count == b.count else { return nil }
            return once(a, b, level) { comparison in
                var highest = 0
                for (a, b) in zip(a, b) {
                    guard let height = comparison.height(a, b, level: level + 1) else { return nil }
                    highest = max(highest, height)
                }
                return highest + 1
            }
        case (.dictionary(let a), .dictionary(let b)):
            if a == b { return 0 }
            guard a.count == b.count else { return nil }
            return once(a, b, level) { comparison in
                var highest = 0
                for (key, a) in a {
                    guard let b = b[key], let height = comparison.height(a, b, level: level + 1) else { return nil }
                    highest = max(highest, height)
                }
                return highest + 1
            }
        default: return !a.isReference && !b.isReference && a.stored.isSame(as: b.stored) ? 0 : nil
        }
    }

    /// Compares a pair that was not compared before. One that is being compared holds itself: it is equal to itself alone.
    private mutating func once(
        _ a: LiveCollection, _ b: LiveCollection, _ level: Int, _ compare: (inout AnyValueComparison) -> Int?
    ) -> Int? {
        guard level < AnyValue.maximumLevel else { return nil }
        // A managed one is another instance each time it is read, and is in one place only.
        guard a.handle == nil, b.handle == nil else { return compare(&self) }
        let pair = Pair(a: ObjectIdentifier(a), b: ObjectIdentifier(b))
        if let known = heights[pair] {
            return known >= 0 && level + known <= AnyValue.maximumLevel ? known : nil
        }
        heights[pair] = -1
        let height = compare(&self)
        if let height { heights[pair] = height }
        return height
    }
}
