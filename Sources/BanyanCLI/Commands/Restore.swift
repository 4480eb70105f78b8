import ArgumentParser
import BanyanCore
import BanyanPersistence

struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a new store of a store or a snapshot, as it is or as it was.",
        discussion: """
            The new store begins with one snapshot of the chosen commit and has an identity of its own, which remembers \
            where it came from. Never writes over anything: the target must be missing or empty, and outside of any \
            store; one that others may write into is closed to them. The source is only read, and may be in use.

            A time means the last commit, in the order they were made, that carries this time or an earlier one. Where the \
            clock was set back, commits before that one carry a later time: a warning says so, and \
            "commitsWithLaterTime" of --json counts them. `banyan log` shows the time of each.

            EXAMPLES
              banyan restore backups/app.bsn --to data/fresh
              banyan restore data/app --at 1000 --to data/app-1000
              banyan restore data/app --at 2026-03-01T12:15:00Z --to data/new -n
            """)

    @OptionGroup var store: PathArgument
    @Option(
        help: ArgumentHelp("The new store; its parent must exist.", valueName: "directory"), completion: .directory)
    var to: String
    @Option(
        help: ArgumentHelp("The state right after \(Moment.form); the newest without it.", valueName: "commit|time"))
    var at: Moment?
    @Flag(name: [.long, .customShort("n")], help: "Say what would be done, and write nothing.") var dryRun = false
    @OptionGroup var options: OutputOptions

    func run() throws {
        let target = NewStore(path: to, source: store.path)
        try target.check()
        try Diagnosis.explaining(store.path) {
            let source = try StoreSource.open(store.path)
            if dryRun { return try rehearse(source) }
            let graph = try source.graph(at: at, options.messages)
            let made = try target.write(graph, options.messages)
            let result = Restoration(
                from: graph.path, parent: graph.storeID, point: graph.point, laterCount: graph.laterCount, to: to,
                made: made, objects: graph.view.objectCount)
            try result.tell(options)
        }
    }

    /// Finds the commit and what leads to it, without making the graph.
    private func rehearse(_ source: StoreSource) throws {
        var plan = RestorePlan(from: source.path, to: to)
        switch source {
        case .snapshot(let reader):
            plan.snapshot = DiskPath.split(reader.path).name
            plan.snapshotBytes = reader.length
            plan.point = CommitPoint(sequence: reader.header.sequence, time: reader.header.time)
        case .store(let store):
            let progress = options.messages.progressLine()
            let found = try at?.found(in: store, progress: progress.recovery) ?? .newest
            progress.clear()
            found.tell(options.messages)
            let snapshot = try store.snapshot(atOrBefore: found.target)
            plan.laterCount = found.laterCount
            plan.snapshot = snapshot?.name
            plan.snapshotBytes = snapshot?.length ?? 0
            plan.point = CommitPoint(sequence: snapshot?.sequence ?? 0, time: snapshot?.time)
            var wanted = UInt64.max
            if case .sequence(let sequence) = found.target { wanted = sequence }
            if wanted > plan.point.sequence {
                try store.commits(
                    after: plan.point.sequence, through: found.target,
                    progress: { progress.show("Reading journal", $0.done, $0.total) }
                ) { located, _ in
                    plan.records += 1
                    plan.recordBytes += UInt64(located.payload.count)
                    plan.point = CommitPoint(sequence: located.sequence, time: located.time)
                    return located.sequence < wanted
                }
            }
            progress.clear()
            if wanted < .max, plan.point.sequence < wanted {
                throw BanyanError(
                    .limit, "The store has no commit \(wanted): its newest is \(plan.point.sequence)",
                    at: .init(file: store.path))
            }
        }
        try plan.tell(options)
    }
}

/// What a restore would use.
private struct RestorePlan {
    let from: String
    let to: String
    var snapshot: String?
    var snapshotBytes: UInt64 = 0
    var records: UInt64 = 0
    var recordBytes: UInt64 = 0
    var point = CommitPoint(sequence: 0)
    var laterCount: UInt64?

    init(from: String, to: String) {
        self.from = from
        self.to = to
    }

    func tell(_ options: OutputOptions) throws {
        let output = StandardOutput()
        if options.json {
            var json = JSONText(indented: true)
            json.object { json in
                json.member("schema", 1)
                json.member("dryRun", true)
                json.member("from", from)
                json.member("to", to)
                json.member("sequence", point.sequence)
                json.member("time", time: point.time)
                json.member("commitsWithLaterTime", laterCount)
                json.member("snapshot", snapshot)
                json.member("snapshotBytes", snapshotBytes)
                json.member("records", records)
                json.member("recordBytes", recordBytes)
            }
            try output.write(json.bytes)
            try output.endLine()
        } else {
            var facts = FactList()
            facts.add("would restore", point.text)
            facts.add(
                "from snapshot",
                snapshot.map { "\($0), \(Shown.bytes(snapshotBytes))" } ?? "none: from the first commit on")
            facts.add("and the journal", "\(Shown.count(records, "record")), \(Shown.bytes(recordBytes)) unpacked")
            facts.add("into", to)
            try facts.write(to: output)
        }
        try output.flush()
    }
}

/// What a restore did.
private struct Restoration {
    let from: String
    let parent: StoreID
    let point: CommitPoint
    let laterCount: UInt64?
    let to: String
    let made: NewStore.Made
    let objects: Int

    func tell(_ options: OutputOptions) throws {
        let output = StandardOutput()
        if options.json {
            var json = JSONText(indented: true)
            json.object { json in
                json.member("schema", 1)
                json.member("dryRun", false)
                json.member("from", from)
                json.member("to", to)
                json.member("sequence", point.sequence)
                json.member("time", time: point.time)
                json.member("commitsWithLaterTime", laterCount)
                json.member("store", made.storeID.description)
                json.member("parent", parent.description)
                json.member("snapshot", made.snapshot.name)
                json.member("bytes", made.snapshot.length)
                json.member("rootHash", HexText.of(made.snapshot.rootHash))
                json.member("objects", objects)
            }
            try output.write(json.bytes)
            try output.endLine()
        } else if !options.quiet {
            var facts = FactList()
            facts.add("restored", point.text)
            facts.add("into", to)
            facts.add("objects", Shown.grouped(objects))
            facts.add("size", Shown.bytes(made.snapshot.length))
            facts.add("root hash", HexText.of(made.snapshot.rootHash))
            try facts.write(to: output)
        }
        try output.flush()
    }
}
