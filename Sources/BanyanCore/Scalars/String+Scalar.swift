extension String: TextScalar {
    package static var valueKind: ValueKind { .string }
    package static var kindName: String { "String" }
    package static var phrase: String { "a string" }
    package static var swiftInitial: String { " = \"\"" }
    package static var canBeKey: Bool { true }
    package static var anyRank: UInt8? { 3 }
    package static var typeNames: [String] { ["string"] }
    package static var isUnicode: Bool { true }

    package var value: Value { .string(self) }
    package static func value(_ cell: Cell) -> Value {
        .string(Text.withBytes(cell) { String(decoding: $0, as: UTF8.self) })
    }
    package static func value(written text: String) -> Value? { .string(text) }
    package func withCell<R>(_ body: (Cell) -> R) -> R {
        var text = self
        return text.withUTF8 { Text.withCell(UnsafeRawBufferPointer($0), body) }
    }
    package func withTextBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R? {
        var text = self
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
    package func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    package var text: String { self }
    package var isPlainInJSON: Bool { true }
}
