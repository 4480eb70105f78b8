import BanyanCore

/// Writes one table: its pages in chunks, then what stands apart.
final class SnapshotTableEncoder {
    typealias Emit = (_ kind: UInt8, _ rows: UInt64, _ payload: [UInt8]) throws -> Void

    let view: GraphView
    let table: TableLayout
    let values = ValueColumnEncoder()
    let apartBytes: Int
    private let pages: [UnsafeRawPointer]
    private let gathered = Scratch()
    /// Values too large for a chunk, in the order in which they were met.
    private var apart: [(column: Int, slot: Int)] = []

    init(_ view: GraphView, _ table: TableLayout) {
        self.view = view
        self.table = table
        apartBytes = SnapshotCodec.apartBytes(table)
        let header = view.header(table.table)
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

    func encodeAll(_ emit: Emit) throws {
        var first = 0
        var step = max(1, SnapshotCodec.chunkBytes / table.page.size)
        while first < pages.count {
            let end = min(first + step, pages.count)
            let (rows, payload) = chunk(first..<end)
            try emit(SnapshotCodec.FrameKind.chunk, UInt64(rows), payload)
            // The next as large as this one's bytes a page suggest, but not all of a sudden.
            let wanted = SnapshotCodec.chunkBytes * (end - first) / max(payload.count, 1)
            step = min(max(wanted, 1), step * 4)
            first = end
        }
        for (column, slot) in apart { try encodeParts(column, slot, emit) }
    }

    // MARK: - Chunks

    private func chunk(_ range: Range<Int>) -> (rows: Int, payload: [UInt8]) {
        var out = PayloadWriter(capacity: SnapshotCodec.chunkBytes + SnapshotCodec.chunkBytes / 4)
        out.put(byte: SnapshotCodec.form)
        out.put(count: range.lowerBound)
        out.put(count: range.count)
        let present = range.map { Page.present(pages[$0]) }
        for word in present { out.put(u64: word) }
        putGenerations(range, to: &out)
        for column in 0..<table.propertyCount {
            let info = table.columns[column]
            guard info.isStored else { continue }
            if info.isCollection {
                putCollections(column, info, range, present, to: &out)
            } else {
                putSingles(column, info, range, present, to: &out)
            }
        }
        return (present.reduce(0) { $0 + $1.nonzeroBitCount }, out.bytes)
    }

    private func putGenerations(_ range: Range<Int>, to out: inout PayloadWriter) {
        let base = gather(range, range.map { _ in ~0 }, offset: Page.generations, width: 4)
        _ = values.put(.float, base, stride: 4, count: range.count * Page.slots, to: &out)
    }

    private func putSingles(
        _ column: Int, _ info: ColumnLayout, _ range: Range<Int>, _ present: [UInt64], to out: inout PayloadWriter
    ) {
        let place = table.page.columns[column]
        var live = present
        if info.kind.isLink {
            live = range.map { index in
                let page = pages[index]
                var word: UInt64 = 0
                for slot in 0..<Page.slots where place.word(page, slot) != 0 { word |= 1 << UInt64(slot) }
                return word & present[index - range.lowerBound]
            }
            put(bitmap: live, of: present, to: &out)
        } else if info.isOptional {
            live = bitmap(range, Int(place.presenceOffset), of: present)
            put(bitmap: live, of: present, to: &out)
        }
        if info.kind == .bool {
            put(bitmap: bitmap(range, Int(place.valueOffset), of: live), of: live, to: &out)
            return
        }
        let base = gather(range, live, offset: Int(place.valueOffset), width: info.kind.width)
        let count = live.reduce(0) { $0 + $1.nonzeroBitCount }
        let numbers = values.put(info.kind, base, stride: info.kind.width, count: count, apart: apartBytes, to: &out)
        if info.kind.isText { put(apart: numbers, column, slots: slots(numbers, range, live), to: &out) }
    }

    private func bitmap(_ range: Range<Int>, _ offset: Int, of limit: [UInt64]) -> [UInt64] {
        range.map { pages[$0].load(fromByteOffset: offset, as: UInt64.self) & limit[$0 - range.lowerBound] }
    }

    private func put(bitmap words: [UInt64], of limit: [UInt64], to out: inout PayloadWriter) {
        if words == limit {
            out.put(byte: SnapshotCodec.Bitmap.all)
        } else if words.allSatisfy({ $0 == 0 }) {
            out.put(byte: SnapshotCodec.Bitmap.none)
        } else {
            out.put(byte: SnapshotCodec.Bitmap.words)
            for word in words { out.put(u64: word) }
        }
    }

    /// The values of the slots in `live`, side by side.
    private func gather(_ range: Range<Int>, _ live: [UInt64], offset: Int, width: Int) -> UnsafeRawPointer {
        gathered.reserve(range.count * Page.slots * width)
        var target = gathered.base
        for index in range {
            let source = pages[index] + offset
            var word = live[index - range.lowerBound]
            if word == ~0 {
                target.copyMemory(from: source, byteCount: Page.slots &* width)
                target += Page.slots &* width
                continue
            }
            while word != 0 {
                let slot = word.trailingZeroBitCount
                word &= word &- 1
                target.copyMemory(from: source + slot &* width, byteCount: width)
                target += width
            }
        }
        return UnsafeRawPointer(gathered.base)
    }

    // MARK: - Collections

    private func putCollections(
        _ column: Int, _ info: ColumnLayout, _ range: Range<Int>, _ present: [UInt64], to out: inout PayloadWriter
    ) {
        guard let element = info.element else { return }
        let tree = RankTree(stride: element.stride)
        let roots = gather(range, present, offset: Int(table.page.columns[column].valueOffset), width: 8)
            .assumingMemoryBound(to: UInt64.self)
        let objects = present.reduce(0) { $0 + $1.nonzeroBitCount }
        var counts = [UInt64](repeating: 0, count: objects)
        var numbers: [Int] = []
        let elements = Scratch()
        for i in 0..<objects where roots[i] != 0 {
            let root: RankTree.Root = UnsafeRawPointer(bitPattern: UInt(roots[i]))
            if isLarge(root, tree, element) {
                numbers.append(i)
                continue
            }
            counts[i] = UInt64(tree.count(root))
            tree.forEachRun(root) { run, count in
                elements.reserve(elements.count + count * element.stride)
                (elements.base + elements.count).copyMemory(from: run, byteCount: count * element.stride)
                elements.count += count * element.stride
            }
        }
        values.put(words: counts, to: &out)
        put(apart: numbers, column, slots: slots(numbers, range, present), to: &out)
        putElements(element, elements.base, count: elements.count / element.stride, to: &out)
    }

    /// Keys, then which values are there, then the values.
    func putElements(_ element: ElementLayout, _ base: UnsafeRawPointer, count: Int, to out: inout PayloadWriter) {
        if let key = element.key {
            _ = values.put(key, base, stride: element.stride, count: count, least: 1, to: &out)
        }
        if element.isOptional {
            _ = values.put(
                .bool, base + element.presenceOffset, stride: element.stride, count: count, least: 1, to: &out)
        }
        _ = values.put(
            element.kind, base + element.valueOffset, stride: element.stride, count: count, least: 1, to: &out)
    }

    private func isLarge(_ root: RankTree.Root, _ tree: RankTree, _ element: ElementLayout) -> Bool {
        let flat = tree.count(root) * element.stride
        guard flat <= apartBytes, element.kind.isText || element.key?.isText == true else { return flat > apartBytes }
        var bytes = flat
        tree.forEachRun(root) { run, count in
            for i in 0..<count { bytes += self.textBytes(run + i * element.stride, element) }
        }
        return bytes > apartBytes
    }

    /// Bytes of an element outside its cells.
    func textBytes(_ pointer: UnsafeRawPointer, _ element: ElementLayout) -> Int {
        var bytes = 0
        if let key = element.key, key.isText { bytes += Text.count(element.loadKey(pointer)) }
        if element.kind.isText {
            let cell = element.load(pointer)
            if !cell.isNull { bytes += Text.count(cell) }
        }
        return bytes
    }

    // MARK: - What stands apart

    private func put(apart numbers: [Int], _ column: Int, slots: [Int], to out: inout PayloadWriter) {
        out.put(count: numbers.count)
        var next = 0
        for number in numbers {
            out.put(count: number - next)
            next = number + 1
        }
        for slot in slots { apart.append((column, slot)) }
    }

    /// The slots that these are the numbers of among the live ones.
    private func slots(_ numbers: [Int], _ range: Range<Int>, _ live: [UInt64]) -> [Int] {
        guard !numbers.isEmpty else { return [] }
        var all: [Int] = []
        for (offset, word) in live.enumerated() {
            var word = word
            while word != 0 {
                all.append((range.lowerBound + offset) << Page.slotBits | word.trailingZeroBitCount)
                word &= word - 1
            }
        }
        return numbers.map { all[$0] }
    }

    private func encodeParts(_ column: Int, _ slot: Int, _ emit: Emit) throws {
        let ref = ObjectRef(table: table.table, slot: slot)
        func head(_ start: Int, _ total: Int, _ count: Int) -> PayloadWriter {
            var out = PayloadWriter(capacity: 1024)
            out.put(byte: SnapshotCodec.form)
            for number in [column, slot, start, total, count] { out.put(count: number) }
            return out
        }
        guard let element = table.columns[column].element else {
            let cell = view.cell(ref, column)
            var out = head(0, Text.count(cell), Text.count(cell))
            Text.withBytes(cell) { out.bytes.append(contentsOf: $0) }
            try emit(SnapshotCodec.FrameKind.part, 0, out.bytes)
            return
        }
        let tree = RankTree(stride: element.stride)
        let root = view.root(CollectionRef(ref, column))
        let total = tree.count(root)
        let buffer = Scratch()
        var start = 0
        while start < total {
            var count = 0
            var bytes = 0
            buffer.count = 0
            var cursor = tree.cursor(root, in: start..<total)
            while bytes < SnapshotCodec.partBytes, let pointer = cursor.next() {
                buffer.reserve(buffer.count + element.stride)
                (buffer.base + buffer.count).copyMemory(from: pointer, byteCount: element.stride)
                buffer.count += element.stride
                bytes += element.stride + textBytes(pointer, element)
                count += 1
            }
            var out = head(start, total, count)
            putElements(element, buffer.base, count: count, to: &out)
            try emit(SnapshotCodec.FrameKind.part, 0, out.bytes)
            start += count
        }
    }
}
