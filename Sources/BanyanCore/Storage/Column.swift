/// Where a property's values stand in a page, as the accessors of live objects need it.
@frozen
@_documentation(visibility: internal)
public struct Column: BitwiseCopyable, Sendable {
    /// Byte offset of the run of values in a page; for a Bool, of its bitmap.
    @usableFromInline package var valueOffset: UInt32
    /// Byte offset of the bitmap that says which slots have a value; 0 where every slot has one.
    @usableFromInline package var presenceOffset: UInt32
    /// Nonzero when writing takes more than storing the value (a key, an index, a link, a text, a collection).
    @usableFromInline package var flags: UInt32
    @usableFromInline package var stride: UInt32

    @inlinable
    package init(valueOffset: UInt32 = 0, presenceOffset: UInt32 = 0, flags: UInt32 = 0, stride: UInt32 = 0) {
        self.valueOffset = valueOffset
        self.presenceOffset = presenceOffset
        self.flags = flags
        self.stride = stride
    }

    @usableFromInline package static let key: UInt32 = 1
    @usableFromInline package static let indexed: UInt32 = 2
    @usableFromInline package static let other: UInt32 = 4
}

/// How the elements of a collection stand in its tree: the value, then, where elements may be nil, a byte that says so. The
/// entries of a map have their key in front.
@usableFromInline
package struct ElementLayout: Sendable {
    package let kind: ValueKind
    package let isOptional: Bool
    package let key: ValueKind?
    /// Byte offset of the value; the key is at 0.
    package let valueOffset: Int
    /// Byte offset of the byte that is 1 where there is a value.
    package let presenceOffset: Int
    package let stride: Int

    package init(kind: ValueKind, isOptional: Bool, key: ValueKind? = nil) {
        self.kind = kind
        self.isOptional = isOptional && !kind.isZeroNil
        self.key = key
        func align(_ offset: Int, _ width: Int) -> Int {
            let alignment = width >= 8 && width != 12 ? 8 : width == 12 ? 4 : width
            return (offset + alignment - 1) / alignment * alignment
        }
        valueOffset = align(key?.width ?? 0, kind.width)
        presenceOffset = valueOffset + kind.width
        let end = presenceOffset + (self.isOptional ? 1 : 0)
        stride = align(align(end, kind.width), key?.width ?? 1)
    }

    /// The value of the element at `element`.
    package func load(_ element: UnsafeRawPointer) -> Cell {
        if isOptional, element.load(fromByteOffset: presenceOffset, as: UInt8.self) == 0 { return .null }
        let cell = Cell(loading: kind, from: element + valueOffset, at: 0)
        return kind.isZeroNil && cell.low | cell.high == 0 ? .null : cell
    }

    package func loadKey(_ element: UnsafeRawPointer) -> Cell {
        Cell(loading: key.unsafelyUnwrapped, from: element, at: 0)
    }

    /// Writes a whole element; every byte of it is defined afterwards.
    package func store(_ cell: Cell, key keyCell: Cell? = nil, to element: UnsafeMutableRawPointer) {
        element.initializeMemory(as: UInt8.self, repeating: 0, count: stride)
        if let key, let keyCell { keyCell.store(key, to: element, at: 0) }
        guard !cell.isNull else { return }
        cell.store(kind, to: element + valueOffset, at: 0)
        if isOptional { element.storeBytes(of: 1, toByteOffset: presenceOffset, as: UInt8.self) }
    }
}
