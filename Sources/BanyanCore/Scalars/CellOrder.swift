/// Equality, order and hash of cells: the identity of keys, set elements and index entries.
///
/// Texts are compared by their bytes; floating-point numbers by value, with NaN equal to itself and below every number, and
/// -0 equal to 0; nil comes first; Decimal128 by value; AnyValues as `AnyOrder` says.
package enum CellOrder {
    /// Whether two cells of one kind that is not a text hold the same bits: then a write changes nothing.
    @inlinable
    package static func identical(_ a: Cell, _ b: Cell) -> Bool {
        if a.isNull || b.isNull { return a.isNull && b.isNull }
        return a.low == b.low && a.high == b.high
    }

    package static func equal(_ a: Cell, _ b: Cell, _ kind: ValueKind) -> Bool {
        compare(a, b, kind) == 0
    }

    /// Negative, zero or positive as `a` sorts before, with or after `b`.
    package static func compare(_ a: Cell, _ b: Cell, _ kind: ValueKind) -> Int {
        // Nothing is a value of its own there.
        if kind == .any { return AnyOrder.compare(a, b) }
        if a.isNull || b.isNull { return a.isNull ? (b.isNull ? 0 : -1) : 1 }
        return kind.visit(CompareCells(a: a, b: b))
    }

    /// Equal cells have equal hashes.
    package static func hash(_ cell: Cell, _ kind: ValueKind, seed: UInt64) -> UInt64 {
        if kind == .any { return AnyOrder.hash(cell, seed: seed) }
        if cell.isNull { return KeyHash.hash(0x6E75_6C6C, seed: ~seed) }
        return kind.visit(HashCell(cell: cell, seed: seed))
    }
}

private struct CompareCells: KindVisitor {
    let a: Cell
    let b: Cell
    @inline(__always)
    func visit<K: StoredKind>(_ kind: K.Type) -> Int { kind.compareCells(a, b) }
}

private struct HashCell: KindVisitor {
    let cell: Cell
    let seed: UInt64
    @inline(__always)
    func visit<K: StoredKind>(_ kind: K.Type) -> UInt64 { kind.hashCell(cell, seed: seed) }
}
