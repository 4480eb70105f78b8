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
/// Values are those of `ObjectJSON`, with AnyValues by themselves; a link is `{"type": "Dog", "slot": 14}`. The list or
/// dictionary that an AnyValue holds is an object of the type `$nested`, whose own changes say what is in it.
struct ChangeJSON {
    let layout: StoreLayout

    func write(_ change: CommitRecord.Change, into json: inout JSONText) {
        json.object { json in
            switch change {
            case .value(let old, let new): pair(old, new, &json)
            case .list(let edits):
                json.name("edits")
                json.array { json in
                    for edit in edits { json.object { self.edit(edit, &$0) } }
                }
            case .set(let removed, let inserted):
                values("removed", removed, &json)
                values("inserted", inserted, &json)
            case .map(let removed, let inserted, let changed):
                entries("removed", removed, &json)
                entries("inserted", inserted, &json)
                json.member("changed") { json in
                    for change in changed {
                        json.member(ValueJSON.text(ofKey: change.key)) { pair(change.old, change.new, &$0) }
                    }
                }
            }
        }
    }

    private func edit(_ edit: CommitRecord.ListEdit, _ json: inout JSONText) {
        switch edit {
        case .kept(let count): json.member("keep", count)
        case .inserted(let new): values("insert", new, &json)
        case .removed(let old): values("remove", old, &json)
        case .set(let old, let new):
            values("replace", old, &json)
            values("with", new, &json)
        }
    }

    private func pair(_ old: Value, _ new: Value, _ json: inout JSONText) {
        json.name("old")
        value(old, &json)
        json.name("new")
        value(new, &json)
    }

    private func values(_ name: String, _ values: [Value], _ json: inout JSONText) {
        json.name(name)
        json.array { json in
            for value in values { self.value(value, &json) }
        }
    }

    private func entries(_ name: String, _ entries: [CommitRecord.MapEntry], _ json: inout JSONText) {
        json.member(name) { json in
            for entry in entries {
                json.name(ValueJSON.text(ofKey: entry.key))
                value(entry.value, &json)
            }
        }
    }

    private func value(_ value: Value, _ json: inout JSONText) {
        guard let ref = value.link else { return ValueJSON.write(value, into: &json) }
        json.object { json in
            json.member("type", layout.tables[ref.table].type.name)
            json.member("slot", ref.slot)
        }
    }
}

struct ChangeText {
    private static let shownElements = 6

    let layout: StoreLayout

    /// What is there afterwards for a new object, what was there for one that is gone, both for others.
    func text(_ change: CommitRecord.Change, _ kind: CommitRecord.ObjectEntry.Kind) -> String {
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

    private func text(_ value: Value) -> String {
        if let ref = value.link { return "\(layout.tables[ref.table].type.name) \(ref.table):\(ref.slot)" }
        return ValueText.of(value)
    }

    private func signed(_ minus: [String], _ minusSign: String, _ plus: [String], _ plusSign: String) -> String {
        [(minus, minusSign), (plus, plusSign)].filter { !$0.0.isEmpty }.map { "\($0.1) \(some($0.0))" }
            .joined(separator: ", ")
    }

    private func some(_ texts: [String]) -> String {
        let shown = texts.prefix(Self.shownElements).joined(separator: ", ")
        return texts.count > Self.shownElements
            ? "[\(shown), … \(Shown.grouped(texts.count - Self.shownElements)) more]" : "[\(shown)]"
    }
}
