import ArgumentParser
import BanyanCore
import BanyanPersistence

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "List types with their counts, snapshots and journal segments.",
        discussion: """
            Counts are those of the newest commit, so a store is loaded to count. Of a snapshot they stand in its table of \
            contents, and nothing is loaded.

            EXAMPLES
              banyan ls data/app
              banyan ls data/app --types --json
              banyan ls data/app --files
              banyan ls backups/app.bsn
            """)

    @OptionGroup var store: PathArgument
    @Flag(help: "Only the types.") var types = false
    @Flag(help: "Only the files.") var files = false
    @OptionGroup var options: OutputOptions

    func validate() throws {
        if types && files {
            throw ValidationError("--types and --files exclude each other; without either both are listed.")
        }
    }

    func run() throws {
        try Diagnosis.explaining(store.path) {
            let source = try StoreSource.open(store.path)
            var listing = Listing()
            if !files { try listing.readTypes(source, options.messages) }
            if !types { try listing.readFiles(source, options.messages) }
            let output = StandardOutput()
            if options.json { try listing.json(source, output) } else { try listing.text(output) }
            try output.flush()
        }
    }
}

private struct Listing {
    struct TypeRow {
        var type: TypeSchema
        var objects: UInt64
    }

    var point: CommitPoint?
    var types: [TypeRow]?
    var snapshots: [SnapshotListing]?
    var segments: [StoreInspection.Segment]?
    var times: [String: SegmentTimes] = [:]

    mutating func readTypes(_ source: StoreSource, _ messages: MessageOptions) throws {
        if case .snapshot(let reader) = source {
            let schema = try GraphRecovery.schema(reader.header.schema, in: reader.path)
            let counts = SnapshotCounts(reader, schema).byTable
            types = zip(schema.types, counts).filter { !$0.0.isInternal }.map { TypeRow(type: $0, objects: $1) }
            point = CommitPoint(sequence: reader.header.sequence, time: reader.header.time)
        } else {
            let graph = try source.graph(messages)
            types = graph.layout.tables.filter { !$0.type.isInternal }.map {
                TypeRow(type: $0.type, objects: UInt64(graph.view.count($0.table)))
            }
            point = graph.point
        }
    }

    mutating func readFiles(_ source: StoreSource, _ messages: MessageOptions) throws {
        switch source {
        case .snapshot(let reader):
            snapshots = [SnapshotListing(reader)]
            segments = []
        case .store(let store):
            snapshots = store.snapshots.map(SnapshotListing.init)
            segments = store.segments
            let report: RecoveryReport
            (times, report) = try SegmentTimes.read(store, progress: messages.progressLine())
            // When types are listed too, loading them has said so already.
            if types == nil { StoreSource.tell(report, messages) }
        }
    }

    // MARK: Text

    func text(_ output: StandardOutput) throws {
        if let types { try text(types, output) }
        guard let snapshots, let segments, !snapshots.isEmpty || !segments.isEmpty else { return }
        if types != nil { try output.line() }
        if !snapshots.isEmpty {
            let table = TextTable(
                [
                    .init(title: "SNAPSHOT"), .init(title: "COMMIT", alignRight: true), .init(title: "TIME"),
                    .init(title: "SIZE", alignRight: true),
                ], to: output)
            for snapshot in snapshots {
                try table.add([
                    snapshot.name, "\(snapshot.sequence)", Moment.text(snapshot.time), Shown.bytes(snapshot.length),
                ])
            }
            try table.finish()
        }
        if !snapshots.isEmpty, !segments.isEmpty { try output.line() }
        if !segments.isEmpty {
            let table = TextTable(
                [
                    .init(title: "SEGMENT"), .init(title: "FIRST", alignRight: true),
                    .init(title: "LAST", alignRight: true),
                    .init(title: "FROM"), .init(title: "TO"), .init(title: "SIZE", alignRight: true),
                ], to: output)
            for segment in segments {
                let times = times[segment.name]
                let last = segment.lastSequence ?? times?.last?.sequence
                try table.add([
                    segment.name, "\(segment.firstSequence)",
                    last.flatMap { $0 >= segment.firstSequence ? "\($0)" : nil } ?? "–",
                    times?.first?.time.map(Moment.text) ?? "–", times?.last?.time.map(Moment.text) ?? "–",
                    Shown.bytes(segment.length),
                ])
            }
            try table.finish()
        }
    }

    private func text(_ types: [TypeRow], _ output: StandardOutput) throws {
        guard !types.isEmpty else { return try output.line("No types: nothing was written yet.") }
        let table = TextTable(
            [
                .init(title: "TYPE"), .init(title: "OBJECTS", alignRight: true), .init(title: "PRIMARY KEY"),
                .init(title: "PROPERTIES", alignRight: true),
            ], to: output)
        for row in types {
            let key = row.type.primaryKey.map { row.type.properties[$0] }
            try table.add([
                row.type.name, Shown.grouped(row.objects),
                key.map { "\($0.name): \($0.typeDescription)" } ?? (row.type.isEmbedded ? "(embedded)" : "–"),
                "\(row.type.properties.count)",
            ])
        }
        try table.finish()
    }

    // MARK: JSON

    func json(_ source: StoreSource, _ output: StandardOutput) throws {
        var json = JSONText(indented: true)
        json.object { json in
            json.member("schema", 1)
            json.member("path", source.path)
            if let point {
                json.member("sequence", point.sequence)
                json.member("time", time: point.time)
            }
            if let types {
                json.name("types")
                json.lines(types) { json, row in
                    json.object { json in
                        json.member("name", row.type.name)
                        json.member("embedded", row.type.isEmbedded)
                        json.member("objects", row.objects)
                        json.member("primaryKey", row.type.primaryKey.map { row.type.properties[$0].name })
                    }
                }
            }
            if let snapshots, let segments {
                json.name("snapshots")
                json.lines(snapshots) { $0.snapshot($1) }
                json.name("segments")
                json.lines(segments) { $0.segment($1, times[$1.name] ?? SegmentTimes()) }
            }
        }
        try output.write(json.bytes)
        try output.endLine()
    }
}
