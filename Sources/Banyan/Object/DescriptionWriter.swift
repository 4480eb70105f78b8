import BanyanCore
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes down what an object holds, for people.
///
/// The text has an end whatever is linked to what: objects that are linked to are only named, what is embedded or nested is
/// followed a few levels deep, and when a page is full the rest is left out. Values are written as they are stored, so that
/// looking at an object runs no code of its class and fails no transaction.
struct DescriptionWriter {
    private var text = ""

    /// How much is shown: bytes in all and of one value, elements of a collection, levels of embedded and nested values.
    private enum Limit {
        static let bytes = 4_000
        static let characters = 200
        static let elements = 10
        static let levels = 4
    }

    private var isFull: Bool { text.utf8.count >= Limit.bytes }

    static func text(of object: ObjectBase) -> String {
        var writer = DescriptionWriter()
        writer.write(object, 0)
        return writer.text
    }

    /// A list or a dictionary in an AnyValue, which may be in itself as long as nobody manages it.
    static func text(of value: AnyValue) -> String {
        var writer = DescriptionWriter()
        writer.write(value, 0)
        return writer.text
    }

    /// The class and what the object is known by: `Dog(id: 3)`, `Dog(7:12.1)`.
    static func reference(to object: ObjectBase) -> String {
        let model = type(of: object)._$model
        let concealed = type(of: object)._$concealed
        guard !object.isInvalidated else { return "\(model.name)(deleted)" }
        if let column = model.properties.firstIndex(where: \.isPrimaryKey),
            !concealed.contains(model.properties[column].name), case .single(let key) = object.untyped(column),
            case .value(let value) = key.content
        {
            return "\(model.name)(\(model.properties[column].name): \(shown(value)))"
        }
        return "\(model.name)(\(object.objectID.map { "\($0)" } ?? "unmanaged"))"
    }

    // MARK: - Objects

    private mutating func write(_ object: ObjectBase, _ level: Int) {
        let (type, model) = (type(of: object), type(of: object)._$model)
        text += model.name
        guard !object.isInvalidated else {
            text += "(deleted)"
            return
        }
        let concealed = type._$concealed
        let shown = model.properties.indices.filter { !concealed.contains(model.properties[$0].name) }
        text += "("
        for (i, column) in shown.enumerated() {
            if i > 0 { text += ", " }
            if isFull {
                text += "…"
                break
            }
            text += model.properties[column].name + ": "
            write(object, column, model.properties[column].type, level + 1)
        }
        text += ")"
    }

    private mutating func write(_ object: ObjectBase, _ column: Int, _ type: _PropertyType, _ level: Int) {
        if type.isInverse { return writeInverse(object, column) }
        if type.shape == .single {
            if case .single(let untyped) = object.untyped(column) { write(untyped, level) }
        } else if let graph = object._graph {
            write(CollectionHandle(graph, object._id, column), graph, level)
        } else {
            switch object.untyped(column) {
            case .single(let untyped): write(untyped, level)
            case .list(let elements): write(elements.prefix(Limit.elements), of: elements.count, level)
            case .map(let entries): write(entries.prefix(Limit.elements), of: entries.count, level)
            }
        }
    }

    private mutating func writeInverse(_ object: ObjectBase, _ column: Int) {
        func value<V: _PersistedProperty>(_ type: V.Type) -> Any { type._$get(object, column) }
        func first<C: Collection>(_ objects: C) -> [_Untyped] {
            objects.prefix(Limit.elements).map { _Untyped($0 as? ObjectBase) }
        }
        guard let type = type(of: object)._$model.swiftTypes[column], let objects = value(type) as? any Collection
        else {
            return
        }
        // No deeper: who owns an embedded object is not written out inside it.
        write(first(objects)[...], of: objects.count, Limit.levels)
    }

    // MARK: - Elements

    private mutating func write(_ handle: CollectionHandle, _ graph: Graph, _ level: Int) {
        var handle = handle
        let (count, layout) = (handle.count(), handle.elements)
        guard level <= Limit.levels else { return writeCount(count) }
        var elements: [_Untyped] = []
        var keys: [_Untyped] = []
        graph.workspace.view.forEachElement(handle.ref) { key, value in
            if let kind = layout.key { keys.append(_Untyped(Value(key, kind))) }
            elements.append(graph.untyped(Value(value, layout.kind), layout.kind))
            return elements.count < Limit.elements
        }
        if layout.key == nil {
            write(elements[...], of: count, level)
        } else {
            write(zip(keys, elements).map { (key: $0, value: $1) }[...], of: count, level)
        }
    }

    private mutating func write(_ elements: ArraySlice<_Untyped>, of count: Int, _ level: Int) {
        guard level <= Limit.levels else { return writeCount(count) }
        text += "["
        for (i, element) in elements.enumerated() where !isFull {
            if i > 0 { text += ", " }
            write(element, level)
        }
        writeRest(shown: elements.count, of: count)
        text += "]"
    }

    private mutating func write(
        _ entries: ArraySlice<(key: _Untyped, value: _Untyped)>, of count: Int, _ level: Int
    ) {
        guard level <= Limit.levels else { return writeCount(count) }
        text += entries.isEmpty ? "[:" : "["
        for (i, entry) in entries.enumerated() where !isFull {
            if i > 0 { text += ", " }
            write(entry.key, level)
            text += ": "
            write(entry.value, level)
        }
        writeRest(shown: entries.count, of: count)
        text += "]"
    }

    private mutating func writeCount(_ count: Int) { text += count == 0 ? "[]" : "[… \(count)]" }

    private mutating func writeRest(shown: Int, of count: Int) {
        if isFull { text += ", …" } else if count > shown { text += ", … \(count - shown) more" }
    }

    // MARK: - Values

    private mutating func write(_ untyped: _Untyped, _ level: Int) {
        switch untyped.content {
        case .value(let value): text += Self.shown(value)
        case .nested(let value): write(value, level)
        case .object(let object):
            if object is EmbeddedObject, level < Limit.levels {
                write(object, level)
            } else {
                text += object is EmbeddedObject ? "\(type(of: object)._$model.name)(…)" : Self.reference(to: object)
            }
        }
    }

    private mutating func write(_ value: AnyValue, _ level: Int) {
        switch value {
        case .list(let list):
            write(Array(list.prefix(Limit.elements)).map(\._$untyped)[...], of: list.count, level + 1)
        case .dictionary(let map):
            let entries = map.prefix(Limit.elements).map { (key: _Untyped(.string($0.key)), value: $0.value._$untyped) }
            write(entries[...], of: map.count, level + 1)
        default: write(value._$untyped, level)
        }
    }

    private static func shown(_ value: Value) -> String {
        if case .string(let value) = value {
            return value.utf8.count <= Limit.characters
                ? value.debugDescription : String(value.prefix(Limit.characters)).debugDescription + "…"
        }
        return value.link.map { "\($0)" } ?? value.text
    }
}

extension ObjectBase: CustomDebugStringConvertible {}

extension Graph {
    /// A stored value, and the object where it is a link.
    fileprivate func untyped(_ value: Value, _ kind: ValueKind) -> _Untyped {
        if kind == .any, let any = swiftValue(value, kind, in: workspace.view) as? AnyValue { return any._$untyped }
        guard case .object(let ref) = value else { return _Untyped(value) }
        return _Untyped(instance(binder(ref.table).model.type, ref))
    }
}
