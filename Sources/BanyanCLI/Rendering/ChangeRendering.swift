import BanyanCore
import BanyanPersistence

// Changes as the journal holds them. There is no graph to look into, so a link shows the type and the slot it leads to.

/// | change | JSON |
/// |---|---|
/// | single value | `{"old": 1, "new": 2}` |
/// | List | `{"edits": [{"keep": 3}, {"insert": […]}, {"remove": […]}, {"replace": […], "with": […]}]}` |
/// | MutableSet | `{"removed": […], "inserted": […]}` |
/// | Map | `{"removed": {…}, "inserted": {…}, "changed": {"key": {"old": 1, "new": 2}}}` |
///
/// Values are those of `ObjectJSON`; a link is `{"type": "Dog", "slot": 14}`. Lists and dictionaries of AnyValues are
/// shown with their contents where they come and go. What changed within those that stay is in `"nested": [{…}, …]`,
/// beside what changed of the property itself: one such object for each of them. One that only moves in its list is
/// `{"$list": "as before"}`.
struct ChangeJSON {
    let layout: StoreLayout
    let contents: NestedContents

    func write(_ property: ShownChange.Property, of table: Int, into json: inout JSONText) {
        let isAny = layout.tables[table].columns[property.column].kind == .any
        json.object { json in
            if let change = property.change { members(change, isAny, &json) }
            guard !property.nested.isEmpty else { return }
            json.name("nested")
            json.array { json in
                for change in property.nested { json.object { members(change, true, &$0) } }
            }
        }
    }

    private func members(_ change: CommitRecord.Change, _ isAny: Bool, _ json: inout JSONText) {
        switch change {
        case .value(let old, let new): pair(old, new, isAny, &json)
        case .list(let edits):
            json.name("edits")
            json.array { json in
                for edit in edits { json.object { self.edit(edit, isAny, &$0) } }
            }
        case .set(let removed, let inserted):
            values("removed", removed, isAny, &json)
            values("inserted", inserted, isAny, &json)
        case .map(let removed, let inserted, let changed):
            entries("removed", removed, isAny, &json)
            entries("inserted", inserted, isAny, &json)
            json.member("changed") { json in
                for change in changed {
                    json.member(ValueJSON.text(ofKey: change.key)) { pair(change.old, change.new, isAny, &$0) }
                }
            }
        }
    }

    private func edit(_ edit: CommitRecord.ListEdit, _ isAny: Bool, _ json: inout JSONText) {
        switch edit {
        case .kept(let count): json.member("keep", count)
        case .inserted(let new): values("insert", new, isAny, &json)
        case .removed(let old): values("remove", old, isAny, &json)
        case .set(let old, let new):
            values("replace", old, isAny, &json)
            values("with", new, isAny, &json)
        }
    }

    private func pair(_ old: Value, _ new: Value, _ isAny: Bool, _ json: inout JSONText) {
        json.name("old")
        value(old, isAny, &json)
        json.name("new")
        value(new, isAny, &json)
    }

    private func values(_ name: String, _ values: [Value], _ isAny: Bool, _ json: inout JSONText) {
        json.name(name)
        json.array { json in
            for value in values { self.value(value, isAny, &json) }
        }
    }

    private func entries(_ name: String, _ entries: [CommitRecord.MapEntry], _ isAny: Bool, _ json: inout JSONText) {
        json.member(name) { json in
            for entry in entries {
                json.name(ValueJSON.text(ofKey: entry.key))
                value(entry.value, isAny, &json)
            }
        }
    }

    private func value(_ value: Value, _ isAny: Bool, _ json: inout JSONText) {
        if isAny { return any(value, 0, &json) }
        guard let ref = value.link else { return ValueJSON.write(value, into: &json) }
        link(ref, &json)
    }

    private func link(_ ref: ObjectRef, _ json: inout JSONText) {
        json.object { json in
            json.member("type", layout.tables[ref.table].type.name)
            json.member("slot", ref.slot)
        }
    }

    private func any(_ value: Value, _ depth: Int, _ json: inout JSONText) {
        switch value {
        case .object(let ref):
            json.object { json in
                json.name("$object")
                link(ref, &json)
            }
        case .list(let ref):
            guard depth < NestedValues.maximumDepth, let values = contents.takeList(ref) else {
                return json.object { $0.member("$list", "as before") }
            }
            json.array { json in
                for value in values { any(value, depth + 1, &json) }
            }
        case .dictionary(let ref):
            guard depth < NestedValues.maximumDepth, let entries = contents.takeDictionary(ref) else {
                return json.object { $0.member("$dictionary", "as before") }
            }
            let keys = entries.map { ValueJSON.text(ofKey: $0.key) }
            func members(_ json: inout JSONText) {
                json.object { json in
                    for (key, entry) in zip(keys, entries) {
                        json.name(key)
                        any(entry.value, depth + 1, &json)
                    }
                }
            }
            guard keys.contains(where: { $0.hasPrefix("$") }) else { return members(&json) }
            json.object { json in
                json.name("$dictionary")
                members(&json)
            }
        default: ValueJSON.writeAny(value, into: &json)
        }
    }
}

struct ChangeText {
    private static let shownElements = 6
    private static let shownDepth = 3

    let layout: StoreLayout
    let contents: NestedContents

    /// What is there afterwards for a new object, what was there for one that is gone, both for others. What changed
    /// within lists and dictionaries of AnyValues stands in brackets.
    func text(_ property: ShownChange.Property, _ kind: CommitRecord.ObjectEntry.Kind) -> String {
        let own = property.change.map { [text($0, kind)] } ?? []
        return (own + property.nested.map { "(\(text($0, kind)))" }).joined(separator: ", ")
    }

    private func text(_ change: CommitRecord.Change, _ kind: CommitRecord.ObjectEntry.Kind) -> String {
        switch change {
        case .value(let old, let new):
            switch kind {
            case .created: text(new)
            case .deleted: text(old)
            case .modified: "\(text(old)) → \(text(new))"
            }
        case .list(let edits): edits.map(text).joined(separator: ", ")
        case .set(let removed, let inserted): signed(removed.map(text), "-", inserted.map(text), "+")
        case .map(let removed, let inserted, let changed):
            [
                signed(removed.map(text), "-", inserted.map(text), "+"),
                changed.prefix(Self.shownElements).map { "\(text($0.key)): \(text($0.old)) → \(text($0.new))" }
                    .joined(separator: ", "),
            ].filter { !$0.isEmpty }.joined(separator: ", ")
        }
    }

    private func text(_ edit: CommitRecord.ListEdit) -> String {
        switch edit {
        case .kept(let count): "\(count) kept"
        case .inserted(let new): "+ " + some(new.map(text))
        case .removed(let old): "- " + some(old.map(text))
        case .set(let old, let new): some(old.map(text)) + " → " + some(new.map(text))
        }
    }

    private func text(_ entry: CommitRecord.MapEntry) -> String { "\(text(entry.key)): \(text(entry.value))" }

    private func text(_ value: Value) -> String { text(value, 0) }

    private func text(_ value: Value, _ depth: Int) -> String {
        switch value {
        case .object(let ref): return "\(layout.tables[ref.table].type.name) \(ref.table):\(ref.slot)"
        case .list(let ref):
            guard depth < Self.shownDepth, let values = contents.takeList(ref) else { return "[…]" }
            return some(values.prefix(Self.shownElements).map { text($0, depth + 1) }, of: values.count)
        case .dictionary(let ref):
            guard depth < Self.shownDepth, let entries = contents.takeDictionary(ref) else { return "{…}" }
            let shown = entries.prefix(Self.shownElements).map { "\(text($0.key)): \(text($0.value, depth + 1))" }
            return some(shown, of: entries.count, ("{", "}"))
        default: return ValueText.of(value)
        }
    }

    private func signed(_ minus: [String], _ minusSign: String, _ plus: [String], _ plusSign: String) -> String {
        [(minus, minusSign), (plus, plusSign)].filter { !$0.0.isEmpty }.map { "\($0.1) \(some($0.0))" }
            .joined(separator: ", ")
    }

    private func some(_ texts: [String]) -> String { some(texts, of: texts.count) }

    private func some(_ texts: [String], of count: Int, _ brackets: (String, String) = ("[", "]")) -> String {
        let shown = texts.prefix(Self.shownElements).joined(separator: ", ")
        let more = count > Self.shownElements ? ", … \(Shown.grouped(count - Self.shownElements)) more" : ""
        return brackets.0 + shown + more + brackets.1
    }
}
