#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension Data: TextScalar {
    package static var valueKind: ValueKind { .data }
    package static var kindName: String { "Data" }
    package static var phrase: String { "data" }
    package static var constantForm: String { "Base64 written as b64'…'" }
    package static var mismatchRemedy: String? { "Write \(constantForm)" }
    package static var swiftInitial: String { " = Data()" }
    package static var anyRank: UInt8? { 4 }
    package static var typeNames: [String] { ["data", "binary"] }
    package static var isUnicode: Bool { false }
    package static var taggedLiteral: TaggedLiteral? {
        TaggedLiteral(tag: "b64", misfit: "not valid Base64") { value(json: $0) }
    }

    package var value: Value { .data(self) }
    package static func value(_ cell: Cell) -> Value { .data(Text.withBytes(cell) { Data($0) }) }
    package static func value(json text: String) -> Value? { Data(base64Encoded: text).map { .data($0) } }
    package func withCell<R>(_ body: (Cell) -> R) -> R { withUnsafeBytes { Text.withCell($0, body) } }
    package func withTextBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R? { withUnsafeBytes { body($0) } }

    package var literal: String { "b64\"\(base64EncodedString())\"" }
    package var text: String { "\(count) bytes" }
    package var shortText: String { base64EncodedString() }
    package var keyText: String { base64EncodedString() }
    package var json: ScalarJSON { .string(base64EncodedString()) }
}
