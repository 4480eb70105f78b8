import BanyanCore
import Foundation

/// A graph as sorted lines of text: the same for graphs that hold the same, whatever slots their objects are in.
struct GraphText {
    let view: GraphView
    /// What an object is called; its id, unless another name is given.
    var name: (ObjectRef) -> String

    init(_ view: GraphView, name: ((ObjectRef) -> String)? = nil) {
        self.view = view
        self.name = name ?? { view.id($0).description }
    }

    var lines: [String] {
        var lines: [String] = []
        for table in view.layout.tables where !table.type.isEmbedded {
            view.forEachObject(table.table) { _, _, slot in
                let ref = ObjectRef(table: table.table, slot: slot)
                lines.append("\(table.type.name) \(name(ref)) \(properties(ref))")
                return true
            }
        }
        return lines.sorted()
    }

    private func properties(_ ref: ObjectRef) -> String {
        let table = view.layout.tables[ref.table]
        let parts = (0..<table.propertyCount).map { column in
            "\(table.type.properties[column].name): \(property(ref, column, table.columns[column]))"
        }
        return "(" + parts.joined(separator: ", ") + ")"
    }

    private func property(_ ref: ObjectRef, _ column: Int, _ info: ColumnLayout) -> String {
        switch info.shape {
        case .single: return text(view.value(ref, column))
        case .inverse:
            var sources: [String] = []
            view.forEachSource(ref, backlinkColumn: info.otherColumn) { source, times in
                sources.append("\(name(source))×\(times)")
                return true
            }
            return "\(sources.sorted())"
        case .list, .set, .map:
            let collection = CollectionRef(ref, column)
            var elements = (0..<view.elementCount(collection)).map { rank in
                let (key, value) = view.element(collection, at: rank)
                return "\(key)=\(text(value))"
            }
            if info.shape == .set { elements.sort() }
            return "\(elements)"
        }
    }

    private func text(_ value: Value) -> String {
        switch value {
        case .object(let ref): view.layout.tables[ref.table].type.isEmbedded ? properties(ref) : name(ref)
        case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
        case .data(let data): data.base64EncodedString()
        default: "\(value)"
        }
    }
}
