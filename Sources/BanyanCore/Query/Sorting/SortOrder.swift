/// An order of objects of one type, and maybe of its subtypes, by the values of several sources, ready for any version of the graph.
package struct SortOrder: Sendable {
    struct Term: Sendable {
        let source: any CellSource
        /// Set when the value is a column of the object itself.
        let column: Column?
        /// Its number.
        let own: Int?
        let kind: ValueKind
        let isAscending: Bool

        @inline(__always)
        func cell(_ page: UnsafeRawPointer, _ slot: Int, _ view: GraphView) -> Cell {
            if let column { return column.load(kind, page, slot) }
            return source.cell(page, slot, QueryView(view))
        }

        /// The key of a value that is there, so that ascending keys give the wanted direction.
        @inline(__always)
        func key(_ cell: Cell, _ level: Int) -> UInt64 {
            let key = SortLevel.key(cell, kind, level)
            return isAscending ? key : ~key
        }

        @inline(__always)
        func goesOn(_ level: Int, after key: UInt64) -> Bool {
            SortLevel.goesOn(kind, level, after: isAscending ? key : ~key)
        }

        /// Objects that certainly come after one with this value; nil where that cannot be told from whole pages.
        func after(_ cell: Cell) -> (any PageFilter)? {
            guard let column, !cell.isNull else { return nil }
            switch kind.form {
            case .int8, .int16, .int32, .int64:
                let value = Int64(bitPattern: cell.low)
                guard value != (isAscending ? .max : .min) else { return nil }
                let range = isAscending ? value + 1 ... .max : .min...value - 1
                return IntegerFilter(column: column, kind: kind, range: range)
            case .float32, .float64:
                let value = cell.double(kind)
                guard !value.isNaN, value.isFinite else { return nil }
                return BinaryFilter(
                    column: column, isFloat: kind.form == .float32, low: isAscending ? value.nextUp : -.infinity,
                    high: isAscending ? .infinity : value.nextDown)
            case .bit, .bytes12, .bytes16, .text, .any, .link: return nil
            }
        }

        @inline(__always)
        func compare(_ a: Cell, _ b: Cell) -> Int {
            let order = kind.form == .text ? Self.compareTexts(a, b) : CellOrder.compare(a, b, kind)
            return isAscending ? order : -order
        }

        /// As CellOrder, with short texts compared as they stand: bytes, zeros, and last the count, which decides between
        /// texts that are the same but for zeros at their end.
        @inline(__always)
        private static func compareTexts(_ a: Cell, _ b: Cell) -> Int {
            if a.isNull || b.isNull || Text.isBlock(a) || Text.isBlock(b) { return CellOrder.compare(a, b, .string) }
            let (x, y) = (a.low.bigEndian, b.low.bigEndian)
            if x != y { return x < y ? -1 : 1 }
            let (v, w) = (a.high.bigEndian, b.high.bigEndian)
            return v < w ? -1 : v == w ? 0 : 1
        }
    }

    /// The tables of the objects. The columns of the type's own stand in the others where they stand there.
    package let span: TableSpan
    /// What it reads, starting at these objects.
    package let paths: [ResolvedPath]
    let terms: [Term]

    init(
        binding keys: [SortKey], on span: TableSpan, _ layout: StoreLayout, _ names: NameMapping?
    ) throws(BindingProblem) {
        let table = span.tables[0]
        let binder = Binder(layout: layout, names: names)
        let compiler = Compiler(layout: layout)
        var terms: [Term] = []
        var paths: [ResolvedPath] = []
        for key in keys {
            let source = try binder.source(key.operand, on: table)
            if case .path(let path) = source, path.isToMany {
                throw BindingProblem(
                    path.written, "'\(path.written)' is \(binder.typeName(path)); objects are sorted by one value each",
                    remedy: "Sort by \(path.written).@count, or by @min, @max, @sum or @avg of its values")
            }
            guard !source.kind.isLink else {
                throw BindingProblem(
                    source.paths.first?.written, "'\(key.operand)' is a link, and objects have no order",
                    remedy: "Sort by one of their properties")
            }
            let made = compiler.source(source)
            terms.append(
                Term(
                    source: made, column: (made as? ColumnSource)?.column, own: source.ownColumn, kind: source.kind,
                    isAscending: key.isAscending))
            paths += source.paths
        }
        self.span = span
        self.terms = terms
        self.paths = paths
    }

    /// Ascending by columns of the objects themselves.
    init(columns: [Int], on type: TableLayout) {
        span = TableSpan([type.table])
        paths = []
        terms = columns.map {
            let (kind, column) = (type.columns[$0].kind, type.page.columns[$0])
            return Term(
                source: ColumnSource(kind: kind, column: column), column: column, own: $0, kind: kind, isAscending: true
            )
        }
    }

    /// Binds sort keys to a schema.
    /// - Throws: `invalidQuery` for what is not there or has no order.
    package init(
        _ keys: [SortKey], on table: Int, _ layout: StoreLayout, names: NameMapping? = nil
    ) throws(BanyanError) {
        do throws(BindingProblem) {
            try self.init(binding: keys, on: TableSpan([table]), layout, names)
        } catch {
            throw error.asError
        }
    }

    /// Negative, zero or positive as `a`, as it is in one version, comes before, with or after `b`, as it is in
    /// another. Both must be there. O(keys).
    package func compare(_ a: ObjectRef, in first: GraphView, _ b: ObjectRef, in second: GraphView) -> Int {
        guard let x = first.page(a.table, slot: a.slot), let y = second.page(b.table, slot: b.slot) else { return 0 }
        for term in terms {
            let order = term.compare(
                term.cell(x, a.slot & Page.slotMask, first), term.cell(y, b.slot & Page.slotMask, second))
            if order != 0 { return order }
        }
        return 0
    }

    /// Members in order; equal ones keep theirs.
    func sorted(_ members: [UInt32], in view: GraphView) -> [UInt32] {
        guard !terms.isEmpty else { return members }
        var sorter = Sorter(self, view, limit: nil)
        defer { sorter.free() }
        for member in members {
            if let page = span.page(member, in: view) {
                sorter.append(page, Int(member) & Page.slotMask, slot: Int(member))
            }
        }
        return sorter.finish()
    }

    /// Sorts objects of the table; equal ones keep their order. O(n) for numbers and short texts, O(n log n) at worst.
    package func sort(_ refs: inout [ObjectRef], in view: GraphView) {
        guard !terms.isEmpty else { return }
        var sorter = Sorter(self, view, limit: nil)
        defer { sorter.free() }
        for ref in refs {
            guard let member = span.member(ref), let page = view.page(ref.table, slot: ref.slot) else { continue }
            sorter.append(page, ref.slot & Page.slotMask, slot: Int(member))
        }
        refs.removeAll(keepingCapacity: true)
        for member in sorter.finish() { refs.append(span.ref(member)) }
    }
}
