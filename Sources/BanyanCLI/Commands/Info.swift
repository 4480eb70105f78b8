import ArgumentParser
import BanyanCore
import BanyanPersistence

struct Info: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what a store or a snapshot says about itself.",
        discussion: """
            Reads the manifest, or a snapshot's header and table of contents, and nothing else: instant, however large \
            the store. Nothing is checked beyond what is read; that is `banyan verify`.

            EXAMPLES
              banyan info data/app
              banyan info backups/app.bsn
              banyan info data/app --json | jq .snapshots[0].sequence
            """)

    @OptionGroup var store: PathArgument
    @OptionGroup var options: OutputOptions

    func run() throws {
        try Diagnosis.explaining(store.path) {
            let output = StandardOutput()
            switch try StoreSource.open(store.path) {
            case .store(let inspection):
                let facts = StoreFacts(store: inspection, schema: try GraphRecovery.newestSchema(of: inspection))
                if options.json { try facts.json(output) } else { try facts.text(output) }
            case .snapshot(let reader):
                let facts = SnapshotFacts(
                    reader: reader, schema: try GraphRecovery.schema(reader.header.schema, in: reader.path))
                if options.json { try facts.json(output) } else { try facts.text(output) }
            }
            try output.flush()
        }
    }
}

private struct StoreFacts {
    let store: StoreInspection
    let schema: Schema?

    private var bytes: UInt64 {
        store.snapshots.reduce(0) { $0 + $1.length } + journalBytes
    }
    private var journalBytes: UInt64 { store.segments.reduce(0) { $0 + $1.length } }

    func text(_ output: StandardOutput) throws {
        var facts = FactList()
        facts.add("store", store.path)
        facts.add("identity", store.storeID.description)
        if let parent = store.parent { facts.add("restored from", "\(parent.storeID), commit \(parent.sequence)") }
        facts.add("in use", store.owner.map { "by \(Shown.plain($0))" } ?? "no")
        facts.add("opened", Shown.count(store.epoch, "time"))
        if let schema {
            facts.add("schema", "version \(schema.version), \(Shown.count(schema.declaredTypes.count, "type"))")
        } else {
            facts.add("schema", "none yet: nothing was written")
        }
        facts.add("size", Shown.bytes(bytes))
        if let newest = store.snapshots.first {
            facts.add(
                "snapshots",
                "\(store.snapshots.count), the newest of commit \(newest.sequence), \(Moment.text(newest.time)), "
                    + Shown.bytes(newest.length))
        } else {
            facts.add("snapshots", "none")
        }
        if let first = store.segments.first {
            facts.add(
                "journal",
                "\(Shown.count(store.segments.count, "segment")) from commit \(first.firstSequence), "
                    + Shown.bytes(journalBytes))
        } else {
            facts.add("journal", "empty")
        }
        facts.add("reaches back to", CommitPoint(sequence: GraphRecovery.oldest(store)).text)
        try facts.write(to: output)
    }

    func json(_ output: StandardOutput) throws {
        var json = JSONText(indented: true)
        json.object { json in
            json.member("schema", 1)
            json.member("path", store.path)
            json.member("kind", "store")
            json.member("store", store.storeID.description)
            json.name("parent")
            if let parent = store.parent {
                json.object {
                    $0.member("store", parent.storeID.description)
                    $0.member("sequence", parent.sequence)
                }
            } else {
                json.null()
            }
            json.member("owner", store.owner)
            json.member("epoch", store.epoch)
            json.member("generation", store.generation)
            json.member("schemaVersion", schema?.version)
            json.member("types", schema?.declaredTypes.count ?? 0)
            json.member("bytes", bytes)
            json.member("oldestSequence", GraphRecovery.oldest(store))
            json.name("snapshots")
            json.lines(store.snapshots.map(SnapshotListing.init)) { $0.snapshot($1) }
            json.name("segments")
            json.lines(store.segments) { $0.segment($1) }
        }
        try output.write(json.bytes)
        try output.endLine()
    }
}

private struct SnapshotFacts {
    let reader: SnapshotReader
    let schema: Schema

    func text(_ output: StandardOutput) throws {
        let header = reader.header
        var facts = FactList()
        facts.add("snapshot", reader.path)
        facts.add("of store", header.storeID.description)
        facts.add("commit", "\(header.sequence), \(Moment.text(header.time))")
        facts.add("format", "\(header.version)")
        facts.add("schema", "version \(schema.version), \(Shown.count(schema.declaredTypes.count, "type"))")
        let raw = reader.frames.reduce(0) { $0 + $1.rawLength }
        facts.add(
            "size",
            "\(Shown.bytes(reader.length)), \(Shown.bytes(raw)) unpacked, \(Shown.count(reader.frames.count, "frame"))")
        facts.add("root hash", HexText.of(reader.rootHash))
        facts.add("objects", Shown.grouped(SnapshotCounts(reader, schema).total))
        try facts.write(to: output)
    }

    func json(_ output: StandardOutput) throws {
        let header = reader.header
        var json = JSONText(indented: true)
        json.object { json in
            json.member("schema", 1)
            json.member("path", reader.path)
            json.member("kind", "snapshot")
            json.member("store", header.storeID.description)
            json.member("sequence", header.sequence)
            json.member("time", time: header.time)
            json.member("formatVersion", header.version)
            json.member("schemaVersion", schema.version)
            json.member("types", schema.declaredTypes.count)
            json.member("bytes", reader.length)
            json.member("rawBytes", reader.frames.reduce(0) { $0 + $1.rawLength })
            json.member("frames", reader.frames.count)
            json.member("rootHash", HexText.of(reader.rootHash))
            json.member("objects", SnapshotCounts(reader, schema).total)
        }
        try output.write(json.bytes)
        try output.endLine()
    }
}
