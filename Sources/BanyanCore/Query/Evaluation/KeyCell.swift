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
        let made: (Cell, UnsafeMutableRawPointer?)? =
            if kind.form == .any {
                value.isNull
                    ? (.null, nil)
                    : value.withAnyCell { kind, cell in AnyCell.withBytes(kind, cell) { Self.text($0) } }
            } else {
                value.withTextBytes(of: kind) { Self.text($0) } ?? value.cell(as: kind).map { ($0, nil) }
            }
        guard let made else { return nil }
        (cell, block) = made
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
