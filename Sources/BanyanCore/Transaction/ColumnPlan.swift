/// What following and changing a link or a collection takes to know of its column, side by side in plain memory: no array, no
/// reference, nothing to retain on the way to it.
@frozen
@usableFromInline
package struct ColumnPlan: @unchecked Sendable {
    // Sound: what `moreEnds` points to is written once, before anybody has the plan.

    /// Where the column itself stands in its page.
    @usableFromInline package let place: Column
    /// For links, and for inverse properties: where the hidden column stands that keeps the inverse. For backlinks: where the
    /// links stand.
    @usableFromInline package let otherPlace: Column
    @usableFromInline package let otherTable: Int
    @usableFromInline package let otherColumn: Int
    /// The other ends besides that one: see `ColumnLayout.moreEnds`.
    @usableFromInline package let moreEnds: UnsafeBufferPointer<End>
    /// Whether it is a to-one link that must lead to an object when a transaction ends.
    let isRequired: Bool
    @usableFromInline package let kind: ValueKind
    @usableFromInline package let shape: Shape
    /// Of collections.
    @usableFromInline package let element: ElementLayout
    /// How the column of a slot that becomes free is left.
    let emptied: Emptied

    @frozen
    @usableFromInline
    enum Emptied: UInt8, BitwiseCopyable, Sendable {
        /// Nothing is to do: hidden columns are empty by then, except while a journal is replayed, when the owners of the links
        /// clear them in their turn.
        case untouched
        case zeroWord, null, zero
    }

    @frozen
    @usableFromInline
    package enum Shape: UInt8, BitwiseCopyable, Sendable { case single, list, set, map, inverse }

    /// Another table, and the column there (or, for an inverse property, here) that keeps the inverse.
    @frozen
    @usableFromInline
    package struct End: BitwiseCopyable, Sendable {
        @usableFromInline package let table: Int
        @usableFromInline package let column: Int
        @usableFromInline package let place: Column
    }

    /// The end in a table that links of this column may lead to; nil for another table.
    @inline(__always)
    package func end(_ table: Int) -> End? {
        if table == otherTable { return End(table: table, column: otherColumn, place: otherPlace) }
        return moreEnds.isEmpty ? nil : moreEnds.first { $0.table == table }
    }

    /// Whether there is more than one other end.
    @inlinable package var isPolymorphic: Bool { @inline(__always) get { moreEnds.count != 0 } }

    @inline(__always) package var isLink: Bool { kind.isLink }
    /// Whether values are links, or may be.
    @inline(__always) package var mayLink: Bool { kind.mayLink }

    /// Where a value leads, and whether it owns what is there.
    @inline(__always)
    package func link(_ cell: Cell) -> (target: ObjectRef, isOwned: Bool)? {
        if kind == .any { return AnyCell.link(cell) }
        guard kind.isLink, !cell.isNull, let target = ObjectRef(word: cell.low) else { return nil }
        return (target, kind == .embedded)
    }

    @inline(__always) package var isCollection: Bool { shape != .single && shape != .inverse }
    @inline(__always) package var tree: RankTree { RankTree(stride: element.stride) }

    fileprivate init(_ column: Int, of table: TableLayout, in tables: [TableLayout]) {
        let info = table.columns[column]
        place = table.page.columns[column]
        otherTable = info.otherTable
        otherColumn = info.otherColumn
        // The other column of an inverse property is one of its own table.
        otherPlace =
            info.role == .inverseProperty
            ? table.page.columns[info.otherColumn]
            : info.otherTable < 0 ? Column() : tables[info.otherTable].page.columns[info.otherColumn]
        moreEnds = .copy(
            of: info.moreEnds.map { end in
                let there = info.role == .inverseProperty ? table : tables[end.table]
                return End(table: end.table, column: end.column, place: there.page.columns[end.column])
            })
        isRequired = info.isRequired
        kind = info.kind
        element = info.element ?? ElementLayout(kind: info.kind, isOptional: false)
        emptied =
            info.role != .property ? .untouched : info.isCollection ? .zeroWord : info.isOptional ? .null : .zero
        shape =
            switch info.shape {
            case .single: .single
            case .list: .list
            case .set: .set
            case .map: .map
            case .inverse: .inverse
            }
    }
}

/// The plans of every column of a store, by table and column.
package final class ColumnPlans: @unchecked Sendable {
    // Sound: everything is set in `init` and only read afterwards.
    package let tables: UnsafePointer<UnsafePointer<ColumnPlan>>
    private let counts: [Int]

    package init(_ layouts: [TableLayout]) {
        let tables = UnsafeMutablePointer<UnsafePointer<ColumnPlan>>.allocate(capacity: max(layouts.count, 1))
        for (i, table) in layouts.enumerated() {
            let plans = UnsafeMutablePointer<ColumnPlan>.allocate(capacity: max(table.columns.count, 1))
            for column in table.columns.indices {
                (plans + column).initialize(to: ColumnPlan(column, of: table, in: layouts))
            }
            (tables + i).initialize(to: UnsafePointer(plans))
        }
        self.tables = UnsafePointer(tables)
        counts = layouts.map(\.columns.count)
    }

    deinit {
        for (table, count) in counts.enumerated() {
            for column in 0..<count { tables[table][column].moreEnds.deallocate() }
            tables[table].deallocate()
        }
        tables.deallocate()
    }
}
