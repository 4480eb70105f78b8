// How the wide values stand in cells: their bytes, in order.

extension ObjectId {
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
}

extension Decimal128 {
    @inlinable
    package init(cell: Cell) {
        self.init(bitPattern: UInt128(cell.high) << 64 | UInt128(cell.low))
    }

    @inlinable
    package var cell: Cell {
        let bits = bitPattern
        return Cell(low: UInt64(truncatingIfNeeded: bits), high: UInt64(truncatingIfNeeded: bits >> 64))
    }
}
