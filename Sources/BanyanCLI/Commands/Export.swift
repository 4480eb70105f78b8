import ArgumentParser
import BanyanCore
import BanyanPersistence

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write all objects, or those of some types, as JSON Lines.",
        discussion: """
            One line says what it is, one follows for each object, one closes:

              {"banyan":"export","schema":1,"store":"…","sequence":57,"types":[…],…}
              {"type":"Person","id":"0:0.1","values":{"name":"Ada","dogs":[…]}}
              {"banyan":"end","objects":1}

            Without the last line it is not complete. Objects come type by type, each in the order of its slots. Embedded \
            objects stand inside their owners; inverse properties are left out. Links are {"type":…,"key":…} by primary \
            key, or {"type":…,"id":…} where the type has none. Dates are RFC 3339, Data is Base64, Decimal128, UUID and \
            ObjectId are strings, as are "NaN", "Infinity" and "-Infinity". `banyan schema` says which is which, and so \
            does "types" of the first line.

            EXAMPLES
              banyan export data/app > app.jsonl
              banyan export data/app Person --bare | jq -r .values.name
              banyan export data/app --at 1000 | gzip > app-1000.jsonl.gz
            """)

    @OptionGroup var store: PathArgument
    @Argument(help: "Only these types.") var types: [String] = []
    @Flag(help: "Only the objects, without the first and the last line.") var bare = false
    @Option(help: ArgumentHelp("As it was at \(Moment.form).", valueName: "commit|time"))
    var at: Moment?
    @OptionGroup var messages: MessageOptions

    func run() throws {
        try Diagnosis.explaining(store.path) {
            let graph = try StoreSource.open(store.path).graph(at: at, messages)
            for name in types { try checkExportable(try graph.table(named: name)) }
            let chosen = graph.layout.tables.filter {
                !$0.type.isEmbedded && (types.isEmpty || types.contains($0.type.name))
            }
            try write(chosen, of: graph)
        }
    }

    private func checkExportable(_ table: TableLayout) throws(BanyanError) {
        guard table.type.isEmbedded else { return }
        throw BanyanError(
            .unknownType, "\(table.type.name) is embedded, and its objects stand inside their owners",
            remedy: "Export the types that own it")
    }

    private func write(_ tables: [TableLayout], of graph: OpenedGraph) throws {
        let output = StandardOutput()
        let objects = ObjectJSON(view: graph.view)
        let total = tables.reduce(0) { $0 + graph.view.count($1.table) }
        let progress = messages.progressLine()
        var json = JSONText(indented: false)
        if !bare {
            header(graph, &json)
            try output.write(json.bytes)
            try output.endLine()
        }
        var count = 0
        for table in tables {
            try graph.view.forEachObject(table.table) { _, _, slot in
                let ref = ObjectRef(table: table.table, slot: slot)
                json.removeAll()
                try json.object { json in
                    json.member("type", table.type.name)
                    json.member("id", graph.view.id(ref).description)
                    json.name("values")
                    try objects.properties(of: ref, into: &json)
                }
                try output.write(json.bytes)
                try output.endLine()
                count += 1
                if count & 1023 == 0 { progress.show("Exporting", UInt64(count), UInt64(total), of: "objects") }
                return true
            }
        }
        progress.clear()
        if !bare { try output.line("{\"banyan\":\"end\",\"objects\":\(count)}") }
        try output.flush()
        messages.remark("\(Shown.count(count, "object")) of \(graph.point.text)")
    }

    private func header(_ graph: OpenedGraph, _ json: inout JSONText) {
        json.object { json in
            json.member("banyan", "export")
            json.member("schema", 1)
            json.member("store", graph.storeID.description)
            json.member("sequence", graph.point.sequence)
            json.member("time", time: graph.point.time)
            json.laterCount(of: graph)
            json.member("schemaVersion", graph.layout.schema.version)
            json.name("types")
            json.array { json in
                for type in graph.layout.schema.declaredTypes { json.type(type) }
            }
        }
    }
}
