/// The difference between two sorted trees, one of which came from the other.
///
/// Both are walked like a merge. A walker stands before a whole subtree until it must look inside; when both stand before the
/// same node, that subtree is passed over on both sides. So the cost follows what was copied, not what is there.
extension RankTree {
    /// Where a walker is in a tree: before a subtree, or inside a leaf.
    @usableFromInline
    struct Walker {
        @usableFromInline let tree: RankTree
        @usableFromInline let path: UnsafeMutablePointer<Step>
        @usableFromInline var depth = 0
        /// Nil at the end.
        @usableFromInline var node: Node?
        @usableFromInline var isInside = false
        @usableFromInline var index = 0
        /// Of the element that comes next.
        @usableFromInline var rank = 0

        @usableFromInline
        init(tree: RankTree, root: Root, path: UnsafeMutablePointer<Step>) {
            self.tree = tree
            self.path = path
            node = root.map { Node($0) }
        }

        /// The element that comes next.
        @usableFromInline var element: UnsafeRawPointer {
            isInside
                ? UnsafeRawPointer(node!.element(index, tree.stride))
                : UnsafeRawPointer(node!.firstLeaf.element(0, tree.stride))
        }

        @usableFromInline
        mutating func descend() {
            let top = node!
            if top.isLeaf {
                isInside = true
                index = 0
            } else {
                path[depth] = Step(node: top, index: 0)
                depth += 1
                node = top.child(0)
            }
        }

        /// Passes over the subtree the walker stands before.
        @usableFromInline
        mutating func skip() {
            rank += node!.count
            leave()
        }

        /// Passes over one element of the leaf the walker is in.
        @usableFromInline
        mutating func advance() {
            rank += 1
            index += 1
            if index == node!.count { leave() }
        }

        private mutating func leave() {
            isInside = false
            while depth > 0 {
                let step = path[depth - 1]
                if step.index + 1 < step.node.fanOut {
                    path[depth - 1].index += 1
                    node = step.node.child(step.index + 1)
                    return
                }
                depth -= 1
            }
            node = nil
        }
    }

    /// Reports how `new` differs from `old`, in order. Both are sorted, each without equal elements.
    ///
    /// Elements are handed out with their rank in the tree they are in. Subtrees that both share are not looked at, so an
    /// element of the same bits counts as unchanged whatever it refers to.
    ///
    /// - Parameters:
    ///   - compare: The order of an element of `old` and one of `new`: negative, zero or positive.
    ///   - onChanged: Called with old and new for elements that are equal in the order but not in their bits.
    @inlinable
    package func diff(
        _ old: Root, _ new: Root,
        compare: (UnsafeRawPointer, UnsafeRawPointer) -> Int,
        onRemoved: (UnsafeRawPointer, Int) -> Void,
        onInserted: (UnsafeRawPointer, Int) -> Void,
        onChanged: (UnsafeRawPointer, Int, UnsafeRawPointer, Int) -> Void
    ) {
        guard old != new else { return }
        withPath { oldPath in
            withPath { newPath in
                var a = Walker(tree: self, root: old, path: oldPath)
                var b = Walker(tree: self, root: new, path: newPath)
                while let oldNode = a.node, let newNode = b.node {
                    if !a.isInside, !b.isInside, oldNode == newNode {
                        a.skip()
                        b.skip()
                        continue
                    }
                    let order = compare(a.element, b.element)
                    if order < 0 {
                        guard a.isInside else {
                            a.descend()
                            continue
                        }
                        onRemoved(a.element, a.rank)
                        a.advance()
                    } else if order > 0 {
                        guard b.isInside else {
                            b.descend()
                            continue
                        }
                        onInserted(b.element, b.rank)
                        b.advance()
                    } else if a.isInside, b.isInside {
                        if differ(a.element, b.element) { onChanged(a.element, a.rank, b.element, b.rank) }
                        a.advance()
                        b.advance()
                    } else {
                        // Down to the same height together, so that what they share further on is met on both sides.
                        let descendsOld = !a.isInside && (b.isInside || oldNode.height >= newNode.height)
                        let descendsNew = !b.isInside && (a.isInside || newNode.height >= oldNode.height)
                        if descendsOld { a.descend() }
                        if descendsNew { b.descend() }
                    }
                }
                while a.node != nil {
                    guard a.isInside else {
                        a.descend()
                        continue
                    }
                    onRemoved(a.element, a.rank)
                    a.advance()
                }
                while b.node != nil {
                    guard b.isInside else {
                        b.descend()
                        continue
                    }
                    onInserted(b.element, b.rank)
                    b.advance()
                }
            }
        }
    }

    @usableFromInline
    func differ(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
        bytesCompare(a, b, stride) != 0
    }
}
