import BanyanCore

/// What a `where` closure is written with: a property, or a condition on properties.
///
/// ```swift
/// graph.objects(Person.self).where { $0.age > 30 && $0.address.city == "Oslo" }
/// ```
/// `$0` stands for the object. Its properties, and those of what it links to, are compared with values or with each other; a
/// comparison on a path through a collection means that one element satisfies it.
@dynamicMemberLookup
public struct Query<T> {
    enum Node {
        case root
        case operand(Operand)
        case predicate(BanyanCore.Predicate)
    }

    let node: Node
    let scope: QueryScope

    init(_ node: Node, _ scope: QueryScope) {
        self.node = node
        self.scope = scope
    }

    var graph: Graph { scope.graph }

    var operand: Operand {
        switch node {
        case .operand(let operand): operand
        case .root, .predicate: .path(PropertyPath(steps: []))
        }
    }

    var path: PropertyPath {
        if case .operand(.path(let path)) = node { path } else { PropertyPath(steps: []) }
    }

    /// A condition with what this is made of.
    func condition(_ predicate: BanyanCore.Predicate) -> Query<Bool> {
        Query<Bool>(.predicate(predicate), QueryScope(graph: graph, faults: scope.faults))
    }

    func step<Root: _QueriedObject, V, R>(_ keyPath: KeyPath<Root, V>) -> Query<R> { step(keyPath, scope) }

    /// A property, which must be stored. What it leads to is of no matter where it is not: the query has failed.
    func step<Root: _QueriedObject, V, R>(_ keyPath: KeyPath<Root, V>, _ scope: QueryScope) -> Query<R> {
        do throws(BanyanError) {
            let property = try KeyPathTracer.property(keyPath)
            if case .operand(.path(let path)) = node {
                return Query<R>(.operand(.path(path.appending(property.name))), scope)
            }
            return Query<R>(.operand(.path(property.path)), scope)
        } catch {
            scope.faults.note(error)
            return Query<R>(.operand(.path(PropertyPath(steps: []))), scope)
        }
    }
}

/// Where a path of a query has been.
struct QueryScope {
    let graph: Graph
    /// Where the closure says what is wrong with it.
    let faults: QueryFaults
    /// Whether it went through a collection, so that it has several values.
    var isToMany = false
    /// How many of those must satisfy a comparison; nil, as `any`, for one.
    var quantifier: Comparison.Quantifier?

    func many(_ quantifier: Comparison.Quantifier? = nil) -> QueryScope {
        QueryScope(graph: graph, faults: faults, isToMany: true, quantifier: quantifier ?? self.quantifier)
    }
}

extension Graph {
    /// A Swift value as queries hold it; nil for what no value of this graph is equal to: an object that is not in
    /// it, a list that belongs to no object of it.
    func value<V: CollectionValue>(_ value: V) -> Value? {
        value._$withLookupCell(in: self) { cell in cell.map { Value($0, V._$elementType.kind) } }
    }
}

extension Query where T: _QueriedObject {
    /// A property.
    public subscript<V>(dynamicMember keyPath: KeyPath<T, V>) -> Query<V> { step(keyPath) }
}

extension Query {
    /// A property of what an optional link leads to.
    public subscript<W: _QueriedObject, V>(dynamicMember keyPath: KeyPath<W, V>) -> Query<V> where T == W? {
        step(keyPath)
    }

    /// A property of the elements of a collection: a comparison with it means that one element satisfies it.
    public subscript<V>(dynamicMember keyPath: KeyPath<T.Element, V>) -> Query<V>
    where T: _ObjectSequence, T.Element: _QueriedObject { step(keyPath, scope.many()) }

    /// What is no property of an object: a member of a text, a number, a list.
    @available(
        *, unavailable,
        message:
            "a query knows no members of values: compare the value itself; texts, data and collections have 'count' and 'isEmpty'"
    )
    @_disfavoredOverload
    public subscript<V>(dynamicMember keyPath: KeyPath<T, V>) -> Query<V> { fatalError("unavailable") }
}

/// A collection whose elements a query path can go through.
public protocol _ObjectSequence<Element> {
    associatedtype Element
}

// MARK: - Conditions

extension Query where T == Bool {
    /// The condition; a bare Bool property means that it is true.
    var predicate: BanyanCore.Predicate {
        switch node {
        case .predicate(let predicate): predicate
        case .operand(let operand):
            .comparison(Comparison(operand, .equal, .value(.bool(true)), quantifier: scope.quantifier))
        case .root: .constant(true)
        }
    }

    public static func && (a: Query<Bool>, b: Query<Bool>) -> Query<Bool> { a.condition(a.predicate && b.predicate) }
    public static func || (a: Query<Bool>, b: Query<Bool>) -> Query<Bool> { a.condition(a.predicate || b.predicate) }
    public static prefix func ! (a: Query<Bool>) -> Query<Bool> { a.condition(!a.predicate) }
}

extension Query {
    /// The condition that this is, where it is one and no value.
    private var ownCondition: BanyanCore.Predicate? {
        if case .predicate(let predicate) = node { predicate } else { nil }
    }

    /// A condition compared with true or false, or with another one: `($0.age > 3) == true`. Nil where neither is one.
    private func compareConditions(_ operation: Comparison.Operator, _ right: Query<T>) -> Query<Bool>? {
        guard ownCondition != nil || right.ownCondition != nil, let a = self as? Query<Bool>,
            let b = right as? Query<Bool>
        else { return nil }
        let (x, y) = (a.predicate, b.predicate)
        switch operation {
        case .equal: return condition(x && y || !x && !y)
        case .notEqual: return condition(x && !y || !x && y)
        default: return nil
        }
    }
}

extension Query {
    func compare(_ operation: Comparison.Operator, _ right: Operand, _ options: TextOptions = []) -> Query<Bool> {
        condition(
            .comparison(Comparison(operand, operation, right, options: options, quantifier: scope.quantifier)))
    }

    func compare(_ operation: Comparison.Operator, _ right: Query<T>) -> Query<Bool> {
        if let conditions = compareConditions(operation, right) { return conditions }
        let quantifier = scope.quantifier ?? right.scope.quantifier
        return condition(.comparison(Comparison(operand, operation, right.operand, quantifier: quantifier)))
    }

    /// A comparison with a value. That of a custom type that is stored as an embedded object is compared by its properties;
    /// with what nothing is equal to only `!=` is true. Nothing is less or greater than nil.
    func compare<V: CollectionValue>(_ operation: Comparison.Operator, with value: V) -> Query<Bool> {
        if let own = ownCondition, let value = value as? Bool {
            return condition(value == (operation == .equal) ? own : !own)
        }
        if V.isProjectedObject, value._$storedObject != nil { return members(operation, [value]) }
        if let nested = (value as? AnyValue)?.nestedConstant(in: graph) {
            return condition(
                .comparison(Comparison(operand, operation, .nested(nested), quantifier: scope.quantifier)))
        }
        let isEquality = operation == .equal || operation == .notEqual
        if let value = graph.value(value), isEquality || !value.isNull { return compare(operation, .value(value)) }
        switch (operation, scope.quantifier) {
        case (.notEqual, Comparison.Quantifier.none?):
            return condition(.comparison(Comparison(operand, .isIn, .values([]), quantifier: .all)))
        case (.notEqual, _): return condition(.constant(true))
        default: return condition(.comparison(Comparison(operand, .isIn, .values([]), quantifier: scope.quantifier)))
        }
    }
}

extension Query where T: CollectionValue {
    /// A value of a custom type that is stored as an embedded object is compared by its properties.
    public static func == (a: Query<T>, b: T) -> Query<Bool> { a.compare(.equal, with: b) }
    public static func != (a: Query<T>, b: T) -> Query<Bool> { a.compare(.notEqual, with: b) }
    public static func == (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.equal, b) }
    public static func != (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.notEqual, b) }

    /// Whether there is no value: where one of the links on the way to it is nil, for a property that is never nil itself.
    @_disfavoredOverload
    public static func == (a: Query<T>, b: _OptionalNilComparisonType) -> Query<Bool> {
        a.compare(.equal, .value(.null))
    }
    @_disfavoredOverload
    public static func != (a: Query<T>, b: _OptionalNilComparisonType) -> Query<Bool> {
        a.compare(.notEqual, .value(.null))
    }

    /// Whether the value is one of these.
    public func `in`<S: Sequence<T>>(_ values: S) -> Query<Bool> {
        if T.isProjectedObject { return members(.equal, Array(values)) }
        let nested = values.filter { ($0 as? AnyValue)?.isNested ?? false }
        let others = compare(.isIn, .values(values.filter { !nested.contains($0) }.compactMap { graph.value($0) }))
        // Lists and dictionaries, one after the other.
        return nested.reduce(others) { found, value in
            if scope.quantifier == Comparison.Quantifier.none { return found && self == value }
            if scope.quantifier == .all {
                scope.faults.note(
                    BanyanError(
                        .invalidQuery, "whether all elements are in some lists and dictionaries cannot be asked",
                        remedy: "Ask for `any` or `none`"))
            }
            return found || self == value
        }
    }
}

/// A type whose values a query can order.
public protocol _QueryOrdered: CollectionValue {}
extension AnyValue: _QueryOrdered {}
extension Optional: _QueryOrdered where Wrapped: _QueryOrdered & _OptionalWrapped {}

extension Query where T: _QueryOrdered {
    public static func < (a: Query<T>, b: T) -> Query<Bool> { a.compare(.less, with: b) }
    public static func <= (a: Query<T>, b: T) -> Query<Bool> { a.compare(.lessOrEqual, with: b) }
    public static func > (a: Query<T>, b: T) -> Query<Bool> { a.compare(.greater, with: b) }
    public static func >= (a: Query<T>, b: T) -> Query<Bool> { a.compare(.greaterOrEqual, with: b) }
    public static func < (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.less, b) }
    public static func <= (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.lessOrEqual, b) }
    public static func > (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.greater, b) }
    public static func >= (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.greaterOrEqual, b) }

    /// Whether the value lies within the range, both ends included.
    public func contains(_ range: ClosedRange<T>) -> Query<Bool> where T: Comparable {
        compare(.between, .values([range.lowerBound, range.upperBound].compactMap { graph.value($0) }))
    }

    /// Whether the value lies within the range, its end excluded.
    public func contains(_ range: Range<T>) -> Query<Bool> where T: Comparable {
        self >= range.lowerBound && self < range.upperBound
    }
}

// MARK: - Texts

/// String and its Optional.
public protocol _QueryText {}
extension String: _QueryText {}
extension Optional: _QueryText where Wrapped == String {}
extension AnyValue: _QueryText {}

/// How texts are compared.
public struct StringOptions: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let caseInsensitive = StringOptions(rawValue: 1)
    public static let diacriticInsensitive = StringOptions(rawValue: 2)

    var core: TextOptions { TextOptions(rawValue: rawValue) }
}

extension Query where T: _QueryText {
    public func contains(_ text: String, options: StringOptions = []) -> Query<Bool> {
        compare(.contains, .value(.string(text)), options.core)
    }
    public func starts(with text: String, options: StringOptions = []) -> Query<Bool> {
        compare(.beginsWith, .value(.string(text)), options.core)
    }
    public func ends(with text: String, options: StringOptions = []) -> Query<Bool> {
        compare(.endsWith, .value(.string(text)), options.core)
    }
    /// `?` stands for one character, `*` for any number of them.
    public func like(_ pattern: String, caseInsensitive: Bool = false) -> Query<Bool> {
        compare(.like, .value(.string(pattern)), caseInsensitive ? .caseInsensitive : [])
    }
    public func equals(_ text: String?, options: StringOptions = []) -> Query<Bool> {
        compare(.equal, .value(text.map { .string($0) } ?? .null), options.core)
    }
}
