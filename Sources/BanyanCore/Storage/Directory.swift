/// The sequence of a table's pages: a radix tree of 128-way nodes over the page number, so that replacing one page copies
/// one small node a level and never the table. Depth 0 means no page at all; depth 1 one node, and so on.
@usableFromInline
package enum Directory {
    @inlinable package static var bits: Int { 7 }
    @inlinable package static var fanout: Int { 128 }
    @inlinable static var header: Int { 16 }
    @inlinable package static var nodeSize: Int { 16 + 128 * 8 }

    /// The page with this number, which must be below the table's page count.
    @inlinable
    package static func page(_ root: UnsafeRawPointer, depth: Int, _ index: Int) -> UnsafeRawPointer {
        // Tables of 8 k to 1 M objects, without a loop.
        if depth == 2 {
            let node = root.load(fromByteOffset: header &+ (index &>> bits) &* 8, as: UnsafeRawPointer.self)
            return node.load(fromByteOffset: header &+ (index & (fanout &- 1)) &* 8, as: UnsafeRawPointer.self)
        }
        var node = root
        var shift = (depth &- 1) &* bits
        while true {
            let child = (index &>> shift) & (fanout &- 1)
            node = node.load(fromByteOffset: header &+ child &* 8, as: UnsafeRawPointer.self)
            if shift == 0 { return node }
            shift &-= bits
        }
    }

    /// How many pages a directory of this depth can hold.
    @inlinable
    package static func capacity(depth: Int) -> Int { depth == 0 ? 0 : 1 &<< (depth &* bits) }

    /// Calls `body` with each page in order.
    @inlinable
    package static func forEach(
        _ root: UnsafeRawPointer?, depth: Int, count: Int, from first: Int = 0,
        _ body: (Int, UnsafeRawPointer) throws -> Bool
    ) rethrows {
        guard let root, depth > 0 else { return }
        var index = first
        while index < count {
            // The node of the lowest level that holds this page, then its run of pages.
            var node = root
            var shift = (depth &- 1) &* bits
            while shift > 0 {
                node = node.load(
                    fromByteOffset: header &+ ((index &>> shift) & (fanout &- 1)) &* 8, as: UnsafeRawPointer.self)
                shift &-= bits
            }
            let end = min(count, (index | (fanout &- 1)) &+ 1)
            while index < end {
                let page = node.load(fromByteOffset: header &+ (index & (fanout &- 1)) &* 8, as: UnsafeRawPointer.self)
                if try !body(index, page) { return }
                index &+= 1
            }
        }
    }

    /// Puts `page` at `index`, copying what the transaction does not own; a page one past the end grows the directory.
    package static func set(
        _ root: inout UnsafeMutableRawPointer?, depth: inout Int, _ index: Int, _ page: UnsafeRawPointer,
        _ memory: TransactionMemory
    ) {
        while index >= capacity(depth: depth) {
            let node = emptyNode(memory)
            if let root { (node + header).storeBytes(of: UnsafeRawPointer(root), as: UnsafeRawPointer.self) }
            root = node
            depth += 1
        }
        var node = memory.writable(root.unsafelyUnwrapped, size: nodeSize)
        root = node
        var shift = (depth - 1) * bits
        while shift > 0 {
            let place = node + header + ((index >> shift) & (fanout - 1)) * 8
            let child = place.load(as: UnsafeRawPointer?.self)
            let next = child.map { memory.writable($0, size: nodeSize) } ?? emptyNode(memory)
            place.storeBytes(of: UnsafeRawPointer(next), as: UnsafeRawPointer.self)
            node = next
            shift -= bits
        }
        (node + header + (index & (fanout - 1)) * 8).storeBytes(of: page, as: UnsafeRawPointer.self)
    }

    private static func emptyNode(_ memory: TransactionMemory) -> UnsafeMutableRawPointer {
        let node = memory.allocate(nodeSize)
        (node + 8).initializeMemory(as: UInt8.self, repeating: 0, count: nodeSize - 8)
        return node
    }
}
