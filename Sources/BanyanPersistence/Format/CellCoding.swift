import BanyanCore

// Single values in payloads. Nil is said by what stands before the value, except for a link, which is its slot plus one; where
// links may lead to several types, the number of the table follows.

extension PayloadWriter {
    /// - Parameter target: the table a link leads to; negative where there are several.
    mutating func put(_ cell: Cell, _ kind: ValueKind, target: Int) {
        switch kind.form {
        case .bit: put(byte: UInt8(truncatingIfNeeded: cell.low & 1))
        case .int8, .int16, .int32, .int64: put(zigzag: Int64(bitPattern: cell.low))
        case .float32: put(u32: UInt32(truncatingIfNeeded: cell.low))
        case .float64: put(u64: cell.low)
        case .text: Text.withBytes(cell) { put(text: $0) }
        case .bytes12:
            put(u64: cell.low)
            put(u32: UInt32(truncatingIfNeeded: cell.high))
        case .bytes16:
            put(u64: cell.low)
            put(u64: cell.high)
        case .link:
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
        switch kind.form {
        case .bit:
            let value = try byte()
            guard value <= 1 else { throw PayloadFault("a Bool is \(value)") }
            return Cell(low: UInt64(value))
        case .int64: return Cell(low: UInt64(bitPattern: try zigzag()))
        case .int8: return try integer(Int8.self)
        case .int16: return try integer(Int16.self)
        case .int32: return try integer(Int32.self)
        case .float32: return Cell(low: UInt64(try u32()))
        case .float64: return Cell(low: try u64())
        case .bytes12:
            let low = try u64()
            return Cell(low: low, high: UInt64(try u32()))
        case .bytes16:
            let low = try u64()
            return Cell(low: low, high: try u64())
        case .link:
            let slot = try varint()
            guard slot <= 1 << 32 else { throw PayloadFault("a link leads to slot \(slot - 1)") }
            if slot == 0 { return .null }
            let table = target >= 0 ? target : try number(below: 1 << 16, "the type a link leads to")
            return ObjectRef(table: table, slot: Int(slot) - 1).cell
        case .text, .any: throw PayloadFault("a text where none can be")
        }
    }

    private mutating func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws(PayloadFault) -> Cell {
        let value = try zigzag()
        guard Integer(exactly: value) != nil else { throw PayloadFault("\(value) is out of range for its property") }
        return Cell(low: UInt64(bitPattern: value))
    }

    /// Any value, text or not, that is there.
    mutating func value(_ kind: ValueKind, target: Int) throws(PayloadFault) -> Value {
        switch kind.form {
        case .text:
            let bytes = try text(of: kind)
            return Text.withCell(bytes) { Value($0, kind) }
        case .any: return try anyValue()
        case .bit, .int8, .int16, .int32, .int64, .float32, .float64, .bytes12, .bytes16, .link:
            return Value(try cell(kind, target: target), kind)
        }
    }

    /// The bytes of a text.
    mutating func text(of kind: ValueKind) throws(PayloadFault) -> UnsafeRawBufferPointer {
        kind.isUnicode ? try text() : try data()
    }

    /// What an AnyValue holds.
    mutating func anyValue() throws(PayloadFault) -> Value {
        let tag = try byte()
        guard let kind = AnyKind(rawValue: tag) else { throw PayloadFault("an AnyValue is of the unknown kind \(tag)") }
        guard let valueKind = kind.valueKind else { return .null }
        let value = try value(valueKind, target: ColumnLayout.severalTables)
        guard !value.isNull else { throw PayloadFault("an AnyValue links to nothing") }
        guard let ref = value.link else { return value }
        switch kind {
        case .list: return .list(ref)
        case .dictionary: return .dictionary(ref)
        case .none, .value: return value
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
