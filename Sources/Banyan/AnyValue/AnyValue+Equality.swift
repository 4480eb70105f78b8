import BanyanCore

// Equality as queries, indexes and sets have it.

extension AnyValue: Hashable {
    /// Whether both are the same value: numbers of any two kinds by their exact value, NaN being equal to itself; lists and
    /// dictionaries by what is in them; objects as objects.
    ///
    /// - Complexity: O(1); of lists and dictionaries O(number of elements).
    public static func == (a: AnyValue, b: AnyValue) -> Bool { isEqual(a, b, level: 0) }

    public func hash(into hasher: inout Hasher) { hash(into: &hasher, level: 0) }

    /// Lists within lists, of which no graph holds as many: what is nested deeper is equal to itself alone. An unmanaged list
    /// may hold itself.
    private static var maximumLevel: Int { NestedValues.maximumDepth + 1 }

    private static func isEqual(_ a: AnyValue, _ b: AnyValue, level: Int) -> Bool {
        switch (a, b) {
        case (.object(let a), .object(let b)): return a == b
        case (.list(let a), .list(let b)):
            if a == b { return true }
            return level < maximumLevel && a.count == b.count
                && a.elementsEqual(b) { isEqual($0, $1, level: level + 1) }
        case (.dictionary(let a), .dictionary(let b)):
            if a == b { return true }
            return level < maximumLevel && a.count == b.count
                && a.allSatisfy { key, value in b[key].map { isEqual(value, $0, level: level + 1) } ?? false }
        default: return !a.isReference && !b.isReference && a.stored.isSame(as: b.stored)
        }
    }

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
