import BanyanCore
import Foundation

/// Evaluates predicates the slow and obvious way: names looked up in dictionaries, every value a `Value`, no types. Numbers
/// are ratios of whole numbers, and case and diacritics are those of a table: nothing that is tested is called.
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
        let isConstant: Bool =
            switch c.right {
            case .value, .values, .nested: true
            case .path, .aggregate, .subqueryCount: false
            }
        let right = values(c.right, ref)
        func relation(_ relation: Comparison.Operator, _ a: Value, _ b: Value, _ options: TextOptions) -> Bool {
            self.relation(relation, a, b, options, isConstant: isConstant)
        }
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
        case .nested: return []
        case .path(let path): return follow(path.steps[...], .object(ref))
        case .aggregate(.count, let path): return [.int(Int64(follow(path.steps[...], .object(ref)).count))]
        case .aggregate(let aggregate, let path):
            let values = follow(path.steps[...], .object(ref)).filter { !$0.isNull }
            switch aggregate {
            case .minimum: return [values.min { order($0, $1)! < 0 } ?? .null]
            case .maximum: return [values.max { order($0, $1)! < 0 } ?? .null]
            default:
                let integers = values.compactMap { if case .int(let value) = $0 { Int128(value) } else { nil } }
                let whole = integers.reduce(0, +)
                let isWhole = integers.count == values.count && !values.isEmpty
                let sum = isWhole ? Double(whole) : values.reduce(0.0) { $0 + number($1)! }
                if aggregate == .sum { return [isWhole ? .int(Int64(clamping: whole)) : .double(sum)] }
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

    /// - Parameter isConstant: whether `b` is written in the query.
    private func relation(
        _ relation: Comparison.Operator, _ a: Value, _ b: Value, _ options: TextOptions, isConstant: Bool
    ) -> Bool {
        switch relation {
        case .equal: return equal(a, b, options, isConstant)
        case .notEqual: return !equal(a, b, options, isConstant)
        default: break
        }
        if a.isNull || b.isNull { return false }
        func order(_ a: Value, _ b: Value) -> Int? { self.order(a, b, isConstant: isConstant) }
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

    private func equal(_ a: Value, _ b: Value, _ options: TextOptions, _ isConstant: Bool) -> Bool {
        if a.isNull || b.isNull { return a.isNull && b.isNull }
        if case .object = a { return a == b }
        if case .bool = a { return a == b }
        if case .string = a { return bytes(a, options) == bytes(b, options) }
        return order(a, b, isConstant: isConstant) == 0
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
    func order(_ a: Value, _ b: Value, isConstant: Bool = false) -> Int? {
        if let x = exact(a), let y = isConstant ? exact(constant: b, against: a) : exact(b) {
            if x == .nan || y == .nan { return x == y ? 0 : nil }
            return ExactNumber.compare(x, y)
        }
        let (x, y) = (bytes(a, []), bytes(b, []))
        return x.lexicographicallyPrecedes(y) ? -1 : x == y ? 0 : 1
    }

    private func exact(_ value: Value) -> ExactNumber? {
        if case .date(let date) = value { return ExactNumber(.double(date.timeIntervalSinceReferenceDate)) }
        return ExactNumber(value)
    }

    /// A constant with a fraction takes the precision of what it is compared with, as far as that reaches.
    private func exact(constant: Value, against stored: Value) -> ExactNumber? {
        switch (constant, stored) {
        case (.double(let v), .float) where v.isFinite && Float(v).isFinite: return ExactNumber(.float(Float(v)))
        case (.double(let v), .decimal128) where v.isFinite: return ExactNumber(printed: v.description)
        case (.float(let v), .decimal128) where v.isFinite: return ExactNumber(printed: v.description)
        case (.decimal128(let v), .double) where v.isFinite:
            let nearest = Double(v.description) ?? .infinity
            return nearest.isFinite ? ExactNumber(.double(nearest)) : ExactNumber(constant)
        case (.decimal128(let v), .float) where v.isFinite:
            let nearest = Float(v.description) ?? .infinity
            return nearest.isFinite ? ExactNumber(.float(nearest)) : ExactNumber(constant)
        default: return exact(constant)
        }
    }

    /// What is left of the letters in the pool of texts when case or diacritics do not count.
    private static let folded: [Unicode.Scalar: (lower: String, plain: String)] = [
        "é": ("é", "e"), "É": ("é", "E"), "ß": ("ss", "ß"), "Σ": ("σ", "Σ"), "ς": ("σ", "ς"), "Ο": ("ο", "Ο"),
        "Δ": ("δ", "Δ"), "å": ("å", "a"), "Å": ("å", "A"), "ñ": ("ñ", "n"), "ö": ("ö", "o"),
    ]

    private func folded(_ text: String, _ options: TextOptions) -> String {
        var result = text
        if options.contains(.diacriticInsensitive) {
            result = result.unicodeScalars.map { Self.folded[$0]?.plain ?? String($0) }.joined()
        }
        guard options.contains(.caseInsensitive) else { return result }
        return result.unicodeScalars.map {
            Self.folded[$0]?.lower
                ?? ($0.isASCII && (65...90).contains($0.value) ? String(Unicode.Scalar($0.value + 32)!) : String($0))
        }.joined()
    }

    private func bytes(_ value: Value, _ options: TextOptions) -> [UInt8] {
        switch value {
        case .string(let text): return [UInt8](folded(text, options).utf8)
        case .data(let data): return [UInt8](data)
        case .uuid(let id): return withUnsafeBytes(of: id.uuid) { [UInt8]($0) }
        case .objectId(let id): return id.bytes
        default: return []
        }
    }
}
