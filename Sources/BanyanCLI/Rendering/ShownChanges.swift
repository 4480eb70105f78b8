import BanyanCore
import BanyanPersistence

/// What one object of a commit is shown with.
struct ShownChange {
    struct Property {
        var column: Int
        /// Nil where only something within the value changed.
        var change: CommitRecord.Change?
        /// What changed within the lists and dictionaries of AnyValues that the property holds.
        var nested: [CommitRecord.Change] = []
    }

    var kind: CommitRecord.ObjectEntry.Kind
    var id: ObjectID
    var properties: [Property]
}

/// The changes of a commit as those of the objects a program knows. The journal has the lists and dictionaries of
/// AnyValues as objects of their own; here they are part of the property that holds them.
///
/// Of the objects none is kept: they are read from the payload each time. What is kept is what changed within lists and
/// dictionaries, because it is shown with their holders.
struct ShownChanges {
    private typealias Inner = [(column: Int, change: CommitRecord.Change)]

    private let payload: CommitPayload
    private let layout: StoreLayout
    /// The contents of lists and dictionaries that came or went.
    let contents: NestedContents
    /// What changed within the properties of an object.
    private var inner: [ObjectID: Inner] = [:]
    /// Those of its keys of which the commit says nothing else, in order.
    private var onlyInner: [ObjectID] = []

    /// - Parameter body: called with the kind and the id of each object that is shown, in no particular order.
    init(
        _ payload: CommitPayload, _ layout: StoreLayout, _ holders: NestedHolders,
        _ body: (CommitRecord.ObjectEntry.Kind, ObjectID) -> Void
    ) throws {
        self.payload = payload
        self.layout = layout
        contents = NestedContents()
        var nested: [CommitRecord.ObjectEntry] = []
        try ChangeSetCodec.forEachEntry(payload, layout: layout) { entry in
            holders.learn(entry)
            if Int(entry.id.table) != layout.nestedTable {
                body(entry.kind, entry.id)
            } else if entry.kind == .modified {
                nested.append(entry)
            } else {
                contents.add(entry)
            }
        }
        for entry in nested {
            guard let holder = try holders.holder(of: entry.id) else { continue }
            inner[holder.owner, default: []] += entry.properties.map { (holder.column, $0.change) }
        }
        guard !inner.isEmpty else { return }
        var only = Set(inner.keys)
        try ChangeSetCodec.forEachEntry(payload, layout: layout) { entry in
            if entry.kind == .modified { only.remove(entry.id) }
        }
        onlyInner = only.sorted(by: Self.isBefore)
        for id in onlyInner { body(.modified, id) }
    }

    /// Deletions, then creations, then modifications; each by table and slot.
    func forEach(_ body: (ShownChange) throws -> Void) throws {
        var waiting = onlyInner[...]
        func showWaiting(before id: ObjectID?) throws {
            while let next = waiting.first, id.map({ Self.isBefore(next, $0) }) ?? true {
                waiting.removeFirst()
                try body(ShownChange(kind: .modified, id: next, properties: adding(inner[next] ?? [], to: [])))
            }
        }
        try ChangeSetCodec.forEachEntry(payload, layout: layout) { entry in
            guard Int(entry.id.table) != layout.nestedTable else { return }
            var properties = entry.properties.map { ShownChange.Property(column: $0.column, change: $0.change) }
            if entry.kind == .modified {
                try showWaiting(before: entry.id)
                if let changes = inner[entry.id] { properties = adding(changes, to: properties) }
            }
            try body(ShownChange(kind: entry.kind, id: entry.id, properties: properties))
        }
        try showWaiting(before: nil)
    }

    private static func isBefore(_ a: ObjectID, _ b: ObjectID) -> Bool { (a.table, a.slot) < (b.table, b.slot) }

    private func adding(_ changes: Inner, to properties: [ShownChange.Property]) -> [ShownChange.Property] {
        var properties = properties
        for (column, change) in changes {
            if let index = properties.firstIndex(where: { $0.column == column }) {
                properties[index].nested.append(change)
            } else {
                properties.append(.init(column: column, change: nil, nested: [change]))
            }
        }
        return properties.sorted { $0.column < $1.column }
    }
}

/// What the lists and dictionaries hold that a commit made or took away, each given out once: in a sound journal it
/// has one place.
final class NestedContents {
    private var entries: [ObjectRef: CommitRecord.ObjectEntry] = [:]

    func add(_ entry: CommitRecord.ObjectEntry) { entries[entry.id.ref] = entry }

    /// Nil for one that the commit left as it was.
    func takeList(_ ref: ObjectRef) -> [Value]? {
        guard let entry = entries.removeValue(forKey: ref) else { return nil }
        for property in entry.properties {
            guard property.column == NestedValues.listColumn, case .list(let edits) = property.change else { continue }
            return edits.flatMap { edit -> [Value] in
                switch edit {
                case .inserted(let values), .removed(let values): values
                case .kept, .set: []
                }
            }
        }
        return []
    }

    func takeDictionary(_ ref: ObjectRef) -> [CommitRecord.MapEntry]? {
        guard let entry = entries.removeValue(forKey: ref) else { return nil }
        for property in entry.properties {
            guard property.column == NestedValues.dictionaryColumn,
                case .map(let removed, let inserted, _) = property.change
            else { continue }
            return removed + inserted
        }
        return []
    }
}

/// Who holds the lists and dictionaries of AnyValues. They never change hands, so that what one commit says of one
/// stays true; of those from before the first commit that is read, the graph of that time tells, which is loaded when
/// one of them changes.
final class NestedHolders {
    private let layout: StoreLayout
    private let load: () throws -> Version
    private var learned: [ObjectRef: (owner: ObjectID, column: Int)] = [:]
    private var base: Version?

    init(_ layout: StoreLayout, load: @escaping () throws -> Version) {
        self.layout = layout
        self.load = load
    }

    /// Takes note of what a commit puts where.
    func learn(_ entry: CommitRecord.ObjectEntry) {
        guard layout.nestedTable != nil, entry.kind != .deleted else { return }
        for property in entry.properties
        where layout.tables[Int(entry.id.table)].columns[property.column].kind == .any {
            property.change.forEachNew { value in
                guard let ref = value.link, ref.table == layout.nestedTable else { return }
                learned[ref] = (entry.id, property.column)
            }
        }
    }

    /// The property in which the outermost stands; nil where the files do not tell.
    func holder(of nested: ObjectID) throws -> (owner: ObjectID, column: Int)? {
        var current = nested.ref
        for _ in 0...NestedValues.maximumDepth {
            guard let link = try link(to: current) else { return nil }
            if Int(link.owner.table) != layout.nestedTable { return link }
            current = link.owner.ref
        }
        return nil
    }

    private func link(to ref: ObjectRef) throws -> (owner: ObjectID, column: Int)? {
        if let known = learned[ref] { return known }
        let version = try base ?? load()
        base = version
        guard version.lineage.layout.schema == layout.schema, version.view.contains(ref) else { return nil }
        return version.view.owningLink(of: ref).map { (version.view.id($0.owner), $0.column) }
    }
}

extension CommitRecord.Change {
    /// Calls `body` with each value that is there afterwards and may not have been before.
    fileprivate func forEachNew(_ body: (Value) -> Void) {
        switch self {
        case .value(_, let new): body(new)
        case .list(let edits):
            for edit in edits {
                switch edit {
                case .inserted(let new), .set(_, let new): new.forEach(body)
                case .kept, .removed: break
                }
            }
        case .set(_, let inserted): inserted.forEach(body)
        case .map(_, let inserted, let changed):
            for entry in inserted { body(entry.value) }
            for change in changed { body(change.new) }
        }
    }
}
