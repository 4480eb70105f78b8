import BanyanCore

/// Reads a chunk into new pages. See `SnapshotTableEncoder.chunk`.
final class ChunkDecoder {
    /// A value that stands apart: its place in its page is filled by the parts.
    struct Apart {
        var column: Int
        var slot: Int
        var page: UnsafeMutableRawPointer
    }

    private(set) var first = 0
    private(set) var pages: [UnsafeMutableRawPointer] = []
    private(set) var apart: [Apart] = []

    private let loader: GraphLoader
    private let table: TableLayout
    private let memory: TransactionMemory
    private let values = ValueColumnDecoder()
    private let gathered = Scratch()
    private var present: [UInt64] = []
    private var count = 0

    init(_ loader: GraphLoader, _ table: TableLayout, _ memory: TransactionMemory) {
        self.loader = loader
        self.table = table
        self.memory = memory
    }

    /// Fills `pages` and `apart`. The reader stands behind the form byte.
    func decode(_ reader: inout PayloadReader, rows: UInt64) throws(PayloadFault) {
        first = try reader.number(below: 1 << 26, "the page")
        let pageCount = try reader.number(below: 1 << 26 + 1 - first, "the number of pages")
        guard pageCount > 0, pageCount <= reader.remaining / 8 else { throw PayloadReader.short() }
        present.reserveCapacity(pageCount)
        for _ in 0..<pageCount { present.append(try reader.u64()) }
        count = present.reduce(0) { $0 + $1.nonzeroBitCount }
        guard rows == UInt64(count) else { throw PayloadFault("it holds \(count) objects instead of \(rows)") }
        pages.reserveCapacity(pageCount)
        for index in 0..<pageCount {
            let page = loader.makePage(table.table, index: first + index, memory)
            page.storeBytes(of: present[index], toByteOffset: Page.present, as: UInt64.self)
            pages.append(page)
        }
        try takeGenerations(&reader)
        for column in 0..<table.propertyCount {
            let info = table.columns[column]
            guard info.isStored else { continue }
            do throws(PayloadFault) {
                if info.isCollection {
                    try takeCollections(column, info, &reader)
                } else {
                    try takeSingles(column, info, &reader)
                }
            } catch {
                throw PayloadFault("\(error.reason) (in '\(table.type.properties[column].name)')")
            }
        }
        try reader.finish()
    }

    private func takeGenerations(_ reader: inout PayloadReader) throws(PayloadFault) {
        gathered.reserve(pages.count * Page.slots * 4)
        try values.take(
            .float, target: -1, into: gathered.base, stride: 4, count: pages.count * Page.slots, memory, from: &reader)
        let source = gathered.base.bindMemory(to: UInt32.self, capacity: pages.count * Page.slots)
        for (i, page) in pages.enumerated() { Page.setGenerations(page, from: source + i * Page.slots, memory) }
    }

    private func takeSingles(_ column: Int, _ info: ColumnLayout, _ reader: inout PayloadReader) throws(PayloadFault) {
        let place = table.page.columns[column]
        var live = present
        if info.kind.isLink {
            live = try bitmap(of: present, &reader)
        } else if info.isOptional {
            live = try bitmap(of: present, &reader)
            store(live, offset: Int(place.presenceOffset))
        }
        if info.kind.isBit {
            store(try bitmap(of: live, &reader), offset: Int(place.valueOffset))
            return
        }
        let width = info.kind.width
        let count = live.reduce(0) { $0 + $1.nonzeroBitCount }
        gathered.reserve(count * width)
        try values.take(
            info.kind, target: info.linkTarget, into: gathered.base, stride: width, count: count, memory, from: &reader)
        if info.kind.isLink {
            for i in 0..<count where gathered.base.load(fromByteOffset: i * 8, as: UInt64.self) == 0 {
                throw PayloadFault("a link leads to nothing")
            }
        }
        scatter(live, offset: Int(place.valueOffset), width: width)
        if info.kind.isText { try takeApart(column, live, count, &reader) }
    }

    private func takeCollections(_ column: Int, _ info: ColumnLayout, _ reader: inout PayloadReader)
        throws(PayloadFault)
    {
        guard let element = info.element else { return }
        let words = try values.takeWords(count, from: &reader)
        var counts: [Int] = []
        counts.reserveCapacity(count)
        var total = 0
        for i in 0..<count {
            // Each element takes at least a byte of what is left.
            guard words[i] <= UInt64(reader.remaining) else {
                throw PayloadFault("a collection of \(words[i]) elements")
            }
            counts.append(Int(truncatingIfNeeded: words[i]))
            total += counts[i]
            guard total <= reader.remaining else { throw PayloadReader.short() }
        }
        try takeApart(column, present, count, &reader)
        gathered.count = 0
        gathered.reserve(total * element.stride)
        try ElementsDecoder(element, info, values).take(gathered.base, count: total, memory, from: &reader)
        let tree = RankTree(stride: element.stride)
        var number = 0
        var source = UnsafeRawPointer(gathered.base)
        let place = table.page.columns[column]
        for (index, page) in pages.enumerated() {
            var word = present[index]
            while word != 0 {
                let slot = word.trailingZeroBitCount
                word &= word &- 1
                let count = counts[number]
                number += 1
                guard count > 0 else { continue }
                if case .list = info.shape {} else { try ElementsDecoder.checkOrder(element, source, count: count) }
                var root: RankTree.Root = nil
                tree.append(&root, count: count, in: memory) { target, count in
                    target.copyMemory(from: source, byteCount: count &* element.stride)
                    source += count &* element.stride
                }
                place.initializeRoot(page, slot, UInt64(UInt(bitPattern: root)), memory)
            }
        }
    }

    private func takeApart(
        _ column: Int, _ live: [UInt64], _ count: Int, _ reader: inout PayloadReader
    ) throws(PayloadFault) {
        let numbers = try reader.count()
        guard numbers > 0 else { return }
        var wanted: [Int] = []
        var next = 0
        for _ in 0..<numbers {
            let number = next + (try reader.number(below: max(count - next, 0), "what stands apart"))
            wanted.append(number)
            next = number + 1
        }
        var number = 0
        var position = 0
        for (index, page) in pages.enumerated() {
            var word = live[index]
            while word != 0, position < wanted.count {
                let slot = word.trailingZeroBitCount
                word &= word &- 1
                if wanted[position] == number {
                    apart.append(Apart(column: column, slot: (first + index) << Page.slotBits | slot, page: page))
                    position += 1
                }
                number += 1
            }
        }
    }

    // MARK: - Bitmaps and runs

    private func bitmap(of limit: [UInt64], _ reader: inout PayloadReader) throws(PayloadFault) -> [UInt64] {
        switch try reader.byte() {
        case SnapshotCodec.Bitmap.none: return [UInt64](repeating: 0, count: limit.count)
        case SnapshotCodec.Bitmap.all: return limit
        case SnapshotCodec.Bitmap.words:
            var words: [UInt64] = []
            words.reserveCapacity(limit.count)
            for index in limit.indices {
                let word = try reader.u64()
                guard word & ~limit[index] == 0 else { throw PayloadFault("a value stands where no object is") }
                words.append(word)
            }
            return words
        default: throw PayloadFault("a bitmap of an unknown form")
        }
    }

    private func store(_ words: [UInt64], offset: Int) {
        for (index, page) in pages.enumerated() {
            page.storeBytes(of: words[index], toByteOffset: offset, as: UInt64.self)
        }
    }

    /// Puts the values gathered where they belong.
    private func scatter(_ live: [UInt64], offset: Int, width: Int) {
        var source = UnsafeRawPointer(gathered.base)
        for (index, page) in pages.enumerated() {
            var word = live[index]
            let target = page + offset
            if word == ~0 {
                target.copyMemory(from: source, byteCount: Page.slots &* width)
                source += Page.slots &* width
                continue
            }
            while word != 0 {
                let slot = word.trailingZeroBitCount
                word &= word &- 1
                (target + slot &* width).copyMemory(from: source, byteCount: width)
                source += width
            }
        }
    }
}
