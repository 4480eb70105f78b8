import BanyanCore
import Foundation

/// A graph as text that depends on nothing but what is stored: every schema, object, value, element and inverse link, written
/// without the descriptions that the package gives its own types.
enum FixtureText {
    static func lines(_ version: Version) -> [String] {
        withExtendedLifetime(version) {
            let view = version.view
            var lines = ["commit \(version.sequence) time \(version.time) schema \(view.layout.schema.version)"]
            for table in view.layout.tables {
                lines.append(header(table.type))
                lines += table.type.properties.map(property)
                lines += table.type.indexes.map { index in
                    "  index \(index.properties)\(index.isUnique ? " unique" : "")"
                }
                view.forEachObject(table.table) { _, _, slot in
                    lines += object(view, ObjectRef(table: table.table, slot: slot))
                    return true
                }
            }
            return lines
        }
    }

    // MARK: - Schema

    private static func header(_ type: TypeSchema) -> String {
        var text = "type \(type.name)"
        if let superclass = type.superclass { text += ": \(superclass)" }
        if type.isEmbedded { text += " embedded" }
        return text
    }

    private static func property(_ property: PropertySchema) -> String {
        var text = "  \(property.name): kind \(property.kind.rawValue)"
        switch property.shape {
        case .single: break
        case .list: text += " list"
        case .set: text += " set"
        case .map(let key): text += " map of kind \(key.rawValue)"
        case .inverse(let origin): text += " inverse of \(origin)"
        }
        if let target = property.target { text += " to \(target)" }
        if property.isOptional { text += " optional" }
        if property.isPrimaryKey { text += " key" }
        if let index = property.index { text += index == .hash ? " hashed" : " ordered" }
        if property.isUnique { text += " unique" }
        if property.deleteRule != .nullify { text += " rule \(property.deleteRule.rawValue)" }
        return text
    }

    // MARK: - Objects

    private static func name(_ view: GraphView, _ ref: ObjectRef) -> String {
        let id = view.id(ref)
        return "\(id.table):\(id.slot):\(id.generation)"
    }

    private static func object(_ view: GraphView, _ ref: ObjectRef) -> [String] {
        let table = view.layout.tables[ref.table]
        var lines = ["  object \(name(view, ref))"]
        for (column, property) in table.type.properties.enumerated() {
            let text =
                switch property.shape {
                case .single: value(view, view.value(ref, column), property.kind)
                case .inverse: sources(view, ref, table.columns[column].otherColumn)
                case .list: elements(view, CollectionRef(ref, column), property).description
                case .set, .map: elements(view, CollectionRef(ref, column), property).sorted().description
                }
            lines.append("    \(property.name) = \(text)")
        }
        return lines
    }

    private static func sources(_ view: GraphView, _ ref: ObjectRef, _ column: Int) -> String {
        var sources: [String] = []
        view.forEachSource(ref, backlinkColumn: column) { source, times in
            sources.append("\(name(view, source)) x\(times)")
            return true
        }
        return sources.sorted().description
    }

    private static func elements(_ view: GraphView, _ c: CollectionRef, _ property: PropertySchema) -> [String] {
        (0..<view.elementCount(c)).map { rank in
            let (key, element) = view.element(c, at: rank)
            let text = value(view, element, property.kind)
            if case .map(let kind) = property.shape { return "\(value(view, key, kind)) -> \(text)" }
            return text
        }
    }

    // MARK: - Values

    private static func value(_ view: GraphView, _ value: Value, _ kind: ValueKind) -> String {
        switch value {
        case .null: "nil"
        case .bool(let v): v ? "true" : "false"
        case .int(let v): "\(v)"
        case .float(let v): "float \(hex(v.bitPattern))"
        case .double(let v): "double \(hex(v.bitPattern))"
        case .string(let v): text(Array(v.utf8))
        case .data(let v): "data " + bytes(Array(v))
        case .date(let v): "date \(hex(v.timeIntervalSinceReferenceDate.bitPattern))"
        case .uuid(let v): "uuid \(v.uuidString)"
        case .objectId(let v): "objectId \(v)"
        case .decimal128(let v): "decimal \(v)"
        case .duration(let v): "duration \(v.attoseconds)"
        case .object(let ref): "-> \(name(view, ref))"
        case .list(let ref):
            "list \(elements(view, NestedValues.collection(.list, ref), NestedValues.type.properties[0]))"
        case .dictionary(let ref):
            "dictionary "
                + elements(view, NestedValues.collection(.dictionary, ref), NestedValues.type.properties[1])
                .sorted().description
        }
    }

    private static func hex(_ bits: some BinaryInteger) -> String { String(bits, radix: 16) }

    private static func text(_ utf8: [UInt8]) -> String {
        if utf8.count > 64 { return "text " + bytes(utf8) }
        // Each value on its line.
        return
            "'\(String(decoding: utf8, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\\n"))'"
    }

    /// All of them where they are few, else how many and an FNV-1a sum.
    private static func bytes(_ bytes: [UInt8]) -> String {
        if bytes.count <= 64 { return bytes.map { hex($0) }.joined(separator: ".") }
        let sum = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return "of \(bytes.count) bytes with sum \(hex(sum))"
    }
}
