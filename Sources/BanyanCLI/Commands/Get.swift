import ArgumentParser
import BanyanCore
import BanyanPersistence

struct Get: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show one object, by type and primary key or by object id.",
        discussion: """
            An object id is what other commands print as id, such as 0:12.0. Ends with 1 when there is no such object. A \
            key that begins with a dash goes behind `--`.

            EXAMPLES
              banyan get data/app Person 42
              banyan get data/app Dog 'Rex 7' --json
              banyan get data/app 0:12.0 --at 2026-03-01T12:15:00Z
            """)

    @OptionGroup var store: PathArgument
    @Argument(
        help: ArgumentHelp(
            "A type and the primary key of one of its objects, or an object id.", valueName: "type key | id"))
    var object: [String]
    @Option(help: ArgumentHelp("As it was at \(Moment.form).", valueName: "commit|time"))
    var at: Moment?
    @OptionGroup var options: OutputOptions

    func validate() throws {
        guard (1...2).contains(object.count) else {
            throw ValidationError("Name a type and a primary key, or one object id.")
        }
        if object.count == 1, ObjectID(object[0]) == nil {
            throw ValidationError(
                "'\(object[0])' is not an object id such as 0:12.0; a type needs a primary key behind it.")
        }
    }

    func run() throws {
        try Diagnosis.explaining(store.path) {
            let graph = try StoreSource.open(store.path).graph(at: at, options.messages)
            guard let ref = try find(in: graph) else { throw notFound(graph) }
            let output = StandardOutput()
            if options.json { try json(graph, ref, output) } else { try text(graph, ref, output) }
            try output.flush()
        }
    }

    private func find(in graph: OpenedGraph) throws -> ObjectRef? {
        if object.count == 1 {
            return ObjectID(object[0]).flatMap { id in
                graph.view.contains(id) && !graph.layout.tables[Int(id.table)].type.isInternal ? id.ref : nil
            }
        }
        let table = try graph.table(named: object[0])
        guard let column = table.keyColumn else {
            throw BanyanError(
                .invalidQuery, "\(object[0]) has no primary key",
                remedy: table.type.isEmbedded
                    ? "It is embedded: look at the object that owns it" : "Name the object id, or use `banyan query`")
        }
        let kind = table.columns[column].kind
        guard let key = Self.key(object[1], kind) else {
            throw BanyanError(
                .invalidQuery,
                "'\(object[1])' is no \(kind.name), which the primary key '\(table.type.properties[column].name)' is")
        }
        return graph.view.find(table.table, key: key)?.ref
    }

    private static func key(_ text: String, _ kind: ValueKind) -> Value? {
        guard let key = kind.type.value(key: text) else { return nil }
        return kind.isText || key.cell(as: kind) != nil ? key : nil
    }

    private func notFound(_ graph: OpenedGraph) -> Failure {
        let what = object.count == 1 ? "object \(object[0])" : "\(object[0]) with the primary key '\(object[1])'"
        return Failure(.failed, "There is no \(Shown.plain(what)) in \(graph.point.text)")
    }

    private func text(_ graph: OpenedGraph, _ ref: ObjectRef, _ output: StandardOutput) throws {
        let text = ObjectText(view: graph.view)
        let table = graph.layout.tables[ref.table]
        try output.line("\(text.link(to: ref)), id \(graph.view.id(ref))")
        var facts = FactList()
        for (column, property) in table.type.properties.enumerated() {
            facts.add("  " + property.name + (property.isInverse ? " ←" : ""), text.property(column, of: ref))
        }
        try facts.write(to: output)
    }

    private func json(_ graph: OpenedGraph, _ ref: ObjectRef, _ output: StandardOutput) throws {
        let objects = ObjectJSON(view: graph.view)
        let table = graph.layout.tables[ref.table]
        var json = JSONText(indented: true)
        try json.object { json in
            json.member("schema", 1)
            json.member("sequence", graph.point.sequence)
            json.member("time", time: graph.point.time)
            json.laterCount(of: graph)
            json.member("type", table.type.name)
            json.member("id", graph.view.id(ref).description)
            json.name("values")
            try objects.properties(of: ref, into: &json)
            json.member("inverses") { json in
                for (column, property) in table.type.properties.enumerated() where property.isInverse {
                    json.name(property.name)
                    objects.sources(column, of: ref, limit: .max, into: &json)
                }
            }
        }
        try output.write(json.bytes)
        try output.endLine()
    }
}
