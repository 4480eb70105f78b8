package import BanyanCore
import Foundation

/// A graph as lines of text, the same for equal graphs however they came to be: every object with its id and values, every
/// collection, every inverse link, what the indexes find. Two dumps that differ show where.
package enum GraphDump {
    /// - Parameter slots: also the generations of slots that are free, and how many pages there are.
    package static func lines(_ version: Version, slots: Bool = false) -> [String] {
        withExtendedLifetime(version) { lines(version.view, slots: slots) }
    }

    /// What does not hold in the graph; empty for a sound one.
    package static func faults(_ version: Version) -> [String] {
        withExtendedLifetime(version) { version.view._invariantCheck() }
    }

    /// The same of what a transaction has made so far, too.
    package static func lines(_ view: GraphView, slots: Bool = false) -> [String] {
        var lines: [String] = []
        for table in view.layout.tables {
            lines.append(
                "\(table.type.name): \(view.count(table.table))"
                    + (slots ? " in \(view.pageCount(table.table)) pages" : ""))
            view.forEachObject(table.table) { _, _, slot in
                lines += object(view, table, slot)
                return true
            }
            if slots { lines += generations(view, table) }
        }
        return lines
    }

    private static func object(_ view: GraphView, _ table: TableLayout, _ slot: Int) -> [String] {
        let ref = ObjectRef(table: table.table, slot: slot)
        var lines = ["  \(view.id(ref))"]
        for (column, info) in table.columns.enumerated() {
            switch info.role {
            case .inverseProperty: continue
            case .backlink:
                var sources: [String] = []
                view.forEachSource(ref, backlinkColumn: column) { source, times in
                    sources.append("\(view.id(source))×\(times)")
                    return true
                }
                if !sources.isEmpty {
                    let origin = view.layout.tables[info.otherTable].type
                    lines.append("    ← \(origin.name).\(origin.properties[info.otherColumn].name): \(sources)")
                }
            case .property:
                let name = table.type.properties[column].name
                if info.isCollection {
                    lines.append("    \(name): \(elements(view, CollectionRef(ref, column)))")
                } else {
                    lines.append("    \(name): \(text(view.value(ref, column)))")
                    lines += index(view, table, column, info, ref)
                }
            }
        }
        return lines
    }

    private static func elements(_ view: GraphView, _ c: CollectionRef) -> [String] {
        let element = view.elementLayout(c)
        var result: [String] = []
        view.forEachElement(c) { key, value in
            let text = text(Value(value, element.kind))
            result.append(element.key.map { "\(self.text(Value(key, $0))): \(text)" } ?? text)
            return true
        }
        if case .set = view.layout.tables[c.owner.table].columns[c.column].shape {
            for rank in 0..<view.elementCount(c) where view.rank(of: view.elementCell(c, at: rank).value, in: c) != rank
            {
                result.append("not found at \(rank)")
            }
        }
        return result
    }

    /// Complaints about an index that does not find the object by its value.
    private static func index(
        _ view: GraphView, _ table: TableLayout, _ column: Int, _ info: ColumnLayout, _ ref: ObjectRef
    ) -> [String] {
        var lines: [String] = []
        let cell = view.cell(ref, column)
        if info.isKey, view.find(table.table, key: cell) != ref.slot { lines.append("    not found by its key") }
        if info.isIndexed, let found = view.indexed(table.table, column, cell) {
            lines.append("    alike: \(found.count)")
            if found.times(ref.slot) != 1 { lines.append("    not found by its value") }
        }
        return lines
    }

    private static func generations(_ view: GraphView, _ table: TableLayout) -> [String] {
        (0..<view.pageCount(table.table)).compactMap { index in
            guard let page = view.page(table.table, slot: index << Page.slotBits) else { return nil }
            return "  page \(index): \((0..<Page.slots).map { Page.generation(page, $0) })"
        }
    }

    /// Floating-point numbers by their bits: NaN and -0 must come back as they were.
    private static func text(_ value: Value) -> String {
        if case .object(let ref) = value { return "→ \(ref.table):\(ref.slot)" }
        guard let kind = value.scalarKind else { return "\(value)" }
        return value.withCell(as: kind) { cell in
            guard let cell else { return "\(value)" }
            guard kind.isText else { return "\(value) (\(cell.high) \(cell.low))" }
            return Text.withBytes(cell) { bytes in
                kind.isUnicode
                    ? "\(value)" : "data \(bytes.count) \(bytes.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) })"
            }
        }
    }
}
