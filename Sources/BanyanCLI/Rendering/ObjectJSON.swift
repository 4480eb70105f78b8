import BanyanCore

/// Objects as JSON. The schema says what a string stands for, so values are plain:
///
/// | kind | JSON |
/// |---|---|
/// | Bool, integers, Float, Double | `true`, `12`, `1.5`; `"NaN"`, `"Infinity"`, `"-Infinity"` |
/// | String | string |
/// | Data | Base64 string |
/// | Date | `"2026-03-01T12:00:00.25Z"`; outside the years 1 to 9999 the seconds since 2001, a number |
/// | UUID, ObjectId, Decimal128 | string |
/// | link | `{"type": "Dog", "key": "Rex"}` by primary key, `{"type": "Dog", "id": "2:14.1"}` without one |
/// | embedded object | an object of its properties |
/// | List, MutableSet | array; a set's in the order of its values |
/// | Map | object; keys that are no strings as the string of their value |
/// | nil | `null` |
/// | AnyValue | what it holds by itself, where JSON can tell: nil, Bool, Int, Double, String, lists, dictionaries; else an object with one member: `$float`, `$double` (not finite), `$data`, `$date`, `$uuid`, `$objectId`, `$decimal128`, `$object`, and `$dictionary` for one with keys that begin with `$` |
struct ObjectJSON {
    /// Embedded objects within embedded objects, at most so deep.
    private static let maximumDepth = 500

    let view: GraphView

    /// The properties of an object, inverse ones left out.
    func properties(of ref: ObjectRef, into json: inout JSONText) throws { try properties(of: ref, 0, &json) }

    /// The identity of an object as a link to it says it.
    func link(to ref: ObjectRef, into json: inout JSONText) {
        let table = view.layout.tables[ref.table]
        json.object { json in
            json.member("type", table.type.name)
            if let key = table.keyColumn, case let cell = view.cell(ref, key), !cell.isNull {
                json.name("key")
                value(cell, table.columns[key].kind, &json)
            } else {
                json.member("id", view.id(ref).description)
            }
        }
    }

    /// The value of one property.
    func property(_ column: Int, of ref: ObjectRef, into json: inout JSONText) throws {
        try property(column, of: ref, 0, &json)
    }

    /// The objects that link here, each once, up to `limit`.
    func sources(_ column: Int, of ref: ObjectRef, limit: Int, into json: inout JSONText) {
        let hidden = view.layout.tables[ref.table].columns[column].otherColumn
        json.array { json in
            var count = 0
            view.forEachSource(ref, backlinkColumn: hidden) { source, _ in
                guard count < limit else { return false }
                count += 1
                link(to: source, into: &json)
                return true
            }
        }
    }

    // MARK: Parts

    private func properties(of ref: ObjectRef, _ depth: Int, _ json: inout JSONText) throws {
        guard depth <= Self.maximumDepth else {
            throw BanyanError(
                .limit, "Embedded objects are nested more than \(Self.maximumDepth) deep",
                at: view.layout.tables[ref.table].location(object: view.id(ref).description))
        }
        let table = view.layout.tables[ref.table]
        try json.object { json in
            for column in 0..<table.propertyCount where table.columns[column].isStored {
                json.name(table.type.properties[column].name)
                try property(column, of: ref, depth, &json)
            }
        }
    }

    private func property(_ column: Int, of ref: ObjectRef, _ depth: Int, _ json: inout JSONText) throws {
        let info = view.layout.tables[ref.table].columns[column]
        let collection = CollectionRef(ref, column)
        switch info.shape {
        case .single: try element(view.cell(ref, column), info.kind, depth, &json)
        case .list, .set:
            try json.array { json in
                try view.forEachElement(collection) { _, cell in
                    try element(cell, info.kind, depth, &json)
                    return true
                }
            }
        case .map(let key):
            try json.object { json in
                try view.forEachElement(collection) { keyCell, cell in
                    json.name(ValueJSON.text(ofKey: Value(keyCell, key)))
                    try element(cell, info.kind, depth, &json)
                    return true
                }
            }
        case .inverse: sources(column, of: ref, limit: .max, into: &json)
        }
    }

    private func element(_ cell: Cell, _ kind: ValueKind, _ depth: Int, _ json: inout JSONText) throws {
        if kind == .any {
            try any(cell, depth + 1, &json)
        } else if kind == .embedded, !cell.isNull, let ref = ObjectRef(word: cell.low) {
            try properties(of: ref, depth + 1, &json)
        } else {
            value(cell, kind, &json)
        }
    }

    private func any(_ cell: Cell, _ depth: Int, _ json: inout JSONText) throws {
        guard depth <= Self.maximumDepth else {
            throw BanyanError(.limit, "Lists and dictionaries are nested more than \(Self.maximumDepth) deep")
        }
        let (kind, inner) = AnyCell.open(cell)
        switch kind {
        case .none: json.null()
        case .value(let kind) where kind.isLink:
            json.object { json in
                json.name("$object")
                value(inner, kind, &json)
            }
        case .value(.string): value(inner, .string, &json)
        case .value(let kind): ValueJSON.writeAny(Value(inner, kind), into: &json)
        case .list: try nested(.list, inner, depth, &json)
        case .dictionary:
            guard let ref = ObjectRef(word: inner.low) else { return json.null() }
            var isPlain = true
            view.forEachElement(NestedValues.collection(.dictionary, ref)) { key, _ in
                isPlain = Text.withBytes(key) { $0.first != UInt8(ascii: "$") }
                return isPlain
            }
            if isPlain { return try nested(.dictionary, inner, depth, &json) }
            try json.object { json in
                json.name("$dictionary")
                try nested(.dictionary, inner, depth, &json)
            }
        }
    }

    private func nested(_ kind: AnyKind, _ cell: Cell, _ depth: Int, _ json: inout JSONText) throws {
        guard let ref = ObjectRef(word: cell.low) else { return json.null() }
        try property(NestedValues.collection(kind, ref).column, of: ref, depth, &json)
    }

    private func value(_ cell: Cell, _ kind: ValueKind, _ json: inout JSONText) {
        if kind.isUnicode, !cell.isNull {
            Text.withBytes(cell) { json.value(utf8: $0) }
        } else if kind.isLink, !cell.isNull, let ref = ObjectRef(word: cell.low) {
            link(to: ref, into: &json)
        } else {
            ValueJSON.write(Value(cell, kind), into: &json)
        }
    }
}
