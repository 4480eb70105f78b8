#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension UUID: ByteScalar {
    package static var valueKind: ValueKind { .uuid }
    package static var kindName: String { "UUID" }
    package static var phrase: String { "a UUID" }
    package static var constantForm: String { "a UUID such as '6F9619FF-8B86-D011-B42D-00CF4FC964FF'" }
    package static var isWrittenInQuotes: Bool { true }
    package static var mismatchRemedy: String? { "Write \(constantForm)" }
    package static var swiftInitial: String { " = UUID()" }
    package static var canBeKey: Bool { true }
    package static var anyRank: UInt8? { 8 }
    package static var typeNames: [String] { ["uuid"] }

    /// The bytes, in order.
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

    package var value: Value { .uuid(self) }
    package static func value(written text: String) -> Value? { UUID(uuidString: text).map { .uuid($0) } }
    package var text: String { uuidString }
}
