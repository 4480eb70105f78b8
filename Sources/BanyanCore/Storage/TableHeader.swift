/// The versioned head of a table: where its pages are, how many objects, where free slots are, the roots of its indexes.
/// The root of a version is a node with the address of each table's header.
@usableFromInline
package enum TableHeader {
    @inlinable package static var directory: Int { 8 }
    @inlinable package static var depth: Int { 16 }
    @inlinable package static var pageCount: Int { 20 }
    @inlinable package static var liveCount: Int { 24 }
    /// The first page with free slots, plus one; 0 for none.
    @inlinable package static var firstFree: Int { 32 }
    @inlinable package static var keyIndex: Int { 40 }
    @inlinable package static var indexes: Int { 48 }
    @inlinable package static var fixedSize: Int { 48 }

    @inlinable
    package static func of(_ root: UnsafeRawPointer, _ table: Int) -> UnsafeRawPointer {
        root.load(fromByteOffset: 8 &+ table &* 8, as: UnsafeRawPointer.self)
    }

    @inlinable
    package static func directory(_ header: UnsafeRawPointer) -> UnsafeRawPointer? {
        header.load(fromByteOffset: directory, as: UnsafeRawPointer?.self)
    }

    @inlinable
    package static func depth(_ header: UnsafeRawPointer) -> Int {
        Int(header.load(fromByteOffset: depth, as: UInt32.self))
    }

    @inlinable
    package static func pageCount(_ header: UnsafeRawPointer) -> Int {
        Int(header.load(fromByteOffset: pageCount, as: UInt32.self))
    }

    @inlinable
    package static func liveCount(_ header: UnsafeRawPointer) -> Int {
        Int(header.load(fromByteOffset: liveCount, as: UInt64.self))
    }

    /// The page of a slot; nil beyond the table's end.
    @inlinable
    package static func page(_ header: UnsafeRawPointer, slot: Int) -> UnsafeRawPointer? {
        let index = slot &>> Page.slotBits
        guard index < pageCount(header), let root = directory(header) else { return nil }
        return Directory.page(root, depth: depth(header), index)
    }
}
