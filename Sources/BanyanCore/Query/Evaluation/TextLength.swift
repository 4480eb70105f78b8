/// How long texts are: in characters, as Swift counts them; data in bytes.
enum TextLength {
    static func cell(_ cell: Cell, _ kind: ValueKind) -> Cell {
        if cell.isNull { return .null }
        if !kind.isUnicode { return Cell(low: UInt64(Text.count(cell))) }
        return Text.withBytes(cell) { Cell(low: UInt64(characters($0))) }
    }

    private static func characters(_ bytes: UnsafeRawBufferPointer) -> Int {
        // A character of ASCII is a byte, but for the two that end a line together.
        var pairs = 0
        var before: UInt8 = 0
        for byte in bytes {
            if byte >= 0x80 { return String(decoding: bytes, as: UTF8.self).count }
            if byte == 0x0A, before == 0x0D { pairs &+= 1 }
            before = byte
        }
        return bytes.count - pairs
    }
}

/// How long the text or the data at a path's end is; nil where there is none.
struct LengthSource: CellSource {
    let path: PathReader
    var kind: ValueKind { .int }

    func cell(_ page: UnsafeRawPointer, _ slot: Int, _ view: QueryView) -> Cell {
        var result = Cell.null
        path.forEachCell(page, slot, view) { cell, _ in
            result = TextLength.cell(cell, path.kind)
            return false
        }
        return result
    }
}
