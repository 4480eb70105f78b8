package import BanyanCore
import Synchronization

/// Makes a version of a snapshot's frames, checking everything.
///
/// Chunks are decoded on all cores, straight into pages; then parts are put in place, pages installed, and what is derived
/// built, a property or an index at a time, on all cores again.
package enum SnapshotLoader {
    /// Frames to load from: an opened snapshot, or a test.
    package struct Source: Sendable {
        package struct Frame: Sendable {
            package var kind: UInt8
            package var table: UInt32
            package var rows: UInt64
            /// What it counts for in progress.
            package var bytes: UInt64
            /// Where it is in its file.
            package var offset: UInt64?

            package init(kind: UInt8, table: UInt32, rows: UInt64, bytes: UInt64, offset: UInt64? = nil) {
                self.kind = kind
                self.table = table
                self.rows = rows
                self.bytes = bytes
                self.offset = offset
            }
        }

        package var frames: [Frame]
        package var sequence: UInt64
        package var time: Int64
        /// The raw bytes of a frame. Called from several threads at once.
        package var read: @Sendable (Int) throws(BanyanError) -> [UInt8]

        package init(
            frames: [Frame], sequence: UInt64, time: Int64,
            read: @escaping @Sendable (Int) throws(BanyanError) -> [UInt8]
        ) {
            self.frames = frames
            self.sequence = sequence
            self.time = time
            self.read = read
        }
    }

    /// Loads an opened snapshot. O(bytes + links + indexed values).
    ///
    /// - Parameters:
    ///   - layout: of the very types the snapshot was written with.
    ///   - progress: told the bytes of the file that are done, on the calling thread.
    /// - Throws: `damaged` with the frame's place in the file, or with type, property and object; `schemaMismatch`;
    ///   `unsupportedFormat`; `io`.
    package static func load(
        _ reader: SnapshotReader, layout: StoreLayout, progress: ((StoreProgress) -> Void)? = nil
    ) throws(BanyanError) -> Version {
        let stored = try SchemaCodec.decode(reader.header.schema)
        guard stored.types == layout.schema.types else {
            throw layout.schema.mismatch(withStored: stored, file: reader.path)
        }
        let source = Source(
            frames: reader.frames.map {
                Source.Frame(
                    kind: $0.kind, table: $0.table, rows: $0.rows, bytes: $0.storedLength, offset: $0.offset)
            },
            sequence: reader.header.sequence, time: reader.header.time,
            read: { index throws(BanyanError) in try reader.read(index) })
        do throws(BanyanError) {
            return try load(source, layout: layout, progress: progress)
        } catch {
            var error = error
            if error.location.file == nil { error.location.file = reader.path }
            throw error
        }
    }

    package static func load(
        _ source: Source, layout: StoreLayout, progress: ((StoreProgress) -> Void)? = nil
    ) throws(BanyanError) -> Version {
        let loader = GraphLoader(layout)
        let plan = try SnapshotPlan(source, layout)
        let total = source.frames.reduce(0) { $0 + $1.bytes }
        try loadPages(source, plan, loader) { done in
            let bytes = plan.chunks.prefix(done).reduce(0) { $0 + source.frames[$1].bytes }
            progress?(StoreProgress(done: min(bytes, total), total: total))
        }
        try derive(layout, loader)
        progress?(StoreProgress(done: total, total: total))
        return loader.finish(sequence: source.sequence, time: source.time)
    }

    // MARK: - Pages

    /// What a chunk gave.
    private struct Chunk: @unchecked Sendable {
        // Sound: its pages belong to the loader, and the thread that reads this waits for the one that wrote them.
        var table: Int
        var first: Int
        var pages: [UnsafeMutableRawPointer]
        var apart: [ChunkDecoder.Apart]
    }

    private static func loadPages(
        _ source: Source, _ plan: SnapshotPlan, _ loader: GraphLoader, progress: @escaping (Int) -> Void
    ) throws(BanyanError) {
        let results = ParallelJobs.Results<Chunk>(count: plan.chunks.count)
        try ParallelJobs.run(plan.chunks.count, progress: progress) { job throws(BanyanError) in
            let frame = plan.chunks[job]
            let table = Int(source.frames[frame].table)
            let chunk = try loader.withMemory { memory throws(BanyanError) in
                try source.decode(frame, at: loader.layout.tables[table].location()) { reader throws(PayloadFault) in
                    let decoder = ChunkDecoder(loader, loader.layout.tables[table], memory)
                    try decoder.decode(&reader, rows: source.frames[frame].rows)
                    return Chunk(table: table, first: decoder.first, pages: decoder.pages, apart: decoder.apart)
                }
            }
            results.set(job, chunk)
        }
        var pages = [[UnsafeMutableRawPointer]](repeating: [], count: loader.layout.tables.count)
        var apart: [PartKey: ChunkDecoder.Apart] = [:]
        for chunk in results.take() {
            guard chunk.first == pages[chunk.table].count else {
                throw damaged("pages of '\(loader.layout.tables[chunk.table].type.name)' are missing or out of order")
            }
            pages[chunk.table] += chunk.pages
            for value in chunk.apart {
                apart[PartKey(table: chunk.table, column: value.column, slot: value.slot)] = value
            }
        }
        try loadParts(source, plan, loader, apart)
        for (table, expected) in plan.tables.enumerated() {
            guard pages[table].count == expected.pages else {
                throw damaged(
                    "'\(loader.layout.tables[table].type.name)' has \(pages[table].count) pages instead of \(expected.pages)"
                )
            }
            try loader.install(table, pages[table])
            guard loader.view.count(table) == expected.objects else {
                throw damaged(
                    "'\(loader.layout.tables[table].type.name)' has \(loader.view.count(table)) objects instead of \(expected.objects)"
                )
            }
        }
    }

    private struct PartKey: Hashable {
        var table: Int
        var column: Int
        var slot: Int
    }

    /// What stands apart, one value after the other; the pieces of one follow each other.
    private static func loadParts(
        _ source: Source, _ plan: SnapshotPlan, _ loader: GraphLoader, _ apart: [PartKey: ChunkDecoder.Apart]
    ) throws(BanyanError) {
        var apart = apart
        try loader.withMemory { memory throws(BanyanError) in
            var open: (key: PartKey, decoder: PartDecoder)?
            for frame in plan.parts {
                let table = loader.layout.tables[Int(source.frames[frame].table)]
                try source.decode(frame, at: table.location()) { reader throws(PayloadFault) in
                    let head = try PartDecoder.Head(&reader, table)
                    let key = PartKey(table: table.table, column: head.column, slot: head.slot)
                    if open == nil {
                        guard let place = apart.removeValue(forKey: key) else {
                            throw PayloadFault("a part belongs to no value that stands apart")
                        }
                        open = (key, PartDecoder(table, place, memory))
                    }
                    guard var current = open, current.key == key else {
                        throw PayloadFault("a part is missing before it")
                    }
                    open = nil
                    try current.decoder.add(head, &reader)
                    try reader.finish()
                    if !current.decoder.isComplete { open = current }
                }
            }
            if let key = open?.key ?? apart.keys.first {
                let table = loader.layout.tables[key.table]
                throw BanyanError(
                    .damaged, "a large value is missing",
                    at: table.location(key.column, object: "\(key.table):\(key.slot)"))
            }
        }
    }

    static func damaged(_ message: String) -> BanyanError { BanyanError(.damaged, message) }

    // MARK: - What is derived

    private enum Build: Sendable {
        case nesting(table: Int, column: Int)
        case links(table: Int, column: Int)
        case key(table: Int)
        case index(table: Int, place: Int)
    }

    private static func derive(_ layout: StoreLayout, _ loader: GraphLoader) throws(BanyanError) {
        // The largest tables first, so that the last build is a small one.
        let order = layout.tables.sorted { loader.view.count($0.table) > loader.view.count($1.table) }
        var builds: [Build] = []
        for table in order {
            if table.keyColumn != nil { builds.append(.key(table: table.table)) }
            builds += table.linkColumns.map { .links(table: table.table, column: $0) }
            builds += table.indexes.indices.map { .index(table: table.table, place: $0) }
        }
        // Links are followed through nested lists and dictionaries, once those are known to be sound.
        let nesting = order.flatMap { table in
            table.linkColumns.filter { table.columns[$0].kind == .any }.map {
                Build.nesting(table: table.table, column: $0)
            }
        }
        if !nesting.isEmpty { try run(nesting, loader) }
        try loader.checkNesting()
        try run(builds, loader)
        for table in layout.tables { try loader.checkOwners(table.table) }
    }

    private static func run(_ jobs: [Build], _ loader: GraphLoader) throws(BanyanError) {
        try ParallelJobs.run(jobs.count) { job throws(BanyanError) in
            try loader.withMemory { memory throws(BanyanError) in
                switch jobs[job] {
                case .nesting(let table, let column): try loader.linkNested(table, column, memory)
                case .links(let table, let column): try loader.linkBack(table, column, memory)
                case .key(let table): try loader.buildKeyIndex(table, memory)
                case .index(let table, let place): try loader.buildIndex(table, at: place, memory)
                }
            }
        }
    }
}
