import ArgumentParser
import BanyanCore
import BanyanPersistence

struct Log: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the commits of the journal: when, who, why, what.",
        discussion: """
            Oldest first. The journal goes back as far as the store keeps it. With --json each commit is one line; there \
            "changes" is the whole change set, with old and new values.

            EXAMPLES
              banyan log data/app --last 20
              banyan log data/app --from 1000 --to 1010 --changes
              banyan log data/app --from 2026-03-01 --json | jq -r .author | sort | uniq -c
            """)

    @OptionGroup var store: PathArgument
    @Option(help: ArgumentHelp("From \(Moment.form) on.", valueName: "commit|time"))
    var from: Moment?
    @Option(help: ArgumentHelp("To \(Moment.form), included.", valueName: "commit|time"))
    var to: Moment?
    @Option(help: ArgumentHelp("Only the last so many.", valueName: "count"))
    var last: Int?
    @Flag(help: "Show every changed value.") var changes = false
    @OptionGroup var options: OutputOptions

    func validate() throws {
        if let last, last < 1 { throw ValidationError("--last takes a number from 1 on.") }
    }

    func run() throws {
        try Diagnosis.explaining(store.path) {
            guard case .store(let inspection) = try StoreSource.open(store.path) else {
                throw Failure(
                    .usage, "A snapshot has no journal: it is of one commit alone",
                    next: ["banyan info \(Shown.argument(store.path))"])
            }
            let output = StandardOutput()
            var printer = CommitPrinter(
                output: output, json: options.json, changes: changes, inspection, options.messages)
            var kept: [StoreInspection.LocatedRecord] = []
            var schemas: [[UInt8]] = []
            let progress = options.messages.progressLine()
            let report = try inspection.records(
                after: start(inspection), through: to?.target ?? .end,
                progress: { progress.show("Reading journal", $0.done, $0.total) }
            ) { located, schema in
                if case .time(let time) = from, located.record.time < time { return true }
                guard let last else {
                    try printer.print(located, schema)
                    return true
                }
                // Twice as many as asked for before the first half goes: constant time each.
                kept.append(located)
                schemas.append(schema)
                if kept.count >= last * 2 {
                    kept.removeFirst(kept.count - last)
                    schemas.removeFirst(schemas.count - last)
                }
                return true
            }
            progress.clear()
            if let last {
                for (located, schema) in zip(kept, schemas).suffix(last) { try printer.print(located, schema) }
            }
            try output.flush()
            StoreSource.tell(report, options.messages)
            options.messages.remark(Shown.count(printer.count, "commit"))
        }
    }

    /// The sequence behind which to begin reading.
    private func start(_ store: StoreInspection) -> UInt64 {
        guard let first = store.segments.first?.firstSequence else { return 0 }
        switch from {
        case nil: return first - 1
        case .sequence(let sequence):
            if sequence > 0, sequence < first {
                options.messages.note("the journal begins with commit \(first)")
            }
            return max(first, sequence) - 1
        case .time(let time):
            let base = store.snapshots.first { $0.time < time }?.sequence ?? 0
            return max(base, first - 1)
        }
    }
}

/// Commits, one after the other, each read with the schema of its segment.
private struct CommitPrinter {
    let output: StandardOutput
    let isJSON: Bool
    let showsChanges: Bool
    private(set) var count = 0
    private let inspection: StoreInspection
    private let messages: MessageOptions
    private var schema: [UInt8] = []
    private var layout: StoreLayout?
    private var holders: NestedHolders?

    init(
        output: StandardOutput, json: Bool, changes: Bool, _ inspection: StoreInspection, _ messages: MessageOptions
    ) {
        self.inspection = inspection
        self.messages = messages
        self.output = output
        isJSON = json
        showsChanges = changes
    }

    mutating func print(_ located: StoreInspection.LocatedRecord, _ schemaBytes: [UInt8]) throws {
        let layout = try layout(schemaBytes, located.file)
        let record: CommitRecord
        do throws(BanyanError) {
            record = try ChangeSetCodec.decode(located.record.payload, layout: layout)
        } catch {
            var error = error
            error.location.file = located.file
            error.location.offset = located.offset
            error.location.sequence = located.record.sequence
            throw error
        }
        count += 1
        let commit = try CommitSummary(
            located: located, record: record, layout: layout, holders(layout, before: located.record.sequence))
        if isJSON {
            try output.write(commit.json(changes: showsChanges))
            try output.endLine()
        } else {
            for line in commit.text(changes: showsChanges) { try output.line(line) }
        }
    }

    /// - Parameter sequence: The first commit that asks.
    private mutating func holders(_ layout: StoreLayout, before sequence: UInt64) -> NestedHolders {
        if let holders { return holders }
        let (inspection, messages) = (inspection, messages)
        let made = NestedHolders(layout) {
            let sequence = max(GraphRecovery.oldest(inspection), sequence - 1)
            return try StoreSource.store(inspection).graph(at: .sequence(sequence), messages).version
        }
        holders = made
        return made
    }

    private mutating func layout(_ bytes: [UInt8], _ file: String) throws -> StoreLayout {
        if let layout, schema == bytes { return layout }
        let made = try GraphRecovery.plainLayout(try GraphRecovery.schema(bytes, in: file))
        layout = made
        schema = bytes
        holders = nil
        return made
    }
}
