#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A cell made from a constant; it owns the block when that is a long text.
final class KeyCell: @unchecked Sendable {
    // Sound: never written after init.
    let cell: Cell
    private let block: UnsafeMutableRawPointer?

    /// A value that is not a text, or nil.
    init(_ cell: Cell) {
        self.cell = cell
        block = nil
    }

    init(bytes: [UInt8]) {
        (cell, block) = bytes.withUnsafeBytes { Self.text($0) }
    }

    /// Nil where the value is of another kind or out of its range.
    init?(_ value: Value, _ kind: ValueKind) {
        switch (value, kind) {
        case (.string(var string), .string):
            (cell, block) = string.withUTF8 { Self.text(UnsafeRawBufferPointer($0)) }
        case (.data(let data), .data): (cell, block) = data.withUnsafeBytes { Self.text($0) }
        case (.null, .any): (cell, block) = (.null, nil)
        case (_, .any):
            (cell, block) = value.withAnyCell { kind, cell in AnyCell.withBytes(kind, cell) { Self.text($0) } }
        default:
            guard let cell = value.cell(as: kind) else { return nil }
            self.cell = cell
            block = nil
        }
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> (Cell, UnsafeMutableRawPointer?) {
        guard bytes.count > Text.inlineCapacity, let start = bytes.baseAddress else {
            return (Text.inlineCell(bytes), nil)
        }
        let copy = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 8)
        copy.copyMemory(from: start, byteCount: bytes.count)
        return (Text.blockCell(copy, count: bytes.count), copy)
    }

    deinit { block?.deallocate() }
}
