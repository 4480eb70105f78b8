import BanyanCore

/// What must hold in any graph, recounted from the links and values alone.
enum GraphCheck {
    /// Sentences on what does not hold; empty for a sound graph.
    static func faults(_ version: Version) -> [String] {
        let faults = withExtendedLifetime(version) { Self.faults(version.view) }
        return faults + GraphDump.lines(version).filter { $0.contains("not found") }
    }

    private static func faults(_ view: GraphView) -> [String] {
        var faults: [String] = []
        // Each inverse the links call for, counted.
        var wanted: [Inverse: Int] = [:]
        for table in view.layout.tables {
            var live = 0
            view.forEachObject(table.table) { _, _, slot in
                live += 1
                for column in table.linkColumns {
                    for target in links(view, ObjectRef(table: table.table, slot: slot), column, table.columns[column]) {
                        guard target.table == table.columns[column].otherTable, view.contains(target) else {
                            faults.append("\(table.type.name) \(slot) links to \(target), which is not there")
                            continue
                        }
                        wanted[Inverse(target: target, column: table.columns[column].otherColumn, source: slot), default: 0] += 1
                    }
                }
                return true
            }
            if live != view.count(table.table) { faults.append("\(table.type.name): \(live) objects counted, not \(view.count(table.table))") }
        }
        var found: [Inverse: Int] = [:]
        for table in view.layout.tables {
            view.forEachObject(table.table) { _, _, slot in
                let ref = ObjectRef(table: table.table, slot: slot)
                for column in table.inverseColumns {
                    view.forEachSource(ref, backlinkColumn: column) { source, times in
                        found[Inverse(target: ref, column: column, source: source.slot)] = times
                        return true
                    }
                }
                if table.type.isEmbedded, view.linkCount(to: ref) != 1 {
                    faults.append("\(table.type.name) \(slot) has \(view.linkCount(to: ref)) owners")
                }
                return true
            }
        }
        if wanted != found { faults.append("inverse links: \(wanted.count) wanted, \(found.count) found, or other counts") }
        return faults
    }

    private struct Inverse: Hashable {
        var target: ObjectRef
        var column: Int
        var source: Int
    }

    private static func links(_ view: GraphView, _ ref: ObjectRef, _ column: Int, _ info: ColumnLayout) -> [ObjectRef] {
        var cells: [Cell] = []
        if info.isCollection {
            view.forEachElement(CollectionRef(ref, column)) { _, value in
                cells.append(value)
                return true
            }
        } else {
            cells = [view.cell(ref, column)]
        }
        return cells.compactMap { ObjectRef(word: $0.isNull ? 0 : $0.low) }
    }
}
