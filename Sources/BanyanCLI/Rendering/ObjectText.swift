import BanyanCore

/// Objects as a person reads them: short, on one line, nothing that could upset a terminal.
struct ObjectText {
    /// Elements of a collection that are shown.
    static let shownElements = 8

    let view: GraphView

    /// `Dog Rex` by primary key, `Dog 2:14.1` without one.
    func link(to ref: ObjectRef) -> String {
        let table = view.layout.tables[ref.table]
        return "\(table.type.name) \(name(of: ref))"
    }

    /// The primary key, or the object id where there is none.
    func name(of ref: ObjectRef) -> String {
        let table = view.layout.tables[ref.table]
        if let key = table.keyColumn, case let value = view.value(ref, key), !value.isNull { return text(of: value) }
        return view.id(ref).description
    }

    func text(of value: Value) -> String {
        if case .list(let ref) = value { return nested(.list, ref, depth: 1) }
        if case .dictionary(let ref) = value { return nested(.dictionary, ref, depth: 1) }
        guard case .object(let ref) = value else { return ValueText.of(value) }
        return view.layout.tables[ref.table].type.isEmbedded ? embedded(ref, depth: 1) : name(of: ref)
    }

    /// One property on one line.
    func property(_ column: Int, of ref: ObjectRef) -> String { property(column, of: ref, depth: 0) }

    private func property(_ column: Int, of ref: ObjectRef, depth: Int) -> String {
        let info = view.layout.tables[ref.table].columns[column]
        switch info.shape {
        case .single: return text(ofLink: view.value(ref, column), depth)
        case .list, .set, .map:
            let collection = CollectionRef(ref, column)
            let count = view.elementCount(collection)
            let shown = (0..<min(count, Self.shownElements)).map { rank in
                let (key, value) = view.element(collection, at: rank)
                let text = text(ofLink: value, depth)
                if case .map = info.shape { return "\(self.text(of: key)): \(text)" }
                return text
            }
            return summary(shown, count, info.shape == .set ? ("{", "}") : ("[", "]"))
        case .inverse:
            var shown: [String] = []
            view.forEachSource(ref, backlinkColumn: info.otherColumn) { source, _ in
                shown.append(name(of: source))
                return shown.count < Self.shownElements
            }
            return summary(shown, view.sources(ref, backlinkColumn: info.otherColumn).count, ("[", "]"))
        }
    }

    private func text(ofLink value: Value, _ depth: Int) -> String {
        switch value {
        case .object(let ref) where view.layout.tables[ref.table].type.isEmbedded: embedded(ref, depth: depth + 1)
        case .list(let ref): nested(.list, ref, depth: depth + 1)
        case .dictionary(let ref): nested(.dictionary, ref, depth: depth + 1)
        default: text(of: value)
        }
    }

    /// The list or dictionary of an AnyValue, as JSON is written.
    private func nested(_ kind: AnyKind, _ ref: ObjectRef, depth: Int) -> String {
        let brackets = kind == .list ? ("[", "]") : ("{", "}")
        guard depth <= 3 else { return brackets.0 + "…" + brackets.1 }
        let collection = NestedValues.collection(kind, ref)
        let count = view.elementCount(collection)
        let shown = (0..<min(count, Self.shownElements)).map { rank in
            let (key, value) = view.element(collection, at: rank)
            let text = json(value, depth)
            return kind == .list ? text : "\(json(key, depth)): \(text)"
        }
        return summary(shown, count, brackets)
    }

    private func json(_ value: Value, _ depth: Int) -> String {
        switch value {
        case .list(let ref): return nested(.list, ref, depth: depth + 1)
        case .dictionary(let ref): return nested(.dictionary, ref, depth: depth + 1)
        case .object(let ref): return link(to: ref)
        case .null: return "null"
        case .string(let text):
            var json = JSONText(indented: false)
            json.value(text)
            return String(decoding: json.bytes, as: UTF8.self)
        default: return ValueText.of(value)
        }
    }

    private func embedded(_ ref: ObjectRef, depth: Int) -> String {
        guard depth <= 3 else { return "(…)" }
        let table = view.layout.tables[ref.table]
        let parts = (0..<table.propertyCount).filter { table.columns[$0].isStored }.map {
            "\(table.type.properties[$0].name): \(property($0, of: ref, depth: depth))"
        }
        return "(\(parts.joined(separator: ", ")))"
    }

    private func summary(_ shown: [String], _ count: Int, _ brackets: (String, String)) -> String {
        var text = brackets.0 + shown.joined(separator: ", ")
        if count > shown.count { text += ", … \(Shown.grouped(count - shown.count)) more" }
        return text + brackets.1
    }
}
