/// Hashes and compares the values behind the slots of an index.
struct IndexHasher {
    let header: UnsafeRawPointer
    let kind: ValueKind
    let place: Column
    let seed: UInt64

    func hash(_ cell: Cell) -> UInt64 { CellOrder.hash(cell, kind, seed: seed) }
    func hash(slot: UInt64) -> UInt64 { hash(cell(slot)) }
    func hash(posting: UInt64) -> UInt64 { hash(cell(UInt64(SlotCounts(word: posting).slot(at: 0)))) }
    func matches(posting: UInt64, _ cell: Cell) -> Bool {
        CellOrder.equal(self.cell(UInt64(SlotCounts(word: posting).slot(at: 0))), cell, kind)
    }

    func cell(_ slot: UInt64) -> Cell {
        guard let page = TableHeader.page(header, slot: Int(slot)) else { return .null }
        return place.load(kind, page, Int(slot) & Page.slotMask)
    }
}
