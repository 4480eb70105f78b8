import BanyanCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Single values in payloads. Nil is said by what stands before the value, except for a link, which is its slot plus one; where
// links may lead to several types, the number of the table follows.

extension PayloadWriter {
    /// - Parameter target: the table a link leads to; negative where there are several.
    mutating func put(_ cell: Cell, _ kind: ValueKind, target: Int) {
        switch kind {
        case .bool: put(byte: UInt8(truncatingIfNeeded: cell.low & 1))
        case .int8, .int16, .int32, .int: put(zigzag: Int64(bitPattern: cell.low))
        case .float: put(u32: UInt32(truncatingIfNeeded: cell.low))
        case .double, .date: put(u64: cell.low)
        case .string, .data: Text.withBytes(cell) { put(text: $0) }
        case .objectId:
            put(u64: cell.low)
            put(u32: UInt32(truncatingIfNeeded: cell.high))
        case .uuid, .decimal128:
            put(u64: cell.low)
            put(u64: cell.high)
        case .object, .embedded:
            guard let ref = ObjectRef(word: cell.isNull ? 0 : cell.low) else { return put(byte: 0) }
            put(varint: UInt64(ref.slot) + 1)
            if target < 0 { put(count: ref.table) }
        case .any: put(any: cell)
        }
    }

    /// What the AnyValue holds, behind a byte that says what it is. Links say their table.
    private mutating func put(any cell: Cell) {
        let (kind, value) = AnyCell.open(cell)
        put(byte: kind.rawValue)
        if let valueKind = kind.valueKind { put(value, valueKind, target: ColumnLayout.severalTables) }
    }

    /// A value that may be nil without its place saying so.
    mutating func put(nilable cell: Cell, _ kind: ValueKind, isOptional: Bool, target: Int) {
        if isOptional, !kind.isLink {
            put(byte: cell.isNull ? 0 : 1)
            if cell.isNull { return }
        }
        put(cell, kind, target: target)
    }
}

extension PayloadReader {
    /// A value that is no text. `target` is the table a link leads to; negative where there are several.
    @inline(__always)
    mutating func cell(_ kind: ValueKind, target: Int) throws(PayloadFault) -> Cell {
        switch kind {
        case .bool:
            let value = try byte()
            guard value <= 1 else { throw PayloadFault("a Bool is \(value)") }
            return Cell(low: UInt64(value))
        case .int: return Cell(low: UInt64(bitPattern: try zigzag()))
        case .int8: return try integer(Int8.self)
        case .int16: return try integer(Int16.self)
        case .int32: return try integer(Int32.self)
        case .float: return Cell(low: UInt64(try u32()))
        case .double, .date: return Cell(low: try u64())
        case .objectId:
            let low = try u64()
            return Cell(low: low, high: UInt64(try u32()))
        case .uuid, .decimal128:
            let low = try u64()
            return Cell(low: low, high: try u64())
        case .object, .embedded:
            let slot = try varint()
            guard slot <= 1 << 32 else { throw PayloadFault("a link leads to slot \(slot - 1)") }
            if slot == 0 { return .null }
            let table = target >= 0 ? target : try number(below: 1 << 16, "the type a link leads to")
            return ObjectRef(table: table, slot: Int(slot) - 1).cell
        case .string, .data, .any: throw PayloadFault("a text where none can be")
        }
    }

    private mutating func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws(PayloadFault) -> Cell {
        let value = try zigzag()
        guard Integer(exactly: value) != nil else { throw PayloadFault("\(value) is out of range for its property") }
        return Cell(low: UInt64(bitPattern: value))
    }

    /// Any value, text or not, that is there.
    mutating func value(_ kind: ValueKind, target: Int) throws(PayloadFault) -> Value {
        switch kind {
        case .string: .string(String(decoding: try text(), as: UTF8.self))
        case .data: .data(.init(try data()))
        case .any: try anyValue()
        default: Value(try cell(kind, target: target), kind)
        }
    }

    /// What an AnyValue holds.
    mutating func anyValue() throws(PayloadFault) -> Value {
        let tag = try byte()
        guard let kind = AnyKind(rawValue: tag) else { throw PayloadFault("an AnyValue is of the unknown kind \(tag)") }
        guard let valueKind = kind.valueKind else { return .null }
        let value = try value(valueKind, target: ColumnLayout.severalTables)
        switch (kind, value) {
        case (.list, .object(let ref)): return .list(ref)
        case (.dictionary, .object(let ref)): return .dictionary(ref)
        case (_, .null): throw PayloadFault("an AnyValue links to nothing")
        default: return value
        }
    }

    mutating func value(nilable kind: ValueKind, isOptional: Bool, target: Int) throws(PayloadFault) -> Value {
        if isOptional, !kind.isLink, try !flag() { return .null }
        return try value(kind, target: target)
    }

    mutating func flag() throws(PayloadFault) -> Bool {
        let value = try byte()
        guard value <= 1 else { throw PayloadFault("a flag is \(value)") }
        return value == 1
    }
}
