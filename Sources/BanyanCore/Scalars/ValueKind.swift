#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// The table of kinds: the one place that lists them. What a kind is stands in its own file, as a conformance to `StoredKind`;
// everything else asks through `visit`, which the compiler specialises for each kind, so that a question costs one switch.
//
// A new kind is a case of `ValueKind` and of `Value`, a line in each of the switches below, and a file of its own.

/// What a single value is, in storage and in files. Raw values are part of the file format.
@frozen
public enum ValueKind: UInt8, Sendable, Hashable, Codable, CaseIterable {
    case bool = 1
    case int8 = 2
    case int16 = 3
    case int32 = 4
    case int = 5
    case float = 6
    case double = 7
    case string = 8
    case data = 9
    case date = 10
    case uuid = 11
    case objectId = 12
    case decimal128 = 13
    /// A link to a top-level object.
    case object = 14
    /// An object owned by the one that holds it.
    case embedded = 15
    /// Any of the others but `embedded`, or a list or a dictionary of such values: see `AnyCell`.
    case any = 16
    // 17 and 18 say in an AnyValue that it is a list or a dictionary: see `AnyKind`.
    case duration = 19
}

extension ValueKind {
    /// How a value of the kind stands in memory.
    @inlinable package var form: CellForm {
        switch self {
        case .bool: .bit
        case .int8: .int8
        case .int16: .int16
        case .int32: .int32
        case .int: .int64
        case .float: .float32
        case .double, .date: .float64
        case .string, .data: .text
        case .objectId: .bytes12
        case .uuid, .decimal128, .duration: .bytes16
        case .object, .embedded: .link
        case .any: .any
        }
    }

    /// Asks the kind something: see `KindVisitor`.
    @inline(__always)
    func visit<V: KindVisitor>(_ visitor: V) -> V.Result {
        var visitor = visitor
        return visit(with: &visitor)
    }

    @inline(__always)
    func visit<V: KindVisitor>(with visitor: inout V) -> V.Result {
        switch self {
        case .bool: visitor.visit(Bool.self)
        case .int8: visitor.visit(Int8.self)
        case .int16: visitor.visit(Int16.self)
        case .int32: visitor.visit(Int32.self)
        case .int: visitor.visit(Int64.self)
        case .float: visitor.visit(Float.self)
        case .double: visitor.visit(Double.self)
        case .string: visitor.visit(String.self)
        case .data: visitor.visit(Data.self)
        case .date: visitor.visit(Date.self)
        case .uuid: visitor.visit(UUID.self)
        case .objectId: visitor.visit(ObjectId.self)
        case .decimal128: visitor.visit(Decimal128.self)
        case .object: visitor.visit(ObjectKind.self)
        case .embedded: visitor.visit(EmbeddedKind.self)
        case .any: visitor.visit(AnyValueKind.self)
        case .duration: visitor.visit(Duration.self)
        }
    }
}

// MARK: - Values

/// A single value without its Swift type: what tools, codecs and dynamic access trade in.
package enum Value: Sendable, Hashable {
    case null
    case bool(Bool)
    /// Every integer width.
    case int(Int64)
    case float(Float)
    case double(Double)
    case string(String)
    case data(Data)
    case date(Date)
    case uuid(UUID)
    case objectId(ObjectId)
    case decimal128(Decimal128)
    case duration(Duration)
    case object(ObjectRef)
    /// What an AnyValue owns, by the object that stands for it.
    case list(ObjectRef)
    case dictionary(ObjectRef)
}

/// A question that a value answers by its type.
protocol ValueVisitor {
    associatedtype Result
    func visit<S: Scalar>(_ scalar: S) -> Result
    func visit(_ link: ObjectRef, _ kind: AnyKind) -> Result
    func visitNull() -> Result
}

extension Value {
    /// Asks the value something: see `ValueVisitor`.
    @inline(__always)
    func visit<V: ValueVisitor>(_ visitor: V) -> V.Result {
        switch self {
        case .null: visitor.visitNull()
        case .bool(let v): visitor.visit(v)
        case .int(let v): visitor.visit(v)
        case .float(let v): visitor.visit(v)
        case .double(let v): visitor.visit(v)
        case .string(let v): visitor.visit(v)
        case .data(let v): visitor.visit(v)
        case .date(let v): visitor.visit(v)
        case .uuid(let v): visitor.visit(v)
        case .objectId(let v): visitor.visit(v)
        case .decimal128(let v): visitor.visit(v)
        case .duration(let v): visitor.visit(v)
        case .object(let v): visitor.visit(v, .value(.object))
        case .list(let v): visitor.visit(v, .list)
        case .dictionary(let v): visitor.visit(v, .dictionary)
        }
    }
}
