/// The shape of an ordered index, and the operations on such indexes: a counted B+tree of slots under keys.
///
/// The index itself is a root pointer kept by the caller, nil when empty. An entry is a slot (4 bytes) under a *key* (8 or 16
/// bytes) made of the object's value so that keys never order otherwise than values do. Where the key holds the whole value,
/// no object is ever looked at; where it cannot (a long text), entries with equal keys are told apart by asking the object.
/// Entries with equal values are in the order of their slots, so that there is one place for each entry.
///
/// - An inner node keeps of each child its first entry and how many entries it has. So a search reads one node a level, and
///   the rank of any place, and with it the number of entries between two places, is known after one way down.
/// - What an inner node says of a child is exactly what the child has: a deleted object's slot is nowhere in the tree, so
///   every slot met in a search is an object's that can be asked.
/// - Nodes take half a kilobyte, so that a transaction that sets one value copies two or three kilobytes. A tree of few
///   entries is one leaf that grows.
/// - Nodes follow the one rule of ownership: what this transaction made is changed in place, all else is copied first, up to
///   the root. An old root therefore goes on describing the old contents, for readers on any thread.
/// - Every node but those on the right edge is at least a quarter full. Ascending values leave full nodes behind, whence the
///   exception.
///
/// Whoever searches says what for by a key and by `isBefore`, which is asked about the slots of entries whose key, seen through
/// `mask`, is the same: whether the entry comes before the place that is looked for.
package struct OrderedTree<Key: FixedWidthInteger & UnsignedInteger & BitwiseCopyable & Sendable>: Sendable {
    /// A tree is its root; nil is the empty one.
    package typealias Root = UnsafeRawPointer?

    @inlinable package init() {}

    @inline(__always) static var nodeSize: Int { 512 }
    @inline(__always) static var keySize: Int { MemoryLayout<Key>.size }
    /// Entries in a full leaf.
    @inline(__always) static var leafCapacity: Int { (nodeSize - Node.header) / (keySize + 4) }
    /// Children of a full inner node.
    @inline(__always) static var maximumFanOut: Int { (nodeSize - Node.header) / (keySize + 16) }
    @inline(__always) static var minimumLeafCount: Int { leafCapacity / 4 }
    @inline(__always) static var minimumFanOut: Int { maximumFanOut / 4 }

    /// Entries in the tree. O(1).
    package func count(_ root: Root) -> Int { root.map { Node($0).total } ?? 0 }
}
