import BanyanCore

/// Puts one value that stands apart in its place, part by part. See `SnapshotTableEncoder.encodeParts`.
struct PartDecoder {
    /// What each part begins with.
    struct Head {
        let column: Int
        let slot: Int
        let start: Int
        let total: Int
        let count: Int

        init(_ reader: inout PayloadReader, _ table: TableLayout) throws(PayloadFault) {
            column = try reader.number(below: table.propertyCount, "the property")
            slot = try reader.number(below: 1 << 32, "the slot")
            start = try reader.number(below: RankTree.maximumCount, "the start")
            total = try reader.number(below: RankTree.maximumCount + 1, "the size")
            count = try reader.count()
            guard count > 0, start + count <= total else { throw PayloadFault("a part is empty or too long") }
        }
    }

    private let table: TableLayout
    private let place: ChunkDecoder.Apart
    private let memory: TransactionMemory
    private let values = ValueColumnDecoder()
    private let buffer = Scratch()
    private var done = 0
    private var total = 0

    init(_ table: TableLayout, _ place: ChunkDecoder.Apart, _ memory: TransactionMemory) {
        self.table = table
        self.place = place
        self.memory = memory
    }

    var isComplete: Bool { done == total }

    mutating func add(_ head: Head, _ reader: inout PayloadReader) throws(PayloadFault) {
        guard head.start == done, total == 0 || head.total == total else {
            throw PayloadFault("a part is out of order")
        }
        total = head.total
        let info = table.columns[place.column]
        if let element = info.element {
            try addElements(head, element, info, &reader)
        } else {
            try addText(head, info, &reader)
        }
        done += head.count
    }

    private func addText(_ head: Head, _ info: ColumnLayout, _ reader: inout PayloadReader) throws(PayloadFault) {
        let bytes = try reader.bytes(head.count)
        guard head.count == head.total, head.count > Text.inlineCapacity, head.count <= info.kind.maximumTextCount,
            let source = bytes.baseAddress
        else { throw PayloadFault("a text stands apart that should not") }
        if info.kind == .any, !AnyCell.isValid(bytes) { throw PayloadFault("an AnyValue is none") }
        if info.kind.isUnicode, !UTF8Check.isValid(bytes) { throw PayloadFault("a text is not UTF-8") }
        table.page.columns[place.column].store(
            memory.makeText(source, count: head.count), info.kind, place.page, place.slot & Page.slotMask)
    }

    private func addElements(
        _ head: Head, _ element: ElementLayout, _ info: ColumnLayout, _ reader: inout PayloadReader
    ) throws(PayloadFault) {
        let column = table.page.columns[place.column]
        let slot = place.slot & Page.slotMask
        let tree = RankTree(stride: element.stride)
        var root: RankTree.Root = UnsafeRawPointer(bitPattern: UInt(column.root(place.page, slot)))
        // The last element of the part before stands in front, to be compared with the first.
        let overlap = done == 0 ? 0 : 1
        guard tree.count(root) == done else { throw PayloadFault("a collection stands apart and in its chunk") }
        buffer.reserve((head.count + 1) * element.stride)
        if overlap == 1 {
            buffer.base.copyMemory(from: tree.element(root, at: done - 1), byteCount: element.stride)
        }
        let new = buffer.base + overlap * element.stride
        try ElementsDecoder(element, info, values).take(new, count: head.count, memory, from: &reader)
        if case .list = info.shape {
        } else {
            try ElementsDecoder.checkOrder(element, buffer.base, count: head.count + overlap)
        }
        var source = UnsafeRawPointer(new)
        tree.append(&root, count: head.count, in: memory) { target, count in
            target.copyMemory(from: source, byteCount: count * element.stride)
            source += count * element.stride
        }
        column.initializeRoot(place.page, slot, UInt64(UInt(bitPattern: root)), memory)
    }
}
