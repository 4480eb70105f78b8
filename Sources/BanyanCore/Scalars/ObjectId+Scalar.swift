extension ObjectId: ByteScalar {
    package static var valueKind: ValueKind { .objectId }
    package static var kindName: String { "ObjectId" }
    package static var phrase: String { "an ObjectId" }
    package static var constantForm: String { "24 hexadecimal digits such as '507f1f77bcf86cd799439011'" }
    package static var isWrittenInQuotes: Bool { true }
    package static var mismatchRemedy: String? { "Write \(constantForm)" }
    package static var swiftInitial: String { " = ObjectId.generate()" }
    package static var canBeKey: Bool { true }
    package static var anyRank: UInt8? { 7 }
    package static var typeNames: [String] { ["objectId"] }

    /// The bytes, in order.
    @inlinable
    package init(cell: Cell) {
        self.init(
            words: (
                UInt32(truncatingIfNeeded: cell.low).bigEndian, UInt32(truncatingIfNeeded: cell.low >> 32).bigEndian,
                UInt32(truncatingIfNeeded: cell.high).bigEndian
            ))
    }

    @inlinable
    package var cell: Cell {
        let (a, b, c) = words
        return Cell(low: UInt64(a.bigEndian) | UInt64(b.bigEndian) << 32, high: UInt64(c.bigEndian))
    }

    package var value: Value { .objectId(self) }
    package static func value(written text: String) -> Value? { ObjectId(text).map { .objectId($0) } }
    package var text: String { description }
}
