// Single values: well-formed texts, nothing left in vacated slots.

extension GraphCheck {
    func checkValues(_ table: TableLayout) {
        let header = view.header(table.table)
        Directory.forEach(
            TableHeader.directory(header), depth: TableHeader.depth(header), count: TableHeader.pageCount(header)
        ) { index, page in
            let present = Page.present(page)
            for (i, column) in table.columns.enumerated() {
                let place = table.page.columns[i]
                if column.role == .inverseProperty { continue }
                if column.role == .backlink || column.isCollection {
                    for slot in 0..<Page.slots where present >> UInt64(slot) & 1 == 0 && place.root(page, slot) != 0 {
                        fail("\(name(table.table, i)) holds something in vacated slot \(index << Page.slotBits | slot)")
                    }
                    continue
                }
                checkColumn(table, i, place, page, present, firstSlot: index << Page.slotBits)
            }
            return true
        }
    }

    private func checkColumn(
        _ table: TableLayout, _ i: Int, _ place: Column, _ page: UnsafeRawPointer, _ present: UInt64, firstSlot: Int
    ) {
        let kind = table.columns[i].kind
        let values =
            place.presenceOffset == 0 ? present : page.load(fromByteOffset: Int(place.presenceOffset), as: UInt64.self)
        if values & ~present != 0 {
            fail("\(name(table.table, i)) has a value in a vacated slot of page \(firstSlot >> Page.slotBits)")
        }
        if kind.isBit {
            let bits = page.load(fromByteOffset: Int(place.valueOffset), as: UInt64.self)
            if bits & ~values != 0 { fail("\(name(table.table, i)) is true where there is no value") }
            return
        }
        for slot in 0..<Page.slots {
            let cell = Cell(loading: kind, from: page + Int(place.valueOffset), at: slot)
            if values >> UInt64(slot) & 1 == 0 {
                if cell.low != 0 || cell.high != 0 {
                    fail("\(name(table.table, i)) of slot \(firstSlot + slot) is not zero though there is no value")
                }
            } else if kind.isText {
                checkText(cell, kind, "\(name(table.table, i)) of slot \(firstSlot + slot)")
            }
        }
    }

    /// A text is inline exactly when it fits, its unused bytes are zero, and a String's bytes are UTF-8.
    func checkText(_ cell: Cell, _ kind: ValueKind, _ what: @autoclosure () -> String) {
        let count = Text.count(cell)
        if Text.isBlock(cell) {
            guard count > Text.inlineCapacity, count <= kind.maximumTextCount else {
                return fail("\(what()) is a block of \(count) bytes")
            }
            claim(Text.block(cell), what())
        } else {
            guard count <= Text.inlineCapacity else { return fail("\(what()) has \(count) bytes inline") }
            let isPadded = withUnsafeBytes(of: (cell.low, cell.high)) { $0[count..<15].allSatisfy { $0 == 0 } }
            if !isPadded { fail("\(what()) has something behind its \(count) bytes") }
        }
        if kind == .any, !Text.withBytes(cell, { AnyCell.isValid($0) }) { fail("\(what()) is no AnyValue") }
        if kind.isUnicode, !Text.withBytes(cell, { String(validating: $0, as: UTF8.self) != nil }) {
            fail("\(what()) is not UTF-8")
        }
    }
}
