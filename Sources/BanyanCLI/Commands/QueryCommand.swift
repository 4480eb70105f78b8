import ArgumentParser
import BanyanCore
import BanyanPersistence

struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Find the objects of a type that satisfy a predicate.",
        discussion: """
            The predicate is written as in Swift's filter(): comparisons (== != < <= > >= IN BETWEEN BEGINSWITH ENDSWITH \
            CONTAINS LIKE, with [c] to ignore case and [d] diacritics), joined by AND, OR, NOT; paths follow links and \
            inverses; ANY, ALL, NONE before a path to many; .@count, .@min, .@max, .@sum, .@avg, .@median behind one. \
            Without a predicate all objects are found. A result of no objects is a result, and ends with 0.

            EXAMPLES
              banyan query data/app Person 'age > 30 AND ANY dogs.name LIKE[c] "r*"'
              banyan query data/app Person --sort 'age desc' --sort name --limit 10
              banyan query data/app Person --columns name,address.city,bestFriend.name
              banyan query data/app Dog 'owners.@count > 1' --columns name,owners.@count
              banyan query data/app Dog 'owners.@count > 1' --count
              banyan query data/app Person 'id IN {1, 2}' --explain
            """)

    @OptionGroup var store: PathArgument
    @Argument(help: "The type to look through.") var type: String
    @Argument(help: "What the objects must satisfy.") var predicate: String = ""
    @Option(
        name: .customLong("sort"),
        help: ArgumentHelp("Sort by a path, 'path desc' for descending; may be given again.", valueName: "path"))
    var sort: [String] = []
    @Option(help: "At most so many objects.") var limit: Int?
    @Option(help: "Leave out so many in front.") var offset: Int?
    @Option(
        help: ArgumentHelp(
            "What to show, by paths, separated by commas; @id is the object id, .@count behind a collection its size.",
            valueName: "paths"))
    var columns: String?
    @Flag(help: "Print only how many there are.") var count = false
    @Flag(help: "Print how it would be found, and do not look.") var explain = false
    @Option(help: ArgumentHelp("As it was at \(Moment.form).", valueName: "commit|time"))
    var at: Moment?
    @OptionGroup var options: OutputOptions

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit takes a number from 0 on.") }
        if let offset, offset < 0 { throw ValidationError("--offset takes a number from 0 on.") }
        if let columns, columns.split(separator: ",", omittingEmptySubsequences: false).contains(where: \.isBlank) {
            throw ValidationError("--columns takes paths, separated by commas, such as name,address.city.")
        }
        if count && explain { throw ValidationError("--count and --explain exclude each other.") }
    }

    func run() throws {
        try Diagnosis.explaining(store.path) {
            let source = try StoreSource.open(store.path)
            if at == nil || explain {
                // A mistake in the query shows before anything is loaded.
                let layout = try GraphRecovery.plainLayout(source.schema())
                let plan = try plan(on: layout)
                _ = try chosenColumns(layout)
                if explain { return try tell(plan) }
            }
            let graph = try source.graph(at: at, options.messages)
            let plan = try plan(on: graph.layout)
            if count { return try tell(plan.count(in: graph.view), graph) }
            if options.json { try json(graph, plan) } else { try text(graph, plan) }
        }
    }

    /// The predicate, and what the options add to it.
    private func plan(on layout: StoreLayout) throws -> QueryPlan {
        guard layout.table(named: type)?.type.isInternal == false else {
            throw OpenedGraph.unknownType(type, layout.schema)
        }
        var parsed = try PredicateParser.query(predicate, on: type)
        for option in sort {
            do {
                parsed.query.sort += try PredicateParser.sortKeys(option)
            } catch {
                throw BanyanError(
                    error.code, "--sort \(Shown.argument(option)): \(error.message)", remedy: error.remedy,
                    cause: error.cause)
            }
        }
        if let limit {
            guard parsed.query.limit == nil else {
                throw BanyanError(
                    .invalidQuery, "the predicate has a LIMIT, and --limit gives another", remedy: "Leave one out")
            }
            parsed.query.limit = limit
        }
        if let offset { parsed.query.offset = offset }
        return try parsed.plan(on: layout)
    }

    private func chosenColumns(_ layout: StoreLayout) throws -> [ColumnPath] {
        guard let table = layout.table(named: type) else { throw OpenedGraph.unknownType(type, layout.schema) }
        guard let columns else { return ColumnPath.all(of: table) }
        return try columns.split(separator: ",").map { name in
            let path = name.split(separator: " ").joined()
            return try ColumnPath(path, from: table, layout)
        }
    }

    // MARK: Answers

    private func tell(_ plan: QueryPlan) throws {
        let output = StandardOutput()
        if options.json {
            var json = JSONText(indented: true)
            json.object { json in
                json.member("schema", 1)
                json.member("type", type)
                json.member("explanation", plan.explain())
            }
            try output.write(json.bytes)
            try output.endLine()
        } else {
            try output.line(plan.explain())
        }
        try output.flush()
    }

    private func tell(_ count: Int, _ graph: OpenedGraph) throws {
        let output = StandardOutput()
        if options.json {
            var json = JSONText(indented: true)
            json.object { json in
                head(graph, &json)
                json.member("count", count)
            }
            try output.write(json.bytes)
            try output.endLine()
        } else {
            try output.line("\(count)")
        }
        try output.flush()
    }

    private func head(_ graph: OpenedGraph, _ json: inout JSONText) {
        json.member("schema", 1)
        json.member("sequence", graph.point.sequence)
        json.member("time", time: graph.point.time)
        json.laterCount(of: graph)
        json.member("type", type)
    }

    private func text(_ graph: OpenedGraph, _ plan: QueryPlan) throws {
        let output = StandardOutput()
        let columns = try chosenColumns(graph.layout)
        let text = ObjectText(view: graph.view)
        let table = TextTable(
            columns.map { TextTable.Column(title: $0.name, alignRight: $0.isNumber(graph.layout)) }, to: output)
        var found = 0
        try plan.forEach(in: graph.view) { ref in
            try table.add(columns.map { $0.text(of: ref, text) })
            found += 1
            return true
        }
        if found > 0 { try table.finish() }
        try output.flush()
        options.messages.remark(Shown.count(found, "object") + " in \(graph.point.text)")
    }

    /// One document, an object a line, written as they are found.
    private func json(_ graph: OpenedGraph, _ plan: QueryPlan) throws {
        let output = StandardOutput()
        let paths = columns == nil ? nil : try chosenColumns(graph.layout)
        let objects = ObjectJSON(view: graph.view)
        var json = JSONText(indented: false)
        json.object { head(graph, &$0) }
        try output.write(json.bytes.dropLast() + Array(",\"objects\":[\n".utf8))
        var found = 0
        try plan.forEach(in: graph.view) { ref in
            json.removeAll()
            try json.object { json in
                json.member("id", graph.view.id(ref).description)
                json.name("values")
                if let paths {
                    try json.object { json in
                        for path in paths {
                            json.name(path.name)
                            try path.json(of: ref, objects, into: &json)
                        }
                    }
                } else {
                    try objects.properties(of: ref, into: &json)
                }
            }
            if found > 0 { try output.write(Array(",\n".utf8)) }
            try output.write(json.bytes)
            found += 1
            return true
        }
        try output.write(Array("\n],\"count\":\(found)}".utf8))
        try output.endLine()
        try output.flush()
    }
}

extension Substring {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
