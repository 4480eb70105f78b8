/// The bytes of a String or Data value in 16 bytes: up to 15 inline, more in a block of their own.
///
/// The last byte of the cell is the count of inline bytes, or 255 for a block. A block has the bytes and nothing else: what
/// other nodes have in front, their birth, stands in the room that is left in the cell, which is with the block wherever it
/// goes. From the lowest bit of the first word on:
/// ```
/// address (48) · low bits of the birth (16)  |  count (25) · high bits of the birth (31) · 255 (8)
/// ```
/// User-space addresses use 48 bits. A birth of 47 bits is enough for a million transactions a second for four years; every
/// transaction after that writes the highest one. That is still safe: a text that seems older than it is, is not used again
/// within its own transaction, and in a fork not before the fork is gone.
@usableFromInline
package enum Text {
    /// The most bytes one String or Data property holds.
    @inlinable package static var maximumCount: Int { 16 << 20 }
    @inlinable package static var inlineCapacity: Int { 15 }

    @inlinable
    package static func isBlock(_ cell: Cell) -> Bool { cell.high >> 56 == 0xFF }

    @inlinable
    package static func count(_ cell: Cell) -> Int {
        let tag = cell.high >> 56
        return Int(tag == 0xFF ? cell.high & 0x1FF_FFFF : tag)
    }

    /// Where the bytes of a text stand that are not inline.
    @inlinable
    package static func block(_ cell: Cell) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(bitPattern: UInt(cell.low & 0xFFFF_FFFF_FFFF)).unsafelyUnwrapped
    }

    /// The serial of the transaction that made the block; 0 outside of graphs.
    @inlinable
    package static func birth(_ cell: Cell) -> UInt64 { cell.low &>> 48 | (cell.high &>> 25 & 0x7FFF_FFFF) &<< 16 }

    @inlinable static var maximumBirth: UInt64 { 1 << 47 - 1 }

    /// Calls `body` with the text's bytes, which are valid only inside it.
    @inlinable
    package static func withBytes<R, E: Error>(
        _ cell: Cell, _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        if isBlock(cell) {
            return try body(UnsafeRawBufferPointer(start: block(cell), count: count(cell)))
        }
        var words = (cell.low, cell.high)
        let result: Result<R, E> = withUnsafeBytes(of: &words) { bytes in
            do throws(E) {
                return .success(try body(UnsafeRawBufferPointer(rebasing: bytes[..<count(cell)])))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// A cell for bytes that fit inline.
    @inlinable
    package static func inlineCell(_ bytes: UnsafeRawBufferPointer) -> Cell {
        var words: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &words) { target in
            target.copyMemory(from: bytes)
            target[15] = UInt8(truncatingIfNeeded: bytes.count)
        }
        return Cell(low: words.0, high: words.1)
    }

    /// A cell whose bytes stand in `block`.
    @inlinable
    package static func blockCell(_ block: UnsafeRawPointer, count: Int, birth: UInt64 = 0) -> Cell {
        let birth = min(birth, maximumBirth)
        return Cell(
            low: UInt64(UInt(bitPattern: block)) | birth &<< 48,
            high: 0xFF << 56 | (birth &>> 16) &<< 25 | UInt64(count))
    }

    /// Whether a stored text has just these bytes.
    @inlinable
    package static func equal(_ cell: Cell, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard count(cell) == bytes.count else { return false }
        return withBytes(cell) { stored in Self.compareSameLength(stored, bytes) }
    }

    @inlinable
    package static func equal(_ a: Cell, _ b: Cell) -> Bool {
        if !isBlock(a) || !isBlock(b) { return a.low == b.low && a.high == b.high }
        return withBytes(b) { equal(a, $0) }
    }

    /// Orders by bytes, which for UTF-8 is the order of the Unicode scalars.
    @inlinable
    package static func isLess(_ a: Cell, _ b: Cell) -> Bool { compare(a, b) < 0 }

    @inlinable
    package static func compare(_ a: Cell, _ b: Cell) -> Int {
        withBytes(a) { x in withBytes(b) { y in compare(x, y) } }
    }

    @inlinable
    package static func compare(_ x: UnsafeRawBufferPointer, _ y: UnsafeRawBufferPointer) -> Int {
        let shared = min(x.count, y.count)
        if shared > 0 {
            let order = bytesCompare(x.baseAddress.unsafelyUnwrapped, y.baseAddress.unsafelyUnwrapped, shared)
            if order != 0 { return Int(order) }
        }
        return x.count - y.count
    }

    @inlinable
    static func compareSameLength(_ x: UnsafeRawBufferPointer, _ y: UnsafeRawBufferPointer) -> Bool {
        x.count == 0
            || bytesCompare(x.baseAddress.unsafelyUnwrapped, y.baseAddress.unsafelyUnwrapped, x.count) == 0
    }
}

extension Text {
    /// Calls `body` with a cell for bytes that belong to somebody else; the cell is valid only inside it.
    package static func withCell<R>(_ bytes: UnsafeRawBufferPointer, _ body: (Cell) -> R) -> R {
        if bytes.count <= inlineCapacity { return body(inlineCell(bytes)) }
        return body(blockCell(bytes.baseAddress.unsafelyUnwrapped, count: bytes.count))
    }
}
