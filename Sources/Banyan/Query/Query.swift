public import BanyanCore

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

    /// The objects of a class, or a condition.
    init(_ node: Node, _ graph: Graph) { self.init(node, QueryScope(graph: graph)) }

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

    func step<Root: ObjectBase, V, R>(_ keyPath: KeyPath<Root, V>) -> Query<R> { step(keyPath, scope) }

    func step<Root: ObjectBase, V, R>(_ keyPath: KeyPath<Root, V>, _ scope: QueryScope) -> Query<R> {
        do throws(BanyanError) {
            let property = try KeyPathTracer.property(keyPath, graph)
            if case .operand(.path(let path)) = node {
                return Query<R>(.operand(.path(path.appending(property.info.name))), scope)
            }
            return Query<R>(.operand(.path(property.path)), scope)
        } catch {
            fatalError("\(error)")
        }
    }
}

/// Where a path of a query has been.
struct QueryScope {
    let graph: Graph
    /// Whether it went through a collection, so that it has several values.
    var isToMany = false
    /// How many of those must satisfy a comparison; nil, as `any`, for one.
    var quantifier: Comparison.Quantifier?

    func many(_ quantifier: Comparison.Quantifier? = nil) -> QueryScope {
        QueryScope(graph: graph, isToMany: true, quantifier: quantifier ?? self.quantifier)
    }
}

extension Graph {
    /// A Swift value as queries hold it; nil for what no value of this graph is equal to: an object that is not in
    /// it, a list that belongs to no object of it.
    func value<V: CollectionValue>(_ value: V) -> Value? {
        value._$withLookupCell(in: self) { cell in cell.map { Value($0, V._$elementType.kind) } }
    }
}

extension Query where T: ObjectBase {
    public subscript<V>(dynamicMember keyPath: KeyPath<T, V>) -> Query<V> { step(keyPath) }
}

extension Query {
    /// A property of what an optional link leads to.
    public subscript<W: ObjectBase, V>(dynamicMember keyPath: KeyPath<W, V>) -> Query<V> where T == W? { step(keyPath) }

    /// A property of the elements of a collection: a comparison with it means that one element satisfies it.
    public subscript<V>(dynamicMember keyPath: KeyPath<T.Element, V>) -> Query<V>
    where T: _ObjectSequence, T.Element: ObjectBase { step(keyPath, scope.many()) }
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

    public static func && (a: Query<Bool>, b: Query<Bool>) -> Query<Bool> {
        Query(.predicate(a.predicate && b.predicate), a.graph)
    }
    public static func || (a: Query<Bool>, b: Query<Bool>) -> Query<Bool> {
        Query(.predicate(a.predicate || b.predicate), a.graph)
    }
    public static prefix func ! (a: Query<Bool>) -> Query<Bool> { Query(.predicate(!a.predicate), a.graph) }
}

extension Query {
    func compare(_ operation: Comparison.Operator, _ right: Operand, _ options: TextOptions = []) -> Query<Bool> {
        condition(Comparison(operand, operation, right, options: options, quantifier: scope.quantifier))
    }

    func compare(_ operation: Comparison.Operator, _ right: Query<T>) -> Query<Bool> {
        condition(
            Comparison(operand, operation, right.operand, quantifier: scope.quantifier ?? right.scope.quantifier))
    }

    /// A comparison with a value. That of a custom type that is stored as an embedded object is compared by its properties;
    /// with what nothing is equal to only `!=` is true.
    func compare<V: CollectionValue>(_ operation: Comparison.Operator, with value: V) -> Query<Bool> {
        if V.isProjectedObject, value._$storedObject != nil { return members(operation, [value]) }
        if let value = graph.value(value) { return compare(operation, .value(value)) }
        switch (operation, scope.quantifier) {
        case (.notEqual, Comparison.Quantifier.none?):
            return condition(Comparison(operand, .isIn, .values([]), quantifier: .all))
        case (.notEqual, _): return Query<Bool>(.predicate(.constant(true)), graph)
        default: return condition(Comparison(operand, .isIn, .values([]), quantifier: scope.quantifier))
        }
    }

    private func condition(_ comparison: Comparison) -> Query<Bool> {
        Query<Bool>(.predicate(.comparison(comparison)), graph)
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
        return compare(.isIn, .values(values.compactMap { graph.value($0) }))
    }
}

/// A type whose values a query can order.
public protocol _QueryOrdered: CollectionValue {}
extension Int: _QueryOrdered {}
extension Int8: _QueryOrdered {}
extension Int16: _QueryOrdered {}
extension Int32: _QueryOrdered {}
extension Int64: _QueryOrdered {}
extension Float: _QueryOrdered {}
extension Double: _QueryOrdered {}
extension String: _QueryOrdered {}
extension Decimal128: _QueryOrdered {}
extension AnyValue: _QueryOrdered {}
extension Optional: _QueryOrdered where Wrapped: _QueryOrdered & _OptionalWrapped {}

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
extension Date: _QueryOrdered {}

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
