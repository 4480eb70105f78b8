/// Every node a version consists of, for accounting: what an arena has given out and no version can reach is a leak;
/// what a version reaches and the arena has back is worse.
enum GraphNodes {
    /// Calls `body` with each node and the size it was allocated with. O(graph).
    static func forEach(_ view: GraphView, _ body: (UnsafeRawPointer, Int) -> Void) {
        body(view.root, GraphRoot.size(tables: view.layout.tables.count))
        for table in view.layout.tables {
            let header = view.header(table.table)
            body(header, table.headerSize)
            if let root = TableHeader.directory(header) {
                forEachDirectoryNode(root, depth: TableHeader.depth(header), count: TableHeader.pageCount(header)) {
                    node in
                    if let node { body(node, Directory.nodeSize) }
                }
            }
            HashTrie(width: 4)._forEachNode(root(header, TableHeader.keyIndex), body)
            for place in table.indexedColumns.indices {
                let root = root(header, TableHeader.indexes + place * 8)
                HashTrie(width: 8)._forEachNode(root, body)
                HashTrie(width: 8).forEach(root) { SlotCounts(word: $0)._forEachNode(body) }
            }
            Directory.forEach(
                TableHeader.directory(header), depth: TableHeader.depth(header), count: TableHeader.pageCount(header)
            ) { _, page in
                body(page, table.page.size)
                forEach(table, page, body)
                return true
            }
        }
    }

    /// Calls `body` with each node of a directory; with nil where one is missing.
    static func forEachDirectoryNode(
        _ root: UnsafeRawPointer, depth: Int, count: Int, _ body: (UnsafeRawPointer?) -> Void
    ) {
        func visit(_ node: UnsafeRawPointer?, _ level: Int, _ first: Int) {
            body(node)
            guard let node, level > 1 else { return }
            let span = Directory.capacity(depth: level - 1)
            var child = 0
            while child < Directory.fanout, first + child * span < count {
                visit(
                    node.load(fromByteOffset: Directory.header + child * 8, as: UnsafeRawPointer?.self), level - 1,
                    first + child * span)
                child += 1
            }
        }
        visit(root, depth, 0)
    }

    private static func root(_ header: UnsafeRawPointer, _ offset: Int) -> UnsafeRawPointer? {
        header.load(fromByteOffset: offset, as: UnsafeRawPointer?.self)
    }

    /// What hangs on the values of one page.
    private static func forEach(_ table: TableLayout, _ page: UnsafeRawPointer, _ body: (UnsafeRawPointer, Int) -> Void)
    {
        var live = Page.present(page)
        while live != 0 {
            let slot = live.trailingZeroBitCount
            live &= live - 1
            for i in table.textColumns { text(table.page.columns[i].load(table.columns[i].kind, page, slot), body) }
            for i in table.inverseColumns {
                SlotCounts(word: table.page.columns[i].word(page, slot))._forEachNode(body)
            }
            for i in table.collectionColumns {
                guard let element = table.columns[i].element else { continue }
                let root = UnsafeRawPointer(bitPattern: UInt(table.page.columns[i].word(page, slot)))
                let tree = RankTree(stride: element.stride)
                tree._forEachNode(root, body)
                guard element.kind.isText || element.key?.isText == true else { continue }
                tree.forEachRun(root) { start, count in
                    for i in 0..<count {
                        if element.key?.isText == true { text(element.loadKey(start + i * element.stride), body) }
                        if element.kind.isText { text(element.load(start + i * element.stride), body) }
                    }
                }
            }
        }
    }

    private static func text(_ cell: Cell, _ body: (UnsafeRawPointer, Int) -> Void) {
        if !cell.isNull, Text.isBlock(cell) { body(Text.block(cell), Text.blockHeader + Text.count(cell)) }
    }
}

extension Lineage {
    /// Holds what versions reach against what the arena has given out; nil when both are the same. Under the write
    /// gate, with no transaction open. O(nodes).
    ///
    /// - Parameter versions: every version of the lineage that is alive, those between held ones included.
    package func _memoryCheck(_ versions: [Version]) -> String? {
        arena.reclaim()
        var seen: Set<UnsafeRawPointer> = []
        var reachable = 0
        for version in versions {
            GraphNodes.forEach(version.view) { node, size in
                // What was born before belongs to the lineage this one was forked from; large pieces are not counted.
                guard node.load(as: UInt64.self) >= floor, SizeClass(size: size) != .large else { return }
                if seen.insert(node).inserted { reachable += TransactionMemory.goodSize(size) }
            }
        }
        if reachable == arena.used { return nil }
        return "\(arena.used) bytes are given out, and versions reach \(reachable)"
    }
}
