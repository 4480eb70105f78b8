/// Every node a version consists of, for accounting: what an arena has given out and no version can reach is a leak;
/// what a version reaches and the arena has back is worse.
enum GraphNodes {
    /// Calls `body` with each node and the size it was allocated with, and `text` with the cell of each text that has a
    /// block. O(graph).
    static func forEach(_ view: GraphView, text: (Cell) -> Void, _ body: (UnsafeRawPointer, Int) -> Void) {
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
            for place in table.indexes.indices {
                view.index(table.table, place)._forEachNode(view.indexRoot(table.table, place), body)
            }
            Directory.forEach(
                TableHeader.directory(header), depth: TableHeader.depth(header), count: TableHeader.pageCount(header)
            ) { _, page in
                body(page, table.page.size)
                if let node = Page.generationsNode(page) { body(node, Page.generationsSize) }
                for place in table.page.columns {
                    if let node = place.rootsNode(page) { body(node, Column.rootsSize) }
                }
                forEach(table, page, text: text, body)
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
    private static func forEach(
        _ table: TableLayout, _ page: UnsafeRawPointer, text: (Cell) -> Void, _ body: (UnsafeRawPointer, Int) -> Void
    ) {
        func block(_ cell: Cell) { if !cell.isNull, Text.isBlock(cell) { text(cell) } }
        var live = Page.present(page)
        while live != 0 {
            let slot = live.trailingZeroBitCount
            live &= live - 1
            for i in table.textColumns { block(table.page.columns[i].load(table.columns[i].kind, page, slot)) }
            for i in table.inverseColumns {
                SlotCounts(word: table.page.columns[i].root(page, slot))._forEachNode(body)
            }
            for i in table.collectionColumns {
                guard let element = table.columns[i].element else { continue }
                let root = UnsafeRawPointer(bitPattern: UInt(table.page.columns[i].root(page, slot)))
                let tree = RankTree(stride: element.stride)
                tree._forEachNode(root, body)
                guard element.kind.isText || element.key?.isText == true else { continue }
                tree.forEachRun(root) { start, count in
                    for i in 0..<count {
                        if element.key?.isText == true { block(element.loadKey(start + i * element.stride)) }
                        if element.kind.isText { block(element.load(start + i * element.stride)) }
                    }
                }
            }
        }
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
        func count(_ piece: UnsafeRawPointer, _ sizeClass: SizeClass, birth: UInt64) {
            // What was born before belongs to the lineage this one was forked from; large pieces are not counted.
            guard birth >= floor, sizeClass != .large else { return }
            if seen.insert(piece).inserted { reachable += sizeClass.size }
        }
        for version in versions {
            GraphNodes.forEach(
                version.view, text: { count(Text.block($0), SizeClass(text: Text.count($0)), birth: Text.birth($0)) }
            ) { node, size in
                count(node, SizeClass(size: size), birth: node.load(as: UInt64.self))
            }
        }
        if reachable == arena.used { return nil }
        return "\(arena.used) bytes are given out, and versions reach \(reachable)"
    }
}
