import ArgumentParser
import BanyanCore
import BanyanPersistence

struct Log: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the commits of the journal: when, who, why, what.",
        discussion: """
            Oldest first. The journal goes back as far as the store keeps it. With --json each commit is one line; there \
            "changes" is the whole change set, with old and new values.

            From a time on means from the first commit that carries it or a later one; to a time means to the last that \
            carries it or an earlier one. Where a clock jumped, commits of other times may stand between them.

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
            let progress = options.messages.progressLine()
            let range = try range(inspection, progress)
            progress.clear()
            guard let range else { return options.messages.remark(Shown.count(0, "commit")) }
            range.end.tell(options.messages)
            let output = StandardOutput()
            var printer = CommitPrinter(
                output: output, json: options.json, changes: changes, inspection, options.messages)
            let report = try inspection.commits(
                after: range.start, through: range.end.target,
                progress: { progress.show("Reading journal", $0.done, $0.total) }
            ) { located, schema in
                progress.clear()
                try printer.print(located, schema)
                return true
            }
            progress.clear()
            try output.flush()
            StoreSource.tell(report, options.messages)
            options.messages.remark(Shown.count(printer.count, "commit"))
        }
    }

    /// The sequence behind which to begin, and where to end; nil when there is nothing between.
    private func range(
        _ store: StoreInspection, _ progress: ProgressLine
    ) throws -> (start: UInt64, end: FoundMoment)? {
        guard let first = store.segments.first?.firstSequence else { return (0, .newest) }
        var end = FoundMoment.newest
        switch to {
        case nil: break
        case .sequence(let sequence): end = FoundMoment(target: .sequence(sequence))
        case .time(let time):
            // Nothing at or before it that the store still knows of.
            guard let found = try store.commit(atOrBefore: time, progress: progress.journal) else { return nil }
            end = FoundMoment(found)
        }
        var start = first - 1
        switch from {
        case nil: break
        case .sequence(let sequence):
            if sequence > 0, sequence < first {
                options.messages.note("the journal begins with commit \(first)")
            }
            start = max(first, sequence) - 1
        case .time(let time):
            // The first in sequence, however the clocks went behind it.
            guard let sequence = try firstCommit(store, from: time, after: start, progress) else { return nil }
            start = sequence - 1
        }
        if let last {
            let newest = try newestCommit(store, after: start, through: end.target, progress)
            // Sequences have no gaps.
            start = max(start, newest - min(newest, UInt64(last)))
        }
        return (start, end)
    }

    private func firstCommit(
        _ store: StoreInspection, from time: Int64, after start: UInt64, _ progress: ProgressLine
    ) throws -> UInt64? {
        var found: UInt64?
        try store.commits(after: start, progress: progress.journal) { located, _ in
            if located.time >= time { found = located.sequence }
            return found == nil
        }
        return found
    }

    /// The last commit up to the end, which stands in the last segment unless the end comes before that.
    private func newestCommit(
        _ store: StoreInspection, after start: UInt64, through end: StoreInspection.Target, _ progress: ProgressLine
    ) throws -> UInt64 {
        var newest = max(start, (store.segments.last?.firstSequence ?? 1) - 1)
        if case .sequence(let sequence) = end, sequence <= newest { return max(start, sequence) }
        try store.commits(after: newest, through: end, progress: progress.journal) { located, _ in
            newest = located.sequence
            return true
        }
        return newest
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

    mutating func print(_ located: StoreInspection.LocatedCommit, _ schemaBytes: [UInt8]) throws {
        let layout = try layout(schemaBytes, located.file)
        let holders = holders(layout, before: located.sequence)
        let commit: CommitSummary
        do {
            commit = try CommitSummary(located: located, layout: layout, holders)
        } catch var error as BanyanError {
            if error.location.file == nil {
                error.location.file = located.file
                error.location.offset = located.offset
                error.location.sequence = located.sequence
            }
            throw error
        }
        count += 1
        if isJSON {
            try commit.writeJSON(changes: showsChanges, to: output)
        } else {
            try commit.writeText(changes: showsChanges, to: output)
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
