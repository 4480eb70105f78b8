import BanyanCore
import BanyanPersistence

/// One commit of the journal, in a line or in full. It goes through the commit's payload once to count, and once more to
/// show every change: an object at a time, however many there are.
struct CommitSummary {
    struct Counts {
        var created = 0
        var modified = 0
        var deleted = 0

        mutating func count(_ kind: CommitRecord.ObjectEntry.Kind) {
            switch kind {
            case .created: created += 1
            case .modified: modified += 1
            case .deleted: deleted += 1
            }
        }

        /// `+3 ~1 -2`.
        var text: String {
            [(created, "+"), (modified, "~"), (deleted, "-")].filter { $0.0 > 0 }.map { "\($0.1)\($0.0)" }
                .joined(separator: " ")
        }
    }

    let located: StoreInspection.LocatedCommit
    let metadata: CommitMetadata
    let layout: StoreLayout
    /// Those of lists and dictionaries within AnyValues are changes of what holds them.
    private let changes: ShownChanges
    let counts: Counts
    /// By type, in the schema's order; embedded types included.
    let byType: [(type: String, counts: Counts)]

    init(located: StoreInspection.LocatedCommit, layout: StoreLayout, _ holders: NestedHolders) throws {
        self.located = located
        self.layout = layout
        metadata = try ChangeSetCodec.metadata(of: located.payload)
        var all = Counts()
        var tables = [Counts?](repeating: nil, count: layout.tables.count)
        changes = try ShownChanges(located.payload, layout, holders) { kind, id in
            all.count(kind)
            tables[Int(id.table), default: Counts()].count(kind)
        }
        counts = all
        byType = tables.enumerated().compactMap { index, counts in
            counts.map { (layout.tables[index].type.name, $0) }
        }
    }

    // MARK: Text

    func writeText(changes: Bool, to output: StandardOutput) throws {
        let number = "\(located.sequence)".padded(to: 8, alignRight: true)
        var line = "\(number)  \(Moment.text(located.time).padded(to: 27))"
        let what = byType.map { "\($0.type) \($0.counts.text)" }.joined(separator: ", ")
        line += "  " + (what.isEmpty ? "no change" : what)
        if let author = metadata.author { line += "  by \(Shown.plain(author))" }
        if let reason = metadata.reason { line += "  “\(Shown.plain(reason))”" }
        if let request = metadata.requestID { line += "  request \(Shown.plain(request))" }
        try output.line(line)
        guard changes else { return }
        try self.changes.forEach { try write($0, to: output) }
    }

    private func write(_ object: ShownChange, to output: StandardOutput) throws {
        let table = layout.tables[Int(object.id.table)]
        let sign =
            switch object.kind {
            case .created: "+"
            case .modified: "~"
            case .deleted: "-"
            }
        let values = ChangeText(layout: layout, contents: changes.contents)
        try output.line("          \(sign) \(table.type.name) \(object.id)")
        for property in object.properties {
            let name = table.type.properties[property.column].name
            try output.line("              \(name): \(values.text(property, object.kind))")
        }
    }

    // MARK: JSON

    func writeJSON(changes: Bool, to output: StandardOutput) throws {
        var json = JSONText(indented: false)
        try json.object { json in
            json.member("schema", 1)
            json.member("sequence", located.sequence)
            json.member("time", time: located.time)
            json.member("author", metadata.author)
            json.member("reason", metadata.reason)
            json.member("requestID", metadata.requestID)
            json.member("bytes", located.payload.count)
            members(counts, &json)
            json.member("types") { json in
                for (type, counts) in byType { json.member(type) { members(counts, &$0) } }
            }
            if changes {
                json.name("changes")
                try json.array { json in
                    try self.changes.forEach { object in
                        self.json(object, &json)
                        if json.bytes.count >= 1 << 16 { try output.write(json.take()) }
                    }
                }
            }
        }
        try output.write(json.bytes)
        try output.endLine()
    }

    private func members(_ counts: Counts, _ json: inout JSONText) {
        json.member("created", counts.created)
        json.member("modified", counts.modified)
        json.member("deleted", counts.deleted)
    }

    private func json(_ object: ShownChange, _ json: inout JSONText) {
        let table = layout.tables[Int(object.id.table)]
        let values = ChangeJSON(layout: layout, contents: changes.contents)
        json.object { json in
            switch object.kind {
            case .created: json.member("change", "created")
            case .modified: json.member("change", "modified")
            case .deleted: json.member("change", "deleted")
            }
            json.member("type", table.type.name)
            json.member("id", object.id.description)
            json.member("properties") { json in
                for property in object.properties {
                    json.name(table.type.properties[property.column].name)
                    values.write(property, of: table.table, into: &json)
                }
            }
        }
    }
}

extension [CommitSummary.Counts?] {
    fileprivate subscript(index: Int, default value: CommitSummary.Counts) -> CommitSummary.Counts {
        get { self[index] ?? value }
        set { self[index] = newValue }
    }
}
