/// How the objects worth testing are found: values that an index can look up, taken from the predicate.
struct Lookup: Sendable {
    let column: Column
    let index: Int
    /// Distinct, so that no object is found twice.
    let keys: [KeyCell]
    /// What the objects found must still satisfy; nil when being found is enough.
    let rest: BoundPredicate?
    let type: TableLayout

    var description: String {
        let name = type.type.properties[index].name
        let what = index == type.keyColumn ? "the primary key" : "the index of"
        let values = keys.count == 1 ? "1 value" : "\(keys.count) values"
        return "\(values) in \(what) \(type.type.name).\(name)"
    }
}

struct AccessPlanner {
    let layout: StoreLayout
    let table: Int

    /// Choosing among more costs more than a good choice saves.
    private static var maximumLookups: Int { 4 }

    /// The lookups that would serve, any one of which finds all objects the predicate accepts.
    func lookups(_ predicate: BoundPredicate) -> [Lookup] {
        switch predicate {
        case .some(let path, let test, isNegated: false):
            guard let column = path.ownColumn, let keys = keys(column, test) else { return [] }
            return [lookup(column, keys, rest: nil)]
        case .and(let parts):
            var found: [Lookup] = []
            for i in parts.indices where found.count < Self.maximumLookups {
                for candidate in lookups(parts[i]) {
                    var others = parts
                    others.remove(at: i)
                    if let rest = candidate.rest { others.append(rest) }
                    found.append(lookup(candidate.index, candidate.keys, rest: .conjunction(others)))
                }
            }
            return found
        case .or(let parts): return disjunction(parts).map { [$0] } ?? []
        default: return []
        }
    }

    /// `id == 1 OR id == 5`: alternatives that all look up the same column are one lookup of all their values.
    private func disjunction(_ parts: [BoundPredicate]) -> Lookup? {
        var tests: [ValueTest] = []
        var column: Int?
        for part in parts {
            guard case .some(let path, let test, isNegated: false) = part, let own = path.ownColumn,
                column == nil || column == own, keys(own, test) != nil
            else { return nil }
            column = own
            tests.append(test)
        }
        guard let column, let keys = keys(column, ValueTest.union(tests.flatMap(\.alternatives))) else { return nil }
        return lookup(column, keys, rest: nil)
    }

    private func lookup(_ column: Int, _ keys: [KeyCell], rest: BoundPredicate?) -> Lookup {
        let type = layout.tables[table]
        return Lookup(column: type.page.columns[column], index: column, keys: keys, rest: rest, type: type)
    }

    /// The values a test asks an indexed column for; nil for other columns, and for tests other than equality.
    private func keys(_ column: Int, _ test: ValueTest) -> [KeyCell]? {
        let type = layout.tables[table]
        guard column == type.keyColumn || type.indexedColumns.contains(column) else { return nil }
        return test.keys(type.columns[column].kind)
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
        case .bool(let value): return [KeyCell(Cell(low: value ? 1 : 0))]
        case .integers(let range) where range.lowerBound == range.upperBound: return [Self.key(range.lowerBound)]
        case .integerSet(let values): return values.map(Self.key)
        case .binaries(let range) where range.lowerBound == range.upperBound && kind != .float:
            return [KeyCell(Cell(low: range.lowerBound.bitPattern))]
        case .binarySet(let values) where kind != .float: return values.map { KeyCell(Cell(low: $0.bitPattern)) }
        case .wides(let range) where range.lowerBound == range.upperBound && kind != .decimal128:
            return [Self.key(range.lowerBound)]
        case .wideSet(let values) where kind != .decimal128: return values.map(Self.key)
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

    private static func key(_ value: Int64) -> KeyCell { KeyCell(Cell(low: UInt64(bitPattern: value))) }

    private static func key(_ wide: UInt128) -> KeyCell {
        KeyCell(
            Cell(
                low: UInt64(truncatingIfNeeded: wide >> 64).bigEndian, high: UInt64(truncatingIfNeeded: wide).bigEndian)
        )
    }
}
