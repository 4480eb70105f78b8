import ArgumentParser
import BanyanCore
import BanyanPersistence

struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Read everything, and say what is wrong with it.",
        discussion: """
            Checks the manifest, every frame of every snapshot and every record of the journal against their hashes and \
            against each other, then makes the graph of the newest commit of them. Writes nothing, and takes no lock.

            Ends with 0 when the store is sound; 3 when the journal ends in an interrupted write, which the next opening \
            cuts off and which loses nothing that was promised; 4 when something is damaged; 5 when something is too new.

            EXAMPLES
              banyan verify data/app
              banyan verify data/app --quick
              banyan verify backups/app.bsn --json | jq .findings
              banyan verify -q data/app || mail -s 'store damaged' ops
            """)

    @OptionGroup var store: PathArgument
    @Flag(help: "Leave out the contents of snapshots, and do not make the graph.") var quick = false
    @OptionGroup var options: OutputOptions

    func run() throws {
        let progress = options.messages.progressLine()
        var result = try check(progress)
        // A store in use may replace files while they are read; what is wrong then is wrong only if it stays so.
        var attempts = 5
        while attempts > 0, result.status == .damaged, result.report.wasInUse,
            result.generation != Self.generation(store.path)
        {
            attempts -= 1
            result = try check(progress)
        }
        progress.clear()
        let output = StandardOutput()
        if options.json {
            try result.json(output)
        } else if !options.quiet || result.status != .done {
            try result.text(output)
        }
        try output.flush()
        if result.status != .done { Process.exit(result.status) }
    }

    private func check(_ progress: ProgressLine) throws -> Verification {
        let generation = Self.generation(store.path)
        let files: (StoreProgress) -> Void = { progress.show("Reading files", $0.done, $0.total) }
        if quick {
            let report = try StoreVerification.verify(store.path, on: StoreSource.disk, quick: true, progress: files)
            return Verification(path: store.path, report: report, generation: generation, version: nil)
        }
        let (report, version) = try GraphRecovery.verify(
            store.path, on: StoreSource.disk, filesProgress: files, progress: progress.recovery)
        return Verification(path: store.path, report: report, generation: generation, version: version)
    }

    /// Changes whenever the store's files do; nil where there is no manifest to tell.
    private static func generation(_ path: String) -> UInt64? {
        guard
            case .success(.store(let store)) = Result(catching: { () throws(BanyanError) in try StoreSource.open(path) }
            )
        else { return nil }
        return store.generation
    }
}

/// What was found, and how it is told.
private struct Verification {
    let path: String
    let report: VerifyReport
    let generation: UInt64?
    private let objects: Int?

    init(path: String, report: VerifyReport, generation: UInt64?, version: Version?) {
        self.path = path
        self.report = report
        self.generation = generation
        objects = version.map(\.view.objectCount)
    }

    var status: ExitStatus {
        let severities = Set(report.findings.map(\.severity))
        if severities.contains(.damaged) || severities.contains(.foreign) { return .damaged }
        if severities.contains(.unsupported) { return .unsupported }
        return severities.contains(.torn) ? .incomplete : .done
    }

    private var word: String {
        switch status {
        case .damaged: "damaged"
        case .unsupported: "unsupported"
        case .incomplete: "torn"
        default: "sound"
        }
    }

    /// Whether there is a directory of files, and not a single one.
    private var isStore: Bool {
        switch Result(catching: { () throws(DiskFault) in try StoreSource.disk.kind(of: path) }) {
        case .success(.file), .failure: false
        case .success: true
        }
    }

    private var inspection: StoreInspection? {
        guard
            case .success(.store(let store)) = Result(catching: { () throws(BanyanError) in try StoreSource.open(path) }
            )
        else { return nil }
        return store
    }

    private var next: [String] {
        let shown = Shown.argument(path)
        switch status {
        case .done: return []
        case .incomplete: return ["open the store with its program, which cuts the interrupted write off"]
        case .unsupported: return ["use a newer version of banyan"]
        default:
            guard isStore else { return ["use a copy of this file, or another snapshot"] }
            var commands: [String] = []
            let damaged = report.findings.filter { $0.severity == .damaged }
            let last = damaged.filter { !$0.isOfSnapshot }.compactMap(\.lastGoodSequence).min()
            if let last, let store = inspection, last >= GraphRecovery.oldest(store) {
                commands.append("banyan restore \(shown) --at \(last) --to NEW-DIRECTORY")
            } else if generation != nil, damaged.allSatisfy(\.isOfSnapshot) {
                // An older snapshot and the journal may still give all of it.
                commands.append("banyan restore \(shown) --to NEW-DIRECTORY")
            }
            return commands + ["banyan salvage \(shown) --to NEW-DIRECTORY"]
        }
    }

    // MARK: Text

    func text(_ output: StandardOutput) throws {
        let store = inspection
        let known = Diagnosis.highestKnown(store)
        for finding in report.findings {
            try output.line("\(finding.severity.rawValue): \(finding.message)")
            var facts = FactList()
            facts.add("  file", finding.file)
            if let offset = finding.offset { facts.add("  offset", "\(offset)") }
            if let expected = finding.expectedHash { facts.add("  expected", HexText.of(expected)) }
            if let actual = finding.actualHash { facts.add("  found", HexText.of(actual)) }
            if finding.isOfSnapshot, let last = finding.lastGoodSequence {
                facts.add("  snapshot of", "commit \(last + 1)")
            } else if finding.severity == .damaged, let last = finding.lastGoodSequence {
                facts.add("  commit", "\(last + 1)")
                facts.add("  last good", (store.map { Diagnosis.point(last, $0) } ?? CommitPoint(sequence: last)).text)
                if let text = Diagnosis.atStake(behind: last, finding.framesAtStake, report.lastSequence, known) {
                    facts.add("  at stake", text)
                }
            }
            try facts.write(to: output)
        }
        var read = [Shown.count(report.snapshots, "snapshot"), Shown.count(report.segments, "segment")]
        read.append(Shown.count(report.records, "record"))
        read.append(Shown.bytes(report.bytes))
        if let objects { read.append(Shown.count(objects, "object")) }
        try output.line("read: " + read.joined(separator: ", "))
        if report.wasInUse { try output.line("in use: the very end of the journal was not judged") }
        let last = CommitPoint(sequence: report.lastSequence, time: report.lastTime)
        try output.line("\(word)\(status == .done ? ", up to \(last.text)" : "")")
        for (index, command) in next.enumerated() { try output.line((index == 0 ? "next: " : "      ") + command) }
    }

    // MARK: JSON

    func json(_ output: StandardOutput) throws {
        var json = JSONText(indented: true)
        json.object { json in
            json.member("schema", 1)
            json.member("path", path)
            json.member("status", word)
            json.member("store", report.storeID?.description)
            json.member("snapshots", report.snapshots)
            json.member("segments", report.segments)
            json.member("records", report.records)
            json.member("bytes", report.bytes)
            json.member("objects", objects)
            json.member("lastSequence", report.lastSequence)
            json.member("lastTime", time: report.lastTime)
            json.member("inUse", report.wasInUse)
            json.name("findings")
            json.lines(report.findings) { json, finding in
                json.object { json in
                    json.member("severity", finding.severity.rawValue)
                    json.member("file", finding.file)
                    json.member("offset", finding.offset)
                    json.member("message", finding.message)
                    json.member("expectedHash", finding.expectedHash.map(HexText.of))
                    json.member("actualHash", finding.actualHash.map(HexText.of))
                    json.member("lastGoodSequence", finding.lastGoodSequence)
                    json.member("recordsAtStake", finding.framesAtStake)
                }
            }
            json.name("next")
            json.lines(next) { $0.value($1) }
        }
        try output.write(json.bytes)
        try output.endLine()
    }
}

extension VerifyReport.Finding {
    /// What is wrong with a snapshot says nothing about the journal.
    fileprivate var isOfSnapshot: Bool { file.hasSuffix(".bsn") }
}
