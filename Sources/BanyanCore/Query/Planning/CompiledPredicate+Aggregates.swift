// Aggregates over the objects that satisfy a predicate.

extension CompiledPredicate {
    /// The minimum, maximum, sum or average of a property over all objects that satisfy the predicate; `@count` counts
    /// the objects. Nil values are left out; minimum, maximum and average of nothing are nil.
    ///
    /// - Parameter operand: a path of single values, or an aggregate of each object.
    /// - Throws: `invalidQuery` for a property that is not there or has no such aggregate.
    /// - Complexity: O(objects worth testing).
    package func aggregate(
        _ aggregate: Aggregate, of operand: Operand, in view: GraphView, names: NameMapping? = nil
    ) throws(BanyanError) -> Value {
        if aggregate == .count { return .int(Int64(count(in: view))) }
        let source: any CellSource
        do throws(BindingProblem) {
            source = try AggregateBinder(layout: view.layout, names: names).source(aggregate, of: operand, on: table)
        } catch {
            throw error.asError
        }
        var accumulator = Accumulator(aggregate, source.kind)
        let isSum = aggregate == .sum || aggregate == .average
        let column = (source as? ColumnSource)?.column
        forEachPage(in: view) { page, mask, _ in
            if isSum, let column, source.kind == .int {
                accumulator.add(integers: column, page, mask)
            } else if isSum, let column, source.kind == .double {
                accumulator.add(doubles: column, page, mask)
            } else {
                var rest = mask
                while rest != 0 {
                    accumulator.add(source.cell(page, rest.trailingZeroBitCount, view))
                    rest &= rest &- 1
                }
            }
            return true
        }
        return Value(accumulator.result, aggregate.resultKind(source.kind))
    }
}

private struct AggregateBinder {
    let layout: StoreLayout
    let names: NameMapping?

    func source(
        _ aggregate: Aggregate, of operand: Operand, on table: Int
    ) throws(BindingProblem) -> any CellSource {
        let bound = try Binder(layout: layout, names: names).source(operand, on: table)
        let path = bound.paths.first?.written
        if case .path(let path) = bound, path.isToMany {
            throw BindingProblem(path.written, "'\(path.written)' has several values for each object")
        }
        let isSum = aggregate == .sum || aggregate == .average
        guard isSum ? bound.kind.isNumber : bound.kind.isOrdered else {
            let need = isSum ? "numbers" : "values with an order"
            throw BindingProblem(path, "'\(operand)' is \(bound.kind.name); \(aggregate.rawValue) needs \(need)")
        }
        return Compiler(layout: layout).source(bound)
    }
}

// Whole pages at once: values under a mask, added without a branch. Slots without a value hold zero.
extension Accumulator {
    mutating func add(integers column: Column, _ page: UnsafeRawPointer, _ mask: UInt64) {
        let values = column.run(page, of: Int64.self)
        let present = mask & column.presence(page)
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

    mutating func add(doubles column: Column, _ page: UnsafeRawPointer, _ mask: UInt64) {
        let values = column.run(page, of: Double.self)
        let present = mask & column.presence(page)
        // Four sums: additions need not wait for each other.
        var sums = SIMD4<Double>.zero
        var slot = 0
        while slot < Page.slots {
            var bits = SIMD4<UInt64>(
                values[slot].bitPattern, values[slot &+ 1].bitPattern, values[slot &+ 2].bitPattern,
                values[slot &+ 3].bitPattern)
            let chosen = present &>> UInt64(slot)
            bits &= 0 &- (SIMD4(chosen, chosen &>> 1, chosen &>> 2, chosen &>> 3) & 1)
            sums += SIMD4(
                Double(bitPattern: bits[0]), Double(bitPattern: bits[1]), Double(bitPattern: bits[2]),
                Double(bitPattern: bits[3]))
            slot &+= 4
        }
        add(binaries: sums.sum(), count: present.nonzeroBitCount)
    }
}
