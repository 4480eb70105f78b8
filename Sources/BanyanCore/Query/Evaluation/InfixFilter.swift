/// A short text anywhere in another one.
///
/// A cell is two words: where the needle's first two bytes, compared with the cell and with the cell shifted by a byte, both
/// agree, a byte of the difference is zero. Most cells have no such place; only where there is one the texts are compared.
struct InfixFilter: PageFilter {
    let column: Column
    private let matcher: ContainsMatcher

    init(_ column: Column, _ bytes: [UInt8]) {
        self.column = column
        matcher = ContainsMatcher(needle: Needle(bytes))
    }

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        batch.touch(column, width: 16)
        let (column, matcher) = (column, matcher)
        batch.narrow { page, mask in
            let words = column.run(page, of: UInt64.self)
            let present = mask & column.presence(page)
            // Those that may have it: all that do, and blocks, whose words say nothing.
            var rest = narrowed(present) { slot in
                let (low, high) = (words[slot &* 2], words[slot &* 2 &+ 1])
                return matcher.mayMatch(low, high) || high &>> 56 == 0xFF
            }
            var kept = rest
            let cells = page + Int(column.valueOffset)
            while rest != 0 {
                let slot = rest.trailingZeroBitCount
                if !matcher.matches(TextFilter.bytes(of: cells + slot &* 16)) { kept &= ~(1 &<< UInt64(slot)) }
                rest &= rest &- 1
            }
            return kept
        }
    }
}
