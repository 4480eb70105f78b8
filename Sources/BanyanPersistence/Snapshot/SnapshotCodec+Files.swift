package import BanyanCore
import Synchronization

extension SnapshotCodec {
    /// Writes every object of a version into a snapshot file, encoding and compressing on all cores. O(bytes); holds a few
    /// megabytes besides. See `StoreFiles.checkpoint` and `writeSnapshotFile`.
    package static func write(
        version: Version, to writer: SnapshotWriter, progress: ((StoreProgress) -> Void)? = nil
    ) throws {
        try writer.append(kind: FrameKind.summary, table: 0, rows: 0, payload: summary(version))
        var progress = Progress(version, progress)
        let apart = ValuesApart()
        let rooms = Pool<SnapshotTableEncoder.Room>()
        for table in version.view.layout.tables {
            let source = SnapshotTable(version, table)
            for run in source.runs {
                progress.add(try writer.append(weight: chunkBytes, Self.job(source, run, rooms, apart)))
            }
        }
        // What stands apart is known when all chunks are made.
        progress.add(try writer.drain())
        for (source, value) in apart.all {
            let rows = try writer.append(weight: 2 * partBytes) { maker in
                try Self.encode(source, rooms, &maker) { encoder, emit in try encoder.encodeParts(value, emit) }
                return nil
            }
            progress.add(rows)
        }
        progress.add(try writer.drain())
    }

    /// Encodes the first chunk of a run; where that is not all of it, the rest is another job.
    private static func job(
        _ source: SnapshotTable, _ run: Range<Int>, _ rooms: Pool<SnapshotTableEncoder.Room>, _ apart: ValuesApart
    ) -> FramePipeline.Work {
        { maker in
            let chunk = source.chunk(of: run)
            try encode(source, rooms, &maker) { encoder, emit in
                apart.add(try encoder.encodeChunk(chunk, emit), of: source, page: chunk.lowerBound)
            }
            guard chunk.upperBound < run.upperBound else { return nil }
            return FramePipeline.Rest(work: job(source, chunk.upperBound..<run.upperBound, rooms, apart))
        }
    }

    private static func encode(
        _ source: SnapshotTable, _ rooms: Pool<SnapshotTableEncoder.Room>, _ maker: inout FramePipeline.Maker,
        _ body: (SnapshotTableEncoder, SnapshotTableEncoder.Emit) throws -> Void
    ) throws {
        let room = rooms.take() ?? SnapshotTableEncoder.Room()
        defer { rooms.give(room) }
        try body(SnapshotTableEncoder(source, room)) { kind, rows, payload in
            try maker.add(kind: kind, table: UInt32(source.table.table), rows: rows, payload)
        }
    }

    /// Values that stand apart, by the chunk they belong to.
    private final class ValuesApart: Sendable {
        private struct Chunk {
            var source: SnapshotTable
            var page: Int
            var values: [SnapshotTableEncoder.Apart]
        }
        private let chunks = Mutex<[Chunk]>([])

        func add(_ values: [SnapshotTableEncoder.Apart], of source: SnapshotTable, page: Int) {
            guard !values.isEmpty else { return }
            chunks.withLock { $0.append(Chunk(source: source, page: page, values: values)) }
        }

        /// In the order of the chunks.
        var all: [(SnapshotTable, SnapshotTableEncoder.Apart)] {
            chunks.withLock { $0 }.sorted { ($0.source.table.table, $0.page) < ($1.source.table.table, $1.page) }
                .flatMap { chunk in chunk.values.map { (chunk.source, $0) } }
        }
    }
}
