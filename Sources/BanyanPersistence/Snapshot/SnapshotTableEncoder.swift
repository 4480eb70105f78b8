import BanyanCore

/// Encodes pieces of a table, one after another: a chunk, or what stands apart of one value. Each worker has one, so that the
/// memory it works in is made once.
final class SnapshotTableEncoder {
    typealias Emit = (_ kind: UInt8, _ rows: UInt64, _ payload: UnsafeRawBufferPointer) throws -> Void

    /// A value too large for its chunk.
    struct Apart: Sendable {
        var column: Int
        var slot: Int
    }

    /// What does not depend on the table.
    final class Room: @unchecked Sendable {
        // Sound: one worker at a time has it.
        fileprivate let values = ValueColumnEncoder()
        fileprivate let gathered = Scratch()
        fileprivate let elements = Scratch()
        @exclusivity(unchecked) fileprivate var payload = PayloadWriter(capacity: SnapshotCodec.chunkBytes)
    }

    private let source: SnapshotTable
    private let table: TableLayout
    private let pages: [UnsafeRawPointer]
    private let room: Room
    private var values: ValueColumnEncoder { room.values }
    private var gathered: Scratch { room.gathered }
    /// Values too large for the chunk, in the order in which they were met.
    private var apart: [Apart] = []

    init(_ source: SnapshotTable, _ room: Room) {
        self.source = source
        self.room = room
        table = source.table
        pages = source.pages
    }

    /// Runs `body` with a writer that keeps its memory from one payload to the next, and emits what it wrote.
    private func emit(_ kind: UInt8, to emit: Emit, _ body: (inout PayloadWriter) -> Int) throws {
        var out = exchange(&room.payload, with: PayloadWriter(capacity: 0))
        defer { room.payload = out }
        out.bytes.removeAll(keepingCapacity: true)
        out.put(byte: SnapshotCodec.form)
        let rows = body(&out)
        try out.bytes.withUnsafeBytes { try emit(kind, UInt64(rows), $0) }
    }

    // MARK: - Chunks

    /// Emits one chunk; returns what stands apart of its values.
    func encodeChunk(_ range: Range<Int>, _ emit: Emit) throws -> [Apart] {
        apart = []
        try self.emit(SnapshotCodec.FrameKind.chunk, to: emit) { chunk(range, to: &$0) }
        return apart
    }

    private func chunk(_ range: Range<Int>, to out: inout PayloadWriter) -> Int {
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
        return present.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    private func putGenerations(_ range: Range<Int>, to out: inout PayloadWriter) {
        let count = range.count * Page.slots
        gathered.reserve(count * 4)
        let target = gathered.base.bindMemory(to: UInt32.self, capacity: count)
        for (i, page) in range.map({ pages[$0] }).enumerated() {
            for slot in 0..<Page.slots { target[i &* Page.slots &+ slot] = Page.generation(page, slot) }
        }
        _ = values.put(.float, gathered.base, stride: 4, count: count, to: &out)
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
        if info.kind.isBit {
            put(bitmap: bitmap(range, Int(place.valueOffset), of: live), of: live, to: &out)
            return
        }
        let base = gather(range, live, offset: Int(place.valueOffset), width: info.kind.width)
        let count = live.reduce(0) { $0 + $1.nonzeroBitCount }
        let numbers = values.put(
            info.kind, base, stride: info.kind.width, count: count, apart: source.apartBytes, to: &out)
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

    private func gatherRoots(
        _ place: Column, _ range: Range<Int>, _ live: [UInt64], count: Int
    ) -> UnsafeMutablePointer<UInt64> {
        gathered.reserve(count * 8)
        let target = gathered.base.bindMemory(to: UInt64.self, capacity: count)
        var next = 0
        for index in range {
            var word = live[index - range.lowerBound]
            while word != 0 {
                target[next] = place.root(pages[index], word.trailingZeroBitCount)
                next &+= 1
                word &= word &- 1
            }
        }
        return target
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
        let objects = present.reduce(0) { $0 + $1.nonzeroBitCount }
        let roots = gatherRoots(table.page.columns[column], range, present, count: objects)
        var counts = [UInt64](repeating: 0, count: objects)
        var numbers: [Int] = []
        let elements = room.elements
        elements.count = 0
        for i in 0..<objects where roots[i] != 0 {
            let root: RankTree.Root = UnsafeRawPointer(bitPattern: UInt(roots[i]))
            if source.size(root, tree, element) > source.apartBytes {
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

    // MARK: - What stands apart

    private func put(apart numbers: [Int], _ column: Int, slots: [Int], to out: inout PayloadWriter) {
        out.put(count: numbers.count)
        var next = 0
        for number in numbers {
            out.put(count: number - next)
            next = number + 1
        }
        for slot in slots { apart.append(Apart(column: column, slot: slot)) }
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

    /// Emits a value that stands apart, in parts.
    func encodeParts(_ value: Apart, _ emit: Emit) throws {
        let ref = ObjectRef(table: table.table, slot: value.slot)
        func put(_ start: Int, _ total: Int, _ count: Int, to out: inout PayloadWriter) {
            for number in [value.column, value.slot, start, total, count] { out.put(count: number) }
        }
        guard let element = table.columns[value.column].element else {
            let cell = source.view.cell(ref, value.column)
            return try self.emit(SnapshotCodec.FrameKind.part, to: emit) { out in
                put(0, Text.count(cell), Text.count(cell), to: &out)
                Text.withBytes(cell) { out.bytes.append(contentsOf: $0) }
                return 0
            }
        }
        let tree = RankTree(stride: element.stride)
        let root = source.view.root(CollectionRef(ref, value.column))
        let total = tree.count(root)
        let buffer = room.elements
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
                bytes += element.stride + SnapshotTable.textBytes(pointer, element)
                count += 1
            }
            try self.emit(SnapshotCodec.FrameKind.part, to: emit) { out in
                put(start, total, count, to: &out)
                putElements(element, buffer.base, count: count, to: &out)
                return 0
            }
            start += count
        }
    }
}
