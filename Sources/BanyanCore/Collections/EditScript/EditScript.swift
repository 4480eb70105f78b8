/// What happened to one list since a version, in net form: the list as it is now, as a sequence of runs of the list as it was.
///
/// Every edit is given in the indices of the moment and folded in at once, so the script never grows beyond what differs: an
/// element inserted and removed again leaves no trace, one removed is a gap between the runs around it.
///
/// The runs are the in-order sequence of a randomised binary tree that lives in one array (a subtree's root is any of its
/// nodes with equal chance, so its depth is logarithmic whatever the edits). An edit splits the tree at an index and joins
/// the parts again, in O(log runs). Most edits follow the one before: the inserted run touched last is kept at hand, and grows
/// or shrinks in O(1); the sums above it are set right when something else is touched.
package struct EditScript: Sendable {
    /// Elements that came to be beside each other in the same way.
    package enum Run: Hashable, Sendable {
        /// As they were, at old indices from `oldStart`.
        case kept(oldStart: Int, count: Int)
        /// At their old place in the order, but assigned to.
        case set(oldStart: Int, count: Int)
        /// As they were, but elsewhere: gone at their old indices, inserted here.
        case moved(oldStart: Int, count: Int)
        /// New.
        case inserted(count: Int)
    }

    /// Elements in the list as it was.
    package let oldCount: Int
    /// Elements in the list as it is now.
    package private(set) var count: Int

    var tree = Tree()
    /// False until the first edit, while the tree is not yet made.
    private var isStarted = false

    /// The inserted run touched last, and the index of its first element now.
    private var hand: (node: Int32, start: Int)?
    /// Elements added to it that the sums above it do not count yet.
    private var pending = 0

    /// The script of a list that nothing happened to yet. O(1).
    package init(oldCount: Int) {
        self.oldCount = oldCount
        count = oldCount
    }

    init(oldCount: Int, runs: [Piece]) {
        self.init(oldCount: oldCount)
        isStarted = true
        count = runs.reduce(0) { $0 + $1.count }
        tree.root = tree.build(runs[...])
    }

    /// The runs in order. No two neighbours could be one.
    var pieces: [Piece] {
        guard isStarted else {
            return oldCount == 0 ? [] : [Piece(kind: .kept, old: 0, count: oldCount)]
        }
        var result: [Piece] = []
        result.reserveCapacity(tree.root == Tree.none ? 0 : Int(tree.nodes[Int(tree.root)].size))
        tree.forEach { result.append($0) }
        return result
    }

    /// Whether the list is, as far as the edits tell, what it was. O(1), or O(log runs) after an edit.
    package var isEmpty: Bool {
        guard isStarted else { return true }
        guard count == oldCount else { return false }
        guard tree.root != Tree.none else { return true }
        let root = tree.nodes[Int(tree.root)]
        return root.size == 1 && root.piece.kind == .kept
    }

    // MARK: Edits

    /// `n` elements were inserted before index `index`. O(1) beside the last insertion, else O(log runs).
    package mutating func insert(at index: Int, count n: Int) {
        precondition(index >= 0 && index <= count && n >= 0, "index out of range")
        guard n > 0 else { return }
        count += n
        if let hand, index >= hand.start, index <= hand.start + tree.count(hand.node) {
            tree.nodes[Int(hand.node)].piece.count += n
            pending += n
            return
        }
        start()
        // Beside or within an inserted run, that run grows.
        for neighbour in [index - 1, index] where neighbour >= 0 && neighbour < count - n {
            let (node, first) = tree.node(holding: neighbour)
            if tree.kind(node) == .inserted {
                tree.add(n, toRunHolding: neighbour)
                hand = (node, first)
                return
            }
        }
        let (left, right) = tree.split(tree.root, at: index)
        let node = tree.make(Piece(kind: .inserted, old: 0, count: n))
        tree.root = tree.merge(tree.merge(left, node), right)
        hand = (node, index)
    }

    /// The elements of `range` were removed. O(1) within the last insertion, else O(log runs + runs removed).
    package mutating func remove(_ range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "range out of bounds")
        guard !range.isEmpty else { return }
        count -= range.count
        if let hand, range.lowerBound >= hand.start,
            range.upperBound <= hand.start + tree.count(hand.node), range.count < tree.count(hand.node)
        {
            tree.nodes[Int(hand.node)].piece.count -= range.count
            pending -= range.count
            return
        }
        start()
        let (left, rest) = tree.split(tree.root, at: range.lowerBound)
        let (middle, right) = tree.split(rest, at: range.count)
        tree.free(middle)
        tree.root = tree.join(left, right)
        settleEdges()
    }

    /// The element at `index` was assigned to. O(log runs).
    package mutating func set(at index: Int) { set(index..<(index + 1)) }

    /// The elements of `range` were assigned to. O(log runs + runs in the range).
    package mutating func set(_ range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "range out of bounds")
        guard !range.isEmpty else { return }
        if let hand, range.lowerBound >= hand.start, range.upperBound <= hand.start + tree.count(hand.node) { return }
        start()
        let (node, first) = tree.node(holding: range.lowerBound)
        if tree.kind(node) == .set || tree.kind(node) == .inserted, range.upperBound <= first + tree.count(node) {
            return
        }
        let (left, rest) = tree.split(tree.root, at: range.lowerBound)
        let (middle, right) = tree.split(rest, at: range.count)
        tree.root = tree.join(tree.join(left, tree.assigned(middle)), right)
    }

    /// The element at `source` was taken out and put in again so that it is at `target` now. O(log runs).
    ///
    /// An element that was assigned to before counts as removed and inserted.
    package mutating func move(from source: Int, to target: Int) {
        precondition(source >= 0 && source < count && target >= 0 && target < count, "index out of range")
        guard source != target else { return }
        start()
        let (left, rest) = tree.split(tree.root, at: source)
        let (element, right) = tree.split(rest, at: 1)
        tree.root = tree.join(left, right)
        switch tree.kind(element) {
        case .kept: tree.nodes[Int(element)].piece.kind = .moved
        case .set: tree.nodes[Int(element)].piece = Piece(kind: .inserted, old: 0, count: 1)
        case .moved, .inserted: break
        }
        let (before, after) = tree.split(tree.root, at: target)
        tree.root = tree.join(tree.join(before, element), after)
        settleEdges()
    }

    /// The list was emptied. O(runs).
    package mutating func removeAll() { remove(0..<count) }

    /// Makes the tree if need be, and lets go of the run at hand.
    private mutating func start() {
        if let hand, pending != 0 { tree.settle(pending, aboveRunAt: hand.start, hand.node) }
        hand = nil
        pending = 0
        guard !isStarted else { return }
        isStarted = true
        if oldCount > 0 { tree.root = tree.make(Piece(kind: .kept, old: 0, count: oldCount)) }
    }

    /// What moved to the end of the list at which it was to begin with has not moved.
    private mutating func settleEdges() {
        guard tree.root != Tree.none else { return }
        let first = tree.nodes[Int(tree.first(tree.root))].piece
        if first.kind == .moved, first.old == 0 {
            let (element, rest) = tree.split(tree.root, at: first.count)
            tree.nodes[Int(element)].piece.kind = .kept
            tree.root = tree.join(element, rest)
        }
        let last = tree.nodes[Int(tree.last(tree.root))].piece
        if last.kind == .moved, last.old + last.count == oldCount {
            let (rest, element) = tree.split(tree.root, at: count - last.count)
            tree.nodes[Int(element)].piece.kind = .kept
            tree.root = tree.join(rest, element)
        }
    }
}
