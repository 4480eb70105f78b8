#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

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
    case object(ObjectRef)
    /// What an AnyValue owns, by the object that stands for it.
    case list(ObjectRef)
    case dictionary(ObjectRef)

    /// Where a link leads, that of an AnyValue to what it owns included.
    package var link: ObjectRef? {
        switch self {
        case .object(let ref), .list(let ref), .dictionary(let ref): ref
        default: nil
        }
    }

    package var isNull: Bool { if case .null = self { true } else { false } }
}

extension Value {
    /// The value a cell of `kind` holds. A text cell must still be valid.
    package init(_ cell: Cell, _ kind: ValueKind) {
        guard !cell.isNull else {
            self = .null
            return
        }
        switch kind {
        case .bool: self = .bool(cell.low != 0)
        case .int8, .int16, .int32, .int: self = .int(Int64(bitPattern: cell.low))
        case .float: self = .float(Float(bitPattern: UInt32(truncatingIfNeeded: cell.low)))
        case .double: self = .double(Double(bitPattern: cell.low))
        case .date: self = .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: cell.low)))
        case .string: self = .string(Text.withBytes(cell) { String(decoding: $0, as: UTF8.self) })
        case .data: self = .data(Text.withBytes(cell) { Data($0) })
        case .uuid: self = .uuid(UUID(cell: cell))
        case .objectId: self = .objectId(ObjectId(cell: cell))
        case .decimal128: self = .decimal128(Decimal128(cell: cell))
        case .object, .embedded: self = ObjectRef(word: cell.low).map { .object($0) } ?? .null
        case .any: self.init(any: cell)
        }
    }

    private init(any cell: Cell) {
        let (kind, value) = AnyCell.open(cell)
        switch (kind, ObjectRef(word: value.low)) {
        case (.none, _): self = .null
        case (.list, let ref?): self = .list(ref)
        case (.dictionary, let ref?): self = .dictionary(ref)
        default: self = kind.valueKind.map { Value(value, $0) } ?? .null
        }
    }

    /// Calls `body` with what an AnyValue of this value is, and the cell that it opens to, which is valid only inside it.
    package func withAnyCell<R>(_ body: (AnyKind, Cell) -> R) -> R {
        func plain(_ kind: AnyKind) -> R { body(kind, kind.valueKind.flatMap { cell(as: $0) } ?? .null) }
        switch self {
        case .null: return body(.none, .null)
        case .bool: return plain(.bool)
        case .int: return plain(.int)
        case .float: return plain(.float)
        case .double: return plain(.double)
        case .date: return plain(.date)
        case .uuid: return plain(.uuid)
        case .objectId: return plain(.objectId)
        case .decimal128: return plain(.decimal128)
        case .object: return plain(.object)
        case .list(let ref): return body(.list, ref.cell)
        case .dictionary(let ref): return body(.dictionary, ref.cell)
        case .string(var text):
            return text.withUTF8 { Text.withCell(UnsafeRawBufferPointer($0)) { body(.string, $0) } }
        case .data(let data): return data.withUnsafeBytes { Text.withCell($0) { body(.data, $0) } }
        }
    }

    /// The cell for a value that is not a text; nil where the value is of another kind or out of its range.
    package func cell(as kind: ValueKind) -> Cell? {
        switch (self, kind) {
        case (.null, _): .null
        case (.bool(let v), .bool): Cell(low: v ? 1 : 0)
        case (.int(let v), .int): Cell(low: UInt64(bitPattern: v))
        case (.int(let v), .int32): Int32(exactly: v).map { _ in Cell(low: UInt64(bitPattern: v)) }
        case (.int(let v), .int16): Int16(exactly: v).map { _ in Cell(low: UInt64(bitPattern: v)) }
        case (.int(let v), .int8): Int8(exactly: v).map { _ in Cell(low: UInt64(bitPattern: v)) }
        case (.float(let v), .float): Cell(low: UInt64(v.bitPattern))
        case (.double(let v), .double): Cell(low: v.bitPattern)
        case (.date(let v), .date): Cell(low: v.timeIntervalSinceReferenceDate.bitPattern)
        case (.uuid(let v), .uuid): v.cell
        case (.objectId(let v), .objectId): v.cell
        case (.decimal128(let v), .decimal128): v.cell
        case (.object(let v), .object), (.object(let v), .embedded): v.cell
        default: nil
        }
    }
}

extension UUID {
    @inlinable
    package init(cell: Cell) {
        var words = (cell.low, cell.high)
        self = withUnsafeBytes(of: &words) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }

    @inlinable
    package var cell: Cell {
        withUnsafeBytes(of: uuid) {
            Cell(
                low: $0.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
                high: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }
}

extension Value: CustomStringConvertible {
    /// The value as it would be written in a query.
    package var description: String {
        switch self {
        case .null: "nil"
        case .bool(let v): v ? "true" : "false"
        case .int(let v): String(v)
        case .float(let v): "\(v)"
        case .double(let v): "\(v)"
        case .string(let v): "'\(v)'"
        case .data(let v): "\(v.count) bytes"
        case .date(let v): v.ISO8601Format()
        case .uuid(let v): v.uuidString
        case .objectId(let v): v.description
        case .decimal128(let v): v.description
        case .object(let v): "#\(v.table):\(v.slot)"
        case .list(let v): "a list (#\(v.table):\(v.slot))"
        case .dictionary(let v): "a dictionary (#\(v.table):\(v.slot))"
        }
    }
}
