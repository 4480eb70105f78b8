/// How the objects worth testing are found: values or ranges that an index can look up, taken from the predicate.
struct Lookup: Sendable {
    enum Way: Sendable {
        /// Values of a column with an index that looks up single values. Distinct, so that no object is found twice.
        case values(column: Int, [KeyCell])
        /// Ranges of the index at this place. No object is in two of them.
        case ranges(place: Int, [IndexRange])
    }

    let way: Way
    /// What the objects found must still satisfy; nil when being found is enough.
    let rest: BoundPredicate?
    let type: TableLayout
    /// Which conditions of a conjunction it takes care of.
    let done: Set<Int>

    /// What it finds in a version; nil if there is no such index after all.
    func slots(in view: GraphView) -> [IndexedSlots]? {
        switch way {
        case .values(let column, let keys):
            let found = keys.compactMap { view.indexed(type.table, column, $0.cell) }
            return found.count == keys.count ? found : nil
        case .ranges(let place, let ranges):
            let parts = type.indexes[place].parts
            var found: [IndexedSlots] = []
            for range in ranges {
                let (lower, upper) = range.bounds(parts)
                let isOneValue = range.next == nil && range.equal.count == parts.count
                guard let slice = view.indexSlice(type.table, place, from: lower, to: upper, isOneValue: isOneValue)
                else { return nil }
                found.append(.slice(slice))
            }
            return found
        }
    }

    // MARK: - In words

    var description: String {
        switch way {
        case .values(let column, let keys):
            let name = "\(type.type.name).\(type.names[column])"
            let what = column == type.keyColumn ? "the primary key" : "the index of"
            return "\(Self.values(keys.count)) in \(what) \(name)"
        case .ranges(let place, let ranges): return "\(Self.ranges(ranges)) in \(type.indexName(place))"
        }
    }

    private static func values(_ count: Int) -> String { count == 1 ? "1 value" : "\(count) values" }

    private static func ranges(_ ranges: [IndexRange]) -> String {
        let isOne = ranges.count == 1
        switch ranges.first?.next {
        case nil: return values(ranges.count)
        case .between: return isOne ? "a range" : "\(ranges.count) ranges"
        case .prefix: return isOne ? "a prefix" : "\(ranges.count) prefixes"
        }
    }
}

extension TableLayout {
    /// As explanations call it.
    func indexName(_ place: Int) -> String {
        "the index of \(type.name).\(indexes[place].columns.map { names[$0] }.joined(separator: ", "))"
    }
}

struct AccessPlanner {
    let type: TableLayout

    init(layout: StoreLayout, table: Int) { type = layout.tables[table] }

    /// Choosing among more costs more than a good choice saves.
    private static var maximumLookups: Int { 4 }
    /// Combinations of values of several properties that are looked up one by one.
    private static var maximumRanges: Int { 64 }

    /// All lookups that would serve, any one of which finds all objects the predicate accepts.
    func lookups(_ predicate: BoundPredicate) -> [Lookup] {
        switch predicate {
        case .some, .or: conjunction([predicate])
        case .and(let parts): conjunction(parts)
        default: []
        }
    }

    /// Those worth a look. One that takes care of all that another does finds no more objects than that.
    static func best(of lookups: [Lookup]) -> [Lookup] {
        var best: [Lookup] = []
        for (i, lookup) in lookups.enumerated() {
            let isCovered = lookups.enumerated().contains { j, other in
                other.done.isStrictSuperset(of: lookup.done) || j < i && other.done == lookup.done
            }
            if !isCovered { best.append(lookup) }
        }
        return Array(best.prefix(maximumLookups))
    }

    private func conjunction(_ parts: [BoundPredicate]) -> [Lookup] {
        var found: [Lookup] = []
        for (i, part) in parts.enumerated() {
            if case .or(let alternatives) = part {
                if let way = disjunction(alternatives) { found.append(lookup(way, parts, done: [i])) }
            } else if let (column, test) = part.ownTest, looksUp(column), let keys = keys(column, test) {
                found.append(lookup(.values(column: column, keys), parts, done: [i]))
            }
        }
        for place in type.indexes.indices where type.indexes[place].can(.ranges) {
            if let lookup = ranges(place, parts) { found.append(lookup) }
        }
        return found
    }

    private func lookup(_ way: Lookup.Way, _ parts: [BoundPredicate], done: Set<Int>) -> Lookup {
        let others = parts.indices.filter { !done.contains($0) }.map { parts[$0] }
        return Lookup(way: way, rest: others.isEmpty ? nil : .conjunction(others), type: type, done: done)
    }

    /// Whether single values of a column are looked up.
    private func looksUp(_ column: Int) -> Bool {
        column == type.keyColumn
            || type.indexedColumns.firstIndex(of: column).map { type.indexes[$0].can(.lookup) } ?? false
    }

    /// `id == 1 OR id == 5`: alternatives that all look up the same column are one lookup of all their values.
    private func disjunction(_ parts: [BoundPredicate]) -> Lookup.Way? {
        var tests: [ValueTest] = []
        var column: Int?
        for part in parts {
            guard let (own, test) = part.ownTest, column == nil || column == own, keys(own, test) != nil else {
                return nil
            }
            column = own
            tests.append(test)
        }
        guard let column, let keys = keys(column, ValueTest.union(tests.flatMap(\.alternatives))) else { return nil }
        if looksUp(column) { return .values(column: column, keys) }
        guard let place = type.indexedColumns.firstIndex(of: column), type.indexes[place].can(.ranges) else {
            return nil
        }
        let ranges = possible(keys, column).map { IndexRange(equal: [$0], next: nil) }
        return .ranges(place: place, ranges)
    }

    /// The values a test asks a column for; nil for tests other than equality.
    private func keys(_ column: Int, _ test: ValueTest) -> [KeyCell]? { test.keys(type.columns[column].kind) }

    /// The values that can be there: an ordered index has no place for others.
    private func possible(_ keys: [KeyCell], _ column: Int) -> [KeyCell] {
        let info = type.columns[column]
        return keys.filter { key in
            if key.cell.isNull { return info.isOptional }
            return info.kind.integers.map { $0.contains(Int64(bitPattern: key.cell.low)) } ?? true
        }
    }

    /// Equality in the leading properties of an ordered index, and a range of the next one.
    private func ranges(_ place: Int, _ parts: [BoundPredicate]) -> Lookup? {
        var equal: [[KeyCell]] = [[]]
        var done: Set<Int> = []
        var next: IndexRange.Interval?
        for column in type.indexes[place].columns {
            let own = parts.indices.filter { parts[$0].ownTest?.column == column }
            if let (i, keys) = firstKeys(column, own, parts),
                equal.count == 1 || equal.count * keys.count <= Self.maximumRanges
            {
                equal = equal.flatMap { values in keys.map { values + [$0] } }
                done.insert(i)
                continue
            }
            if let interval = interval(place, column, own, parts, &done) { next = interval }
            break
        }
        guard !done.isEmpty else { return nil }
        let ranges = equal.map { IndexRange(equal: $0, next: next) }
        return lookup(.ranges(place: place, ranges), parts, done: done)
    }

    private func firstKeys(_ column: Int, _ own: [Int], _ parts: [BoundPredicate]) -> (Int, [KeyCell])? {
        for i in own {
            if let test = parts[i].ownTest?.test, let keys = keys(column, test) { return (i, possible(keys, column)) }
        }
        return nil
    }

    /// What those parts of a conjunction that are ranges of one column leave of it; they are done with then.
    private func interval(
        _ place: Int, _ column: Int, _ own: [Int], _ parts: [BoundPredicate], _ done: inout Set<Int>
    ) -> IndexRange.Interval? {
        let kind = type.columns[column].kind
        func serves(_ interval: IndexRange.Interval) -> Bool {
            switch interval {
            case .between: true
            case .prefix: type.indexes[place].can(.prefixes)
            }
        }
        var whole: ValueTest?
        for i in own {
            guard let test = parts[i].ownTest?.test, let found = test.interval(kind), serves(found) else { continue }
            if let before = whole {
                guard let both = before.merged(test), both.interval(kind) != nil else { continue }
                whole = both
            } else {
                whole = test
            }
            done.insert(i)
        }
        return whole?.interval(kind)
    }
}

extension BoundPredicate {
    /// A test of a property of the object itself, which the object must pass.
    fileprivate var ownTest: (column: Int, test: ValueTest)? {
        guard case .some(let path, let test, isNegated: false) = self, let column = path.ownColumn else { return nil }
        return (column, test)
    }
}

extension ValueTest {
    /// Tests for equality, one value or set each, whose union this is.
    fileprivate var alternatives: [ValueTest] {
        switch self {
        case .integerSet(let values): values.map { .integers($0...$0) }
        case .binarySet(let values): values.map { .binaries($0...$0) }
        case .wideSet(let values): values.map { .wides($0...$0) }
        case .text(let text):
            if case .among(let several) = text.operation, text.options.isEmpty {
                several.map { .text(TextTest(.equal($0))) }
            } else {
                [self]
            }
        case .anyOf(let tests): tests.flatMap(\.alternatives)
        default: [self]
        }
    }

    /// The values that pass; nil where they cannot be listed.
    fileprivate func keys(_ kind: ValueKind) -> [KeyCell]? {
        switch self {
        case .never: return []
        case .isNil: return [KeyCell(.null)]
        case .any(let test): return test.keys
        case .bool(let value): return [KeyCell(Cell(low: value ? 1 : 0))]
        case .integers(let range) where range.lowerBound == range.upperBound: return [Self.key(range.lowerBound)]
        case .integerSet(let values): return values.map(Self.key)
        case .binaries(let range) where range.lowerBound == range.upperBound && kind.form == .float64:
            return [Self.key(range.lowerBound)]
        case .binarySet(let values) where kind.form == .float64: return values.map(Self.key)
        case .wides(let range) where range.lowerBound == range.upperBound:
            return Self.key(range.lowerBound, kind).map { [$0] }
        case .wideSet(let values):
            let keys = values.compactMap { Self.key($0, kind) }
            return keys.count == values.count ? keys : nil
        case .text(let text) where text.options.isEmpty:
            switch text.operation {
            case .equal(let bytes): return [KeyCell(bytes: bytes)]
            case .among(let several): return several.map(KeyCell.init(bytes:))
            default: return nil
            }
        case .anyOf(let tests):
            var keys: [KeyCell] = []
            for test in tests {
                guard let some = test.keys(kind) else { return nil }
                keys += some
            }
            return keys
        default: return nil
        }
    }

    static func key(_ value: Int64) -> KeyCell { KeyCell(Cell(low: UInt64(bitPattern: value))) }
    static func key(_ value: Double) -> KeyCell { KeyCell(Cell(low: value.bitPattern)) }

    /// Nil where several values have this key.
    static func key(_ wide: UInt128, _ kind: ValueKind) -> KeyCell? { kind.type.cell(wideKey: wide).map(KeyCell.init) }
}
