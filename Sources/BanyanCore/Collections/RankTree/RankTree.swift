/// The shape of a counted B+tree of raw elements of one stride, and the operations on such trees.
///
/// The tree itself is a root pointer kept by the caller, nil when empty; this value only knows how wide an element is. Lists
/// use a tree by rank; sets, maps, inverse links and ordered indexes keep their elements sorted and search with a closure.
///
/// - A tree of few elements is one flat leaf that grows geometrically, so three links cost 48 bytes. Above about a kilobyte
///   it becomes leaves of that size under inner nodes of up to 64 children.
/// - An inner node keeps for each child the *end* of its rank interval (a running sum, not a count), so the child that holds
///   a rank is found by a guess and a glance.
/// - Nodes follow the one rule of ownership: what this transaction made is changed in place, all else is copied first, up to
///   the root. An old root therefore goes on describing the old contents, for readers on any thread.
/// - Every node but those on the right edge is at least a quarter full. Appending leaves full nodes behind, whence the
///   exception.
///
/// Elements are bits: nothing is retained or released. Whoever stores counted references in a tree visits the runs that go.
@usableFromInline
package struct RankTree: Sendable {
    /// A tree is its root; the root's birth word tells to whom it belongs. Nil is the empty tree.
    @usableFromInline package typealias Root = UnsafeRawPointer?

    /// Bytes from one element to the next, 1 to 48.
    @usableFromInline package let stride: Int
    /// Elements in a full leaf.
    @usableFromInline let leafCapacity: Int

    @inlinable
    package init(stride: Int) {
        assert(stride >= 1 && stride <= 48)
        self.stride = stride
        leafCapacity = (RankTree.leafBytes - Node.header) / stride
    }

    @usableFromInline static var leafBytes: Int { @inline(__always) get { 1024 } }
    @usableFromInline static var maximumFanOut: Int { @inline(__always) get { 64 } }
    @usableFromInline static var minimumFanOut: Int { @inline(__always) get { 16 } }
    @usableFromInline static var maximumHeight: Int { @inline(__always) get { 12 } }
    /// Elements that a tree can hold.
    package static var maximumCount: Int { Int(UInt32.max) }

    /// A leaf off the right edge holds no fewer.
    @usableFromInline var minimumLeafCount: Int { @inline(__always) get { leafCapacity / 4 } }

    /// Elements in the tree. O(1).
    @inlinable
    package func count(_ root: Root) -> Int {
        guard let root else { return 0 }
        return Node(root).count
    }

    /// An inner node passed on the way down, and which of its children was taken.
    @usableFromInline
    struct Step {
        @usableFromInline var node: Node
        @usableFromInline var index: Int
        @inlinable
        init(node: Node, index: Int) {
            self.node = node
            self.index = index
        }
    }

    @inlinable @inline(__always)
    func withPath<R>(_ body: (UnsafeMutablePointer<Step>) -> R) -> R {
        withUnsafeTemporaryAllocation(of: Step.self, capacity: Self.maximumHeight) { body($0.baseAddress!) }
    }
}
