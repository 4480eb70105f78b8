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
    let graph: Graph

    init(_ node: Node, _ graph: Graph) {
        self.node = node
        self.graph = graph
    }

    var operand: Operand {
        switch node {
        case .operand(let operand): operand
        case .root, .predicate: .path(PropertyPath(steps: []))
        }
    }

    var path: PropertyPath {
        if case .operand(.path(let path)) = node { path } else { PropertyPath(steps: []) }
    }

    func step<Root: ObjectBase, V, R>(_ keyPath: KeyPath<Root, V>) -> Query<R> {
        do throws(BanyanError) {
            let property = try KeyPathTracer.property(keyPath, graph)
            if case .operand(.path(let path)) = node {
                return Query<R>(.operand(.path(path.appending(property.info.name))), graph)
            }
            return Query<R>(.operand(.path(property.path)), graph)
        } catch {
            fatalError("\(error)")
        }
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
    where T: _ObjectSequence, T.Element: ObjectBase { step(keyPath) }
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
        case .operand(let operand): .comparison(Comparison(operand, .equal, .value(.bool(true))))
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
        Query<Bool>(.predicate(.comparison(Comparison(operand, operation, right, options: options))), graph)
    }

    /// A comparison with a value; with what nothing is equal to only `!=` is true.
    func compare<V: CollectionValue>(_ operation: Comparison.Operator, with value: V) -> Query<Bool> {
        guard let value = graph.value(value) else {
            return Query<Bool>(.predicate(.constant(operation == .notEqual)), graph)
        }
        return compare(operation, .value(value))
    }
}

extension Query where T: CollectionValue {
    /// A value of a custom type that is stored as an embedded object is compared by its properties.
    public static func == (a: Query<T>, b: T) -> Query<Bool> {
        if T.isProjectedObject, let object = b._$storedObject { return a.members(equal: object) }
        return a.compare(.equal, with: b)
    }
    public static func != (a: Query<T>, b: T) -> Query<Bool> {
        if T.isProjectedObject, let object = b._$storedObject { return !a.members(equal: object) }
        return a.compare(.notEqual, with: b)
    }
    public static func == (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.equal, b.operand) }
    public static func != (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.notEqual, b.operand) }

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
        if T.isProjectedObject {
            return values.reduce(Query<Bool>(.predicate(.constant(false)), graph)) { $0 || self == $1 }
        }
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
    public static func < (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.less, b.operand) }
    public static func <= (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.lessOrEqual, b.operand) }
    public static func > (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.greater, b.operand) }
    public static func >= (a: Query<T>, b: Query<T>) -> Query<Bool> { a.compare(.greaterOrEqual, b.operand) }

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
