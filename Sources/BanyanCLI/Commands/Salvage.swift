import ArgumentParser
import BanyanCore
import BanyanPersistence

struct Salvage: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a new store of what can be believed of a damaged one.",
        discussion: """
            Takes the newest snapshot that reads whole and every journal record behind it, up to the first that is damaged \
            or missing; needs no manifest. What comes after a gap was made on top of what is lost, and is only counted. \
            The damaged directory is read and not changed. Ends with 0 when nothing was lost, with 3 when something was, or \
            when two processes have written different commits of the same numbers: one history is saved then, and the file \
            with the other is named.

            EXAMPLES
              banyan salvage data/app --dry-run
              banyan salvage data/app --to data/app-salvaged
            """)

    @OptionGroup var store: PathArgument
    @Option(
        help: ArgumentHelp("The new store; its parent must exist.", valueName: "directory"), completion: .directory)
    var to: String?
    @Flag(name: [.long, .customShort("n")], help: "Say what could be saved, and write nothing.") var dryRun = false
    @OptionGroup var options: OutputOptions

    func validate() throws {
        if to == nil && !dryRun { throw ValidationError("Say where to: --to DIRECTORY, or --dry-run to look first.") }
    }

    func run() throws {
        let target = to.map { NewStore(path: $0, source: store.path) }
        try target?.check()
        let remains = try StoreSalvage.open(store.path, on: StoreSource.disk)
        let progress = options.messages.progressLine()
        let (version, outcome, unloadable) = try GraphRecovery.salvage(remains, progress: progress.recovery)
        progress.clear()
        let graph = OpenedGraph(version: version, storeID: remains.storeID, path: store.path)
        var result = Salvaged(
            from: store.path, point: graph.point, records: outcome.records, highest: outcome.highestSeen,
            problems: (outcome.stopped.map { [$0] } ?? []) + unloadable + remains.problems)
        result.forks = outcome.forks
        result.endIsSealed = outcome.endIsSealed
        result.objects = graph.view.objectCount
        if !dryRun, let target {
            result.made = try target.write(graph, options.messages)
            result.to = target.path
        }
        try result.tell(options)
        if result.isPartial { Process.exit(.incomplete) }
    }
}

private struct Salvaged {
    let from: String
    var to: String?
    let point: CommitPoint
    let records: UInt64
    /// The last commit of which anything was seen.
    let highest: UInt64
    let problems: [BanyanError]
    var objects = 0
    var made: NewStore.Made?
    /// What another process has written as the same commits.
    var forks: [StoreSalvage.Fork] = []
    var endIsSealed = true

    init(from: String, point: CommitPoint, records: UInt64, highest: UInt64, problems: [BanyanError]) {
        self.from = from
        self.point = point
        self.records = records
        self.highest = highest
        self.problems = problems
    }

    private var lost: UInt64 { highest > point.sequence ? highest - point.sequence : 0 }
    var isPartial: Bool { lost > 0 || !problems.isEmpty || !forks.isEmpty }

    func tell(_ options: OutputOptions) throws {
        let output = StandardOutput()
        if options.json { try json(output) } else if !options.quiet { try text(output) }
        try output.flush()
    }

    private func text(_ output: StandardOutput) throws {
        for problem in problems { try output.line("problem: \(problem.description)") }
        for fork in forks {
            let commits = fork.first == fork.last ? "commit \(fork.first)" : "commits \(fork.first) to \(fork.last)"
            try output.line(
                "two histories: \(commits) of \(fork.file) differ from what was followed, which is in "
                    + "\(fork.followed); they are not saved. To save them instead, copy the directory, remove "
                    + "MANIFEST and that file from the copy, and salvage the copy")
        }
        var facts = FactList()
        facts.add(made == nil ? "could save" : "saved", "\(point.text), with \(Shown.count(objects, "object"))")
        facts.add(
            "lost",
            lost == 0
                ? "no commit that left a trace" : Shown.count(lost, "commit") + ", \(point.sequence + 1) to \(highest)")
        if !forks.isEmpty {
            let count = forks.reduce(0) { $0 + ($1.last - $1.first + 1) }
            facts.add("left out", Shown.count(count, "commit") + " of another history, see above")
        }
        if !endIsSealed {
            facts.add("end", "open: its process was killed; commits cut off behind this one would have left no trace")
        }
        if let to { facts.add("into", to) }
        if let made { facts.add("size", Shown.bytes(made.snapshot.length)) }
        try facts.write(to: output)
    }

    private func json(_ output: StandardOutput) throws {
        var json = JSONText(indented: true)
        json.object { json in
            json.member("schema", 1)
            json.member("dryRun", made == nil)
            json.member("from", from)
            json.member("to", to)
            json.member("sequence", point.sequence)
            json.member("time", time: point.time)
            json.member("objects", objects)
            json.member("records", records)
            json.member("highestSequenceSeen", highest)
            json.member("commitsLost", lost)
            json.member("endIsSealed", endIsSealed)
            json.member("store", made?.storeID.description)
            json.name("problems")
            json.lines(problems) { $0.value($1.description) }
            json.name("otherHistories")
            json.lines(forks) { json, fork in
                json.object { json in
                    json.member("file", fork.file)
                    json.member("first", fork.first)
                    json.member("last", fork.last)
                    json.member("epoch", UInt64(fork.epoch))
                    json.member("followed", fork.followed)
                }
            }
        }
        try output.write(json.bytes)
        try output.endLine()
    }
}
