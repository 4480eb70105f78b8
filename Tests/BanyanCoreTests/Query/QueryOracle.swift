import BanyanCore
import Foundation

/// Evaluates predicates the slow and obvious way: names looked up in dictionaries, every value a `Value`, no types.
struct QueryOracle {
    private let world: QueryWorld
    /// Who links to each object, by the name of the inverse: every object was asked once for all of its links.
    private var sources: [String: [ObjectRef: [Value]]] = [:]

    /// Of a world that is complete.
    init(world: QueryWorld) {
        self.world = world
        for (name, table, property) in [
            ("clubs", QueryWorld.club, "members"), ("owners", QueryWorld.person, "dog"),
        ] {
            var found: [ObjectRef: [Value]] = [:]
            for source in world.refs(table) {
                switch world.objects[source]![property] {
                case .value(.object(let ref)): found[ref, default: []].append(.object(source))
                case .many(let values):
                    for case .object(let ref) in values { found[ref, default: []].append(.object(source)) }
                default: break
                }
            }
            sources[name] = found
        }
    }

    func matches(_ predicate: BanyanCore.Predicate, _ ref: ObjectRef) -> Bool {
        switch predicate {
        case .constant(let value): return value
        case .and(let parts): return parts.allSatisfy { matches($0, ref) }
        case .or(let parts): return parts.contains { matches($0, ref) }
        case .not(let part): return !matches(part, ref)
        case .comparison(let comparison): return holds(comparison, ref)
        }
    }

    private func holds(_ c: Comparison, _ ref: ObjectRef) -> Bool {
        let left = values(c.left, ref)
        let right = values(c.right, ref)
        func holds(_ a: Value, _ b: Value) -> Bool { relation(c.operator, a, b, c.options) }
        func pair(_ a: Value) -> Bool {
            switch c.operator {
            case .isIn: return right.contains { relation(.equal, a, $0, c.options) }
            case .between: return holds2(a, right[0], right[1])
            default: return right.contains { holds(a, $0) }
            }
        }
        func holds2(_ a: Value, _ low: Value, _ high: Value) -> Bool {
            relation(.greaterOrEqual, a, low, []) && relation(.lessOrEqual, a, high, [])
        }
        switch c.quantifier {
        case nil, .any: return left.contains(where: pair)
        case .all: return left.allSatisfy(pair)
        case Comparison.Quantifier.none?: return !left.contains(where: pair)
        }
    }

    // MARK: - Values

    func values(_ operand: Operand, _ ref: ObjectRef) -> [Value] {
        switch operand {
        case .value(let value): return [value]
        case .values(let values): return values
        case .path(let path): return follow(path.steps[...], .object(ref))
        case .aggregate(.count, let path): return [.int(Int64(follow(path.steps[...], .object(ref)).count))]
        case .aggregate(let aggregate, let path):
            let values = follow(path.steps[...], .object(ref)).filter { !$0.isNull }
            switch aggregate {
            case .minimum: return [values.min { order($0, $1)! < 0 } ?? .null]
            case .maximum: return [values.max { order($0, $1)! < 0 } ?? .null]
            default:
                let sum = values.reduce(0.0) { $0 + number($1)! }
                if aggregate == .sum { return [.double(sum)] }
                return [values.isEmpty ? .null : .double(sum / Double(values.count))]
            }
        case .subqueryCount(let path, let predicate):
            let found = follow(path.steps[...], .object(ref)).filter { value in
                if case .object(let ref) = value { matches(predicate, ref) } else { false }
            }
            return [.int(Int64(found.count))]
        }
    }

    private func follow(_ steps: ArraySlice<PropertyPath.Step>, _ start: Value) -> [Value] {
        guard case .property(let name) = steps.first else { return [start] }
        var rest = steps.dropFirst()
        guard case .object(let ref) = start else {
            // Nothing is reached through nil but nil itself, and no collection.
            return hasCollection(steps) ? [] : [.null]
        }
        switch world.objects[ref]![name] {
        case .value(let value): return follow(rest, value)
        case .many(let values): return values.flatMap { follow(rest, $0) }
        case .map(let pairs):
            switch rest.first {
            case .keys: return pairs.map(\.key)
            case .key(let key):
                rest = rest.dropFirst()
                return follow(rest, pairs.first { $0.key == key }?.value ?? .null)
            case .values: rest = rest.dropFirst()
            default: break
            }
            return pairs.flatMap { follow(rest, $0.value) }
        case nil: return inverse(name, of: ref).flatMap { follow(rest, $0) }
        }
    }

    private func hasCollection(_ steps: ArraySlice<PropertyPath.Step>) -> Bool {
        steps.contains {
            [
                .property("friends"), .property("numbers"), .property("weights"), .property("owners"),
                .property("clubs"), .property("members"), .property("kennel"), .property("tags"),
            ].contains($0)
        }
    }

    private func inverse(_ name: String, of ref: ObjectRef) -> [Value] { sources[name]![ref, default: []] }

    // MARK: - Relations

    private func relation(_ relation: Comparison.Operator, _ a: Value, _ b: Value, _ options: TextOptions) -> Bool {
        switch relation {
        case .equal: return equal(a, b, options)
        case .notEqual: return !equal(a, b, options)
        default: break
        }
        if a.isNull || b.isNull { return false }
        switch relation {
        case .less: return order(a, b).map { $0 < 0 } ?? false
        case .lessOrEqual: return order(a, b).map { $0 <= 0 } ?? false
        case .greater: return order(a, b).map { $0 > 0 } ?? false
        case .greaterOrEqual: return order(a, b).map { $0 >= 0 } ?? false
        case .beginsWith: return bytes(a, options).starts(with: bytes(b, options))
        case .endsWith: return bytes(a, options).reversed().starts(with: bytes(b, options).reversed())
        case .contains:
            let (text, part) = (bytes(a, options), bytes(b, options))
            return part.isEmpty || text.indices.contains { text[$0...].starts(with: part) }
        default: return false
        }
    }

    private func equal(_ a: Value, _ b: Value, _ options: TextOptions) -> Bool {
        if a.isNull || b.isNull { return a.isNull && b.isNull }
        if case .object = a { return a == b }
        if case .bool = a { return a == b }
        if case .string = a { return bytes(a, options) == bytes(b, options) }
        return order(a, b) == 0
    }

    private func number(_ value: Value) -> Double? {
        switch value {
        case .int(let v): Double(v)
        case .float(let v): Double(v)
        case .double(let v): v
        case .decimal128(let v): v.doubleValue
        case .date(let v): v.timeIntervalSinceReferenceDate
        default: nil
        }
    }

    /// Nil where one is NaN and the other is not.
    func order(_ a: Value, _ b: Value) -> Int? {
        if let x = number(a), let y = number(b) {
            if x.isNaN || y.isNaN { return x.isNaN && y.isNaN ? 0 : nil }
            return x < y ? -1 : x == y ? 0 : 1
        }
        let (x, y) = (bytes(a, []), bytes(b, []))
        return x.lexicographicallyPrecedes(y) ? -1 : x == y ? 0 : 1
    }

    private func bytes(_ value: Value, _ options: TextOptions) -> [UInt8] {
        switch value {
        case .string(let text):
            if options.isEmpty { return [UInt8](text.utf8) }
            var compare: String.CompareOptions = []
            if options.contains(.caseInsensitive) { compare.insert(.caseInsensitive) }
            if options.contains(.diacriticInsensitive) { compare.insert(.diacriticInsensitive) }
            return [UInt8](text.folding(options: compare, locale: nil).utf8)
        case .data(let data): return [UInt8](data)
        case .uuid(let id): return withUnsafeBytes(of: id.uuid) { [UInt8]($0) }
        case .objectId(let id): return id.bytes
        default: return []
        }
    }
}
