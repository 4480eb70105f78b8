import BanyanCore

/// Reads the elements of collections, of many side by side or a piece of a large one, as they stand in trees.
struct ElementsDecoder {
    private let element: ElementLayout
    private let info: ColumnLayout
    private let values: ValueColumnDecoder

    init(_ element: ElementLayout, _ info: ColumnLayout, _ values: ValueColumnDecoder) {
        self.element = element
        self.info = info
        self.values = values
    }

    /// `base` has room for `count` elements.
    func take(
        _ base: UnsafeMutableRawPointer, count: Int, _ memory: TransactionMemory, from reader: inout PayloadReader
    ) throws(PayloadFault) {
        let stride = element.stride
        // Every byte of an element is compared when trees are; those between its parts must be the same everywhere.
        base.initializeMemory(as: UInt8.self, repeating: 0, count: count * stride)
        if let key = element.key {
            try values.take(key, target: -1, into: base, stride: stride, count: count, least: 1, memory, from: &reader)
        }
        if element.isOptional {
            try values.take(
                .bool, target: -1, into: base + element.presenceOffset, stride: stride, count: count, least: 1, memory,
                from: &reader)
        }
        try values.take(
            element.kind, target: info.linkTarget, into: base + element.valueOffset, stride: stride, count: count,
            least: 1,
            memory, from: &reader)
        try checkNils(base, count)
    }

    private func checkNils(_ base: UnsafeMutableRawPointer, _ count: Int) throws(PayloadFault) {
        if element.isOptional {
            for i in 0..<count {
                let pointer = base + i * element.stride
                guard pointer.load(fromByteOffset: element.presenceOffset, as: UInt8.self) == 0 else { continue }
                let cell = Cell(loading: element.kind, from: pointer + element.valueOffset, at: 0)
                guard cell.low == 0, cell.high == 0 else { throw PayloadFault("a nil has a value") }
            }
        } else if element.kind.isLink, element.key == nil {
            for i in 0..<count
            where base.load(fromByteOffset: i * element.stride + element.valueOffset, as: UInt64.self) == 0 {
                throw PayloadFault("a collection holds a link to nothing")
            }
        }
    }

    /// Throws unless each element sorts behind the one before: that is how sets and maps are kept.
    static func checkOrder(_ element: ElementLayout, _ base: UnsafeRawPointer, count: Int) throws(PayloadFault) {
        func cell(_ i: Int) -> Cell {
            let pointer = base + i * element.stride
            return element.key == nil ? element.load(pointer) : element.loadKey(pointer)
        }
        guard count > 1 else { return }
        let kind = element.key ?? element.kind
        var last = cell(0)
        for i in 1..<count {
            let next = cell(i)
            guard CellOrder.compare(last, next, kind) < 0 else {
                throw PayloadFault("a \(element.key == nil ? "set" : "map") is not in order, or holds something twice")
            }
            last = next
        }
    }
}
