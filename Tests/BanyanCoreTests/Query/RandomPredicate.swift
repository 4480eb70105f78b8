import BanyanCore
import Foundation

/// Random predicates on `Person` that make sense: operators that go with kinds, constants from the pools.
struct RandomPredicate {
    var random: QueryRandom

    struct Subject {
        var operand: Operand
        var kind: ValueKind
        var isMany = false

        init(_ path: PropertyPath, _ kind: ValueKind, many: Bool = false) {
            operand = .path(path)
            self.kind = kind
            isMany = many
        }

        init(_ operand: Operand, _ kind: ValueKind) {
            self.operand = operand
            self.kind = kind
        }
    }

    static let scalars: [Subject] = [
        Subject("id", .int), Subject("name", .string), Subject("nick", .string), Subject("age", .int),
        Subject("tiny", .int8), Subject("short", .int16), Subject("medium", .int32), Subject("score", .double),
        Subject("ratio", .float), Subject("active", .bool), Subject("flag", .bool), Subject("born", .date),
        Subject("uid", .uuid), Subject("oid", .objectId), Subject("amount", .decimal128), Subject("blob", .data),
        Subject("level", .int), Subject("name", .string), Subject("uid", .uuid), Subject("level", .int),
        Subject("flag", .bool),
    ]

    static let linked: [Subject] = [
        Subject("dog.name", .string), Subject("dog.age", .int), Subject("address.city", .string),
        Subject("address.zip", .int32), Subject("dog", .object), Subject("address", .embedded),
        Subject(PropertyPath(steps: [.property("fields"), .key(.string("Homepage"))]), .string),
        Subject(PropertyPath(steps: [.property("pets"), .key(.string("a")), .property("name")]), .string),
        Subject(PropertyPath(steps: [.property("pets"), .key(.string("a"))]), .object),
    ]

    static let many: [Subject] = [
        Subject("friends.name", .string, many: true), Subject("friends.age", .int, many: true),
        Subject("friends.nick", .string, many: true), Subject("friends.dog.name", .string, many: true),
        Subject("friends.dog", .object, many: true), Subject("friends.friends.age", .int, many: true),
        Subject("kennel.name", .string, many: true), Subject("kennel.age", .int, many: true),
        Subject("tags", .string, many: true), Subject("numbers", .int, many: true),
        Subject("fields", .string, many: true), Subject("pets.name", .string, many: true),
        Subject(PropertyPath(steps: [.property("fields"), .keys]), .string, many: true),
        Subject("clubs.title", .string, many: true), Subject("clubs.founder.age", .int, many: true),
        Subject("clubs.members.age", .int, many: true), Subject("dog.owners.age", .int, many: true),
        Subject("dog.weights", .double, many: true), Subject("kennel.weights", .double, many: true),
        Subject("clubs.founder.dog.owners.name", .string, many: true),
    ]

    static let computed: [Subject] = [
        Subject(.aggregate(.count, "friends"), .int), Subject(.aggregate(.count, "clubs"), .int),
        Subject(.aggregate(.count, "dog.owners"), .int), Subject(.aggregate(.count, "clubs.members"), .int),
        Subject(.aggregate(.count, "tags"), .int), Subject(.aggregate(.minimum, "friends.age"), .int),
        Subject(.aggregate(.maximum, "numbers"), .int), Subject(.aggregate(.sum, "friends.age"), .int),
        Subject(.aggregate(.sum, "clubs.members.age"), .int), Subject(.aggregate(.average, "friends.age"), .double),
        Subject(.aggregate(.maximum, "tags"), .string), Subject(.aggregate(.count, "fields"), .int),
        Subject(.subqueryCount("friends", .compare("age", .greater, .int(2))), .int),
        Subject(.subqueryCount("clubs.members", .compare("dog.name", .contains, .string("a"))), .int),
    ]

    mutating func predicate(depth: Int = 3) -> BanyanCore.Predicate {
        guard depth > 0, random.chance(2, in: 3) else { return .comparison(comparison()) }
        let parts = (0..<Int.random(in: 2...3, using: &random)).map { _ in predicate(depth: depth - 1) }
        switch random.next() % 5 {
        case 0: return .not(predicate(depth: depth - 1))
        case 1, 2: return .or(parts)
        default: return .and(parts)
        }
    }

    private mutating func comparison() -> Comparison {
        let subject: Subject
        switch random.next() % 10 {
        case 0..<5: subject = random.pick(Self.scalars)
        case 5, 6: subject = random.pick(Self.linked)
        case 7, 8: subject = random.pick(Self.many)
        default: subject = random.pick(Self.computed)
        }
        if random.chance(1, in: 6), let other = counterpart(subject) {
            let relation: Comparison.Operator = random.pick(
                subject.kind == .bool || subject.kind == .object
                    ? [.equal, .notEqual] : [.equal, .notEqual, .less, .greaterOrEqual])
            let quantifier = subject.isMany ? self.quantifier() : nil
            return Comparison(subject.operand, relation, other, quantifier: quantifier)
        }
        return constantComparison(subject)
    }

    /// Another property to compare with.
    private mutating func counterpart(_ subject: Subject) -> Operand? {
        let isNumber = { (kind: ValueKind) in
            kind.canBeKey && kind != .string && kind != .uuid && kind != .objectId
                || kind == .double || kind == .float || kind == .decimal128
        }
        let choices = (Self.scalars + Self.linked.filter { $0.kind != .embedded }).filter {
            $0.kind == subject.kind || isNumber($0.kind) && isNumber(subject.kind)
        }
        return choices.randomElement(using: &random)?.operand
    }

    private mutating func quantifier() -> Comparison.Quantifier? {
        switch random.next() % 4 {
        case 0: nil
        case 1: .any
        case 2: .all
        default: Comparison.Quantifier.none
        }
    }

    mutating func constantComparison(_ subject: Subject) -> Comparison {
        let quantifier = subject.isMany ? self.quantifier() : nil
        var relations: [Comparison.Operator] = [.equal, .notEqual, .isIn]
        switch subject.kind {
        case .bool, .object, .embedded: break
        case .string, .data:
            relations += [.less, .greaterOrEqual, .between, .beginsWith, .endsWith, .contains, .beginsWith, .contains]
        default: relations += [.less, .lessOrEqual, .greater, .greaterOrEqual, .between]
        }
        let relation = random.pick(relations)
        switch relation {
        case .isIn:
            let values = (0..<Int.random(in: 0...5, using: &random)).map { _ in constant(subject.kind, orNil: true) }
            return Comparison(
                subject.operand, .isIn, .values(values), options: options(subject, relation), quantifier: quantifier)
        case .between:
            let values = [constant(subject.kind, orNil: false), constant(subject.kind, orNil: false)]
            return Comparison(subject.operand, .between, .values(values), quantifier: quantifier)
        default:
            let isEquality = relation == .equal || relation == .notEqual
            return Comparison(
                subject.operand, relation, .value(constant(subject.kind, orNil: isEquality)),
                options: options(subject, relation), quantifier: quantifier)
        }
    }

    private mutating func options(_ subject: Subject, _ relation: Comparison.Operator) -> TextOptions {
        guard subject.kind == .string, relation != .less, relation != .greaterOrEqual, random.chance(1, in: 3) else {
            return []
        }
        return random.pick([.caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]])
    }

    private mutating func constant(_ kind: ValueKind, orNil: Bool) -> Value {
        if kind == .object || kind == .embedded || orNil && random.chance(1, in: 5) { return .null }
        let isNumber = [.int8, .int16, .int32, .int, .float, .double, .decimal128].contains(kind)
        // Those at the edge of what a kind can tell apart, of any kind.
        if isNumber, random.chance(1, in: 6) { return random.pick(NastyNumbers.all) }
        // Numbers of another kind, fractions for integers among them.
        if isNumber, random.chance(1, in: 3) { return ValuePool.value(random.pick([.int, .double]), &random) }
        return ValuePool.value(kind, &random)
    }
}
