extension EditScript {
    enum Kind: UInt8 {
        case kept, set, moved, inserted
    }

    /// A run as the tree holds it. `old` is 0 for inserted elements.
    struct Piece: Equatable {
        var kind: Kind
        var old: Int
        var count: Int

        /// This run and the one right after it as one, if they are one.
        func joined(with next: Piece) -> Piece? {
            let kind: Kind
            if self.kind == next.kind {
                kind = self.kind
            } else if self.kind == .kept && next.kind == .moved || self.kind == .moved && next.kind == .kept {
                // In order again: then neither has moved.
                kind = .kept
            } else {
                return nil
            }
            guard kind == .inserted || old + count == next.old else { return nil }
            return Piece(kind: kind, old: old, count: count + next.count)
        }

        /// The first `n` elements and the others.
        func divided(at n: Int) -> (Piece, Piece) {
            (
                Piece(kind: kind, old: old, count: n),
                Piece(kind: kind, old: kind == .inserted ? 0 : old + n, count: count - n)
            )
        }

        /// The run after all its elements have been assigned to.
        var assigned: Piece {
            switch kind {
            case .kept: Piece(kind: .set, old: old, count: count)
            case .moved: Piece(kind: .inserted, old: 0, count: count)
            case .set, .inserted: self
            }
        }
    }

    struct Node {
        var piece: Piece
        var left: Int32
        var right: Int32
        /// Runs in the subtree.
        var size: Int32
        /// Elements in the subtree.
        var total: Int
    }

    /// The randomised binary tree of runs, its nodes in one array.
    struct Tree {
        static let none: Int32 = -1

        var nodes: [Node] = []
        var root = none
        private var unused: [Int32] = []
        private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

        func kind(_ node: Int32) -> Kind { nodes[Int(node)].piece.kind }
        func count(_ node: Int32) -> Int { nodes[Int(node)].piece.count }
        func total(_ node: Int32) -> Int { node == Self.none ? 0 : nodes[Int(node)].total }
        func size(_ node: Int32) -> Int32 { node == Self.none ? 0 : nodes[Int(node)].size }

        mutating func make(_ piece: Piece) -> Int32 {
            let node = Node(piece: piece, left: Self.none, right: Self.none, size: 1, total: piece.count)
            if let index = unused.popLast() {
                nodes[Int(index)] = node
                return index
            }
            nodes.append(node)
            return Int32(nodes.count - 1)
        }

        mutating func free(_ node: Int32) {
            guard node != Self.none else { return }
            free(nodes[Int(node)].left)
            free(nodes[Int(node)].right)
            unused.append(node)
        }

        /// A balanced tree of runs that are in order.
        mutating func build(_ pieces: ArraySlice<Piece>) -> Int32 {
            guard !pieces.isEmpty else { return Self.none }
            let middle = (pieces.startIndex + pieces.endIndex) / 2
            let node = make(pieces[middle])
            let left = build(pieces[..<middle])
            let right = build(pieces[(middle + 1)...])
            nodes[Int(node)].left = left
            nodes[Int(node)].right = right
            update(node)
            return node
        }

        private mutating func update(_ node: Int32) {
            let (left, right) = (nodes[Int(node)].left, nodes[Int(node)].right)
            nodes[Int(node)].size = size(left) + 1 + size(right)
            nodes[Int(node)].total = total(left) + nodes[Int(node)].piece.count + total(right)
        }

        private mutating func random(below bound: UInt64) -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state.multipliedFullWidth(by: bound).high
        }

        // MARK: Splitting and joining

        /// The first `index` elements of a subtree and the others; a run across the border is divided.
        mutating func split(_ node: Int32, at index: Int) -> (Int32, Int32) {
            guard node != Self.none else { return (Self.none, Self.none) }
            if index == 0 { return (Self.none, node) }
            if index == nodes[Int(node)].total { return (node, Self.none) }
            let (left, right) = (nodes[Int(node)].left, nodes[Int(node)].right)
            let start = total(left)
            let end = start + count(node)
            if index <= start {
                let (before, after) = split(left, at: index)
                nodes[Int(node)].left = after
                update(node)
                return (before, node)
            }
            if index >= end {
                let (before, after) = split(right, at: index - end)
                nodes[Int(node)].right = before
                update(node)
                return (node, after)
            }
            let (head, tail) = nodes[Int(node)].piece.divided(at: index - start)
            nodes[Int(node)].piece = head
            nodes[Int(node)].right = Self.none
            update(node)
            return (node, merge(make(tail), right))
        }

        /// One tree of two, the runs at the seam left as they are.
        mutating func merge(_ a: Int32, _ b: Int32) -> Int32 {
            if a == Self.none { return b }
            if b == Self.none { return a }
            let sizes = (UInt64(size(a)), UInt64(size(b)))
            if random(below: sizes.0 + sizes.1) < sizes.0 {
                let right = merge(nodes[Int(a)].right, b)
                nodes[Int(a)].right = right
                update(a)
                return a
            }
            let left = merge(a, nodes[Int(b)].left)
            nodes[Int(b)].left = left
            update(b)
            return b
        }

        /// One tree of two, the runs at the seam made one if they are one.
        mutating func join(_ a: Int32, _ b: Int32) -> Int32 {
            if a == Self.none { return b }
            if b == Self.none { return a }
            let (last, first) = (nodes[Int(self.last(a))].piece, nodes[Int(self.first(b))].piece)
            guard let joined = last.joined(with: first) else { return merge(a, b) }
            let (before, x) = split(a, at: total(a) - last.count)
            let (y, after) = split(b, at: first.count)
            free(x)
            free(y)
            // A moved run that has become a kept one may fit what is beyond it, too.
            return join(join(before, make(joined)), after)
        }

        /// A subtree after all its elements have been assigned to.
        mutating func assigned(_ node: Int32) -> Int32 {
            if size(node) == 1 {
                nodes[Int(node)].piece = nodes[Int(node)].piece.assigned
                return node
            }
            var pieces: [Piece] = []
            forEach(node) { pieces.append(joining: $0.assigned) }
            free(node)
            return build(pieces[...])
        }

        // MARK: Finding

        func first(_ node: Int32) -> Int32 {
            var node = node
            while nodes[Int(node)].left != Self.none { node = nodes[Int(node)].left }
            return node
        }

        func last(_ node: Int32) -> Int32 {
            var node = node
            while nodes[Int(node)].right != Self.none { node = nodes[Int(node)].right }
            return node
        }

        /// The run that holds an index, and the index of its first element.
        func node(holding index: Int) -> (node: Int32, start: Int) {
            var node = root
            var base = 0
            while true {
                let start = base + total(nodes[Int(node)].left)
                if index < start {
                    node = nodes[Int(node)].left
                } else if index >= start + count(node) {
                    base = start + count(node)
                    node = nodes[Int(node)].right
                } else {
                    return (node, start)
                }
            }
        }

        mutating func add(_ n: Int, toRunHolding index: Int) {
            let (target, start) = node(holding: index)
            nodes[Int(target)].piece.count += n
            settle(n, aboveRunAt: start, target)
        }

        /// Counts `n` more elements in all sums above and at a run whose own count has them already.
        mutating func settle(_ n: Int, aboveRunAt start: Int, _ target: Int32) {
            var node = root
            var base = 0
            while true {
                nodes[Int(node)].total += n
                if node == target { return }
                let here = base + total(nodes[Int(node)].left)
                if start < here {
                    node = nodes[Int(node)].left
                } else {
                    base = here + count(node)
                    node = nodes[Int(node)].right
                }
            }
        }

        /// Calls `body` with the runs in order. O(runs).
        func forEach(_ body: (Piece) -> Void) { forEach(root, body) }

        func forEach(_ node: Int32, _ body: (Piece) -> Void) {
            guard node != Self.none else { return }
            forEach(nodes[Int(node)].left, body)
            body(nodes[Int(node)].piece)
            forEach(nodes[Int(node)].right, body)
        }
    }
}

extension [EditScript.Piece] {
    /// Appends a run, or lets the last one grow by it.
    mutating func append(joining piece: EditScript.Piece) {
        guard piece.count > 0 else { return }
        guard let last, let joined = last.joined(with: piece) else {
            append(piece)
            return
        }
        removeLast()
        append(joining: joined)
    }
}
