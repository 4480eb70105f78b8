// Whole pages at once: values under a mask, without a branch.

extension Accumulator {
    /// Adds the values of a column that the mask names. Returns false, having done nothing, for kinds that have no loop here.
    @inline(__always)
    mutating func add(_ column: Column, _ page: UnsafeRawPointer, _ mask: UInt64) -> Bool {
        let present = mask & column.presence(page)
        switch (aggregate, kind.form) {
        case (.sum, .int64), (.average, .int64): addIntegers(column.run(page, of: Int64.self), present)
        // Of the kinds of this form, dates do not add up.
        case (.sum, .float64), (.average, .float64): addDoubles(column.run(page, of: Double.self), present)
        case (.minimum, .int64): addLeast(column.run(page, of: Int64.self), present, 0)
        // The complement turns the order round.
        case (.maximum, .int64): addLeast(column.run(page, of: Int64.self), present, -1)
        case (.count, _), (.sum, _), (.average, _), (.median, _), (.minimum, _), (.maximum, _): return false
        }
        return true
    }

    private mutating func addIntegers(_ values: ColumnRun<Int64>, _ present: UInt64) {
        if present == ~0 {
            // Values of less than 57 bits, which nearly all are: their sum fits into a word. Moved up by half their range
            // they have no bit above the 57th.
            var sum = SIMD8<UInt64>.zero
            var seen = SIMD8<UInt64>.zero
            for start in stride(from: 0, to: Page.slots * 8, by: 64) {
                let eight = values.start.loadUnaligned(fromByteOffset: start, as: SIMD8<UInt64>.self)
                sum &+= eight
                seen |= eight &+ SIMD8(repeating: 1 &<< 56)
            }
            seen &= SIMD8(repeating: ~0 &<< 57)
            if seen == .zero {
                return add(integers: Int128(Int64(bitPattern: sum.wrappedSum())), count: Page.slots)
            }
        }
        // Sums of 64 values cannot overflow two halves.
        var high: Int64 = 0
        var low: UInt64 = 0
        for slot in 0..<Page.slots {
            let value = values[slot] & (0 &- Int64(truncatingIfNeeded: present &>> UInt64(slot) & 1))
            high &+= value &>> 32
            low &+= UInt64(truncatingIfNeeded: value) & 0xFFFF_FFFF
        }
        add(integers: Int128(high) << 32 + Int128(low), count: present.nonzeroBitCount)
    }

    private mutating func addDoubles(_ values: ColumnRun<Double>, _ present: UInt64) {
        // Eight sums: additions need not wait for each other.
        var sums = SIMD8<Double>.zero
        if present == ~0 {
            for start in stride(from: 0, to: Page.slots * 8, by: 64) {
                sums += values.start.loadUnaligned(fromByteOffset: start, as: SIMD8<Double>.self)
            }
        } else {
            var slot = 0
            while slot < Page.slots {
                var bits = values.start.loadUnaligned(fromByteOffset: slot &* 8, as: SIMD8<UInt64>.self)
                let chosen = SIMD8(repeating: present &>> UInt64(slot)) &>> SIMD8(0, 1, 2, 3, 4, 5, 6, 7)
                bits &= 0 &- (chosen & 1)
                sums += unsafeBitCast(bits, to: SIMD8<Double>.self)
                slot &+= 8
            }
        }
        add(binaries: sums.sum(), count: present.nonzeroBitCount)
    }

    /// The least of the values, each exclusive-or `flip`.
    private mutating func addLeast(_ values: ColumnRun<Int64>, _ present: UInt64, _ flip: Int64) {
        guard present != 0 else { return }
        var least = Int64.max
        if present == ~0 {
            var (a, b) = (Int64.max, Int64.max)
            for slot in 0..<(Page.slots / 2) {
                a = min(a, values[slot] ^ flip)
                b = min(b, values[slot &+ Page.slots / 2] ^ flip)
            }
            least = min(a, b)
        } else {
            for slot in 0..<Page.slots {
                let isMissing = Int64(truncatingIfNeeded: present &>> UInt64(slot) & 1) &- 1
                // A missing one counts as the greatest there is.
                least = min(least, (values[slot] ^ flip) & ~isMissing | isMissing & .max)
            }
        }
        add(Cell(low: UInt64(bitPattern: least ^ flip)))
    }
}
