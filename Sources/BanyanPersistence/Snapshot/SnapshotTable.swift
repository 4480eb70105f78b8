import BanyanCore

/// One table of a version, to be cut into chunks.
final class SnapshotTable: @unchecked Sendable {
    // Sound: the pages belong to the version, which this holds, and change no more.
    let version: Version
    let table: TableLayout
    let pages: [UnsafeRawPointer]
    /// A value of more bytes stands apart.
    let apartBytes: Int

    init(_ version: Version, _ table: TableLayout) {
        self.version = version
        self.table = table
        apartBytes = SnapshotCodec.apartBytes(table)
        let header = version.view.header(table.table)
        var pages: [UnsafeRawPointer] = []
        pages.reserveCapacity(TableHeader.pageCount(header))
        Directory.forEach(
            TableHeader.directory(header), depth: TableHeader.depth(header), count: TableHeader.pageCount(header)
        ) { _, page in
            pages.append(page)
            return true
        }
        self.pages = pages
    }

    var view: GraphView { version.view }

    /// Runs of pages that each make one chunk where texts and collections are small.
    var runs: some Sequence<Range<Int>> {
        let step = max(1, SnapshotCodec.chunkBytes / table.page.size)
        return stride(from: 0, to: pages.count, by: step).lazy.map { [pages] in $0..<min($0 + step, pages.count) }
    }

    /// The first pages of a run that make one chunk. What they hold is added up, so that no chunk is much larger than it
    /// should be however the sizes of texts and collections change along the table. To be called by the job that encodes the pages,
    /// who then finds them in its cache.
    func chunk(of run: Range<Int>) -> Range<Int> {
        var bytes = 0
        for index in run {
            bytes += weight(pages[index])
            if bytes > 2 * SnapshotCodec.chunkBytes, index > run.lowerBound { return run.lowerBound..<index }
        }
        return run
    }

    /// The bytes of a page and of what its values have elsewhere.
    private func weight(_ page: UnsafeRawPointer) -> Int {
        var bytes = table.page.size
        for column in table.textColumns {
            let place = table.page.columns[column]
            forEachSlot(page) { slot in
                let cell = Cell(loading: .string, from: page + Int(place.valueOffset), at: slot)
                if Text.isBlock(cell) { bytes += min(Text.count(cell), apartBytes) }
            }
        }
        for column in table.collectionColumns {
            guard let element = table.columns[column].element else { continue }
            let tree = RankTree(stride: element.stride)
            let place = table.page.columns[column]
            forEachSlot(page) { slot in
                let word = place.root(page, slot)
                guard word != 0 else { return }
                bytes += min(size(UnsafeRawPointer(bitPattern: UInt(word)), tree, element), apartBytes)
            }
        }
        return bytes
    }

    @inline(__always)
    private func forEachSlot(_ page: UnsafeRawPointer, _ body: (Int) -> Void) {
        var live = Page.present(page)
        while live != 0 {
            body(live.trailingZeroBitCount)
            live &= live &- 1
        }
    }

    /// Bytes of a collection's elements and of their texts; no more than it takes to be sure that it stands apart.
    func size(_ root: RankTree.Root, _ tree: RankTree, _ element: ElementLayout) -> Int {
        var bytes = tree.count(root) * element.stride
        guard bytes <= apartBytes, element.kind.isText || element.key?.isText == true else { return bytes }
        tree.forEachRun(root) { run, count in
            for i in 0..<count { bytes += Self.textBytes(run + i * element.stride, element) }
        }
        return bytes
    }

    /// Bytes of an element outside its cells.
    static func textBytes(_ pointer: UnsafeRawPointer, _ element: ElementLayout) -> Int {
        var bytes = 0
        if let key = element.key, key.isText { bytes += Text.count(element.loadKey(pointer)) }
        if element.kind.isText {
            let cell = element.load(pointer)
            if !cell.isNull { bytes += Text.count(cell) }
        }
        return bytes
    }
}
