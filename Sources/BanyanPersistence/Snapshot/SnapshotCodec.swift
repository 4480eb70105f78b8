package import BanyanCore

/// A version as the frames of a snapshot, and back.
///
/// A snapshot holds what cannot be derived: which slots hold an object, the generations of all slots (so that the id of a
/// deleted object never finds its successor), and the properties' values. Inverse links and indexes are built anew when it is
/// loaded, in passes over whole columns.
///
/// - The first frame counts pages and objects by table.
/// - Then come the *chunks*, half a megabyte each, more or less: the pages from one number to another of one table, column by column, each
///   column as one run of the values that are there: integers and links less their minimum in as many bytes as the largest
///   needs, texts as lengths and bytes, collections as counts and elements, nils and Bools as the pages' own bitmaps.
/// - What would make a chunk too large stands apart, in *parts* after all chunks: a long text, or a piece of a
///   large collection.
///
/// Chunks are independent of one another: any core may decode any of them. FileFormat-Payloads.md has it byte by byte.
package enum SnapshotCodec {
    static let form: UInt8 = 1

    /// Tags of frames.
    package enum FrameKind {
        package static let summary: UInt8 = 1
        package static let chunk: UInt8 = 2
        package static let part: UInt8 = 3
    }

    /// Bytes in memory of what a chunk holds; packed they are about half as many.
    static let chunkBytes = 1 << 20
    /// Raw bytes of a part of a collection, roughly.
    static let partBytes = 1 << 20

    /// Raw bytes from which on one property of one object stands apart. A page of the widest type stays far below the limit
    /// of a frame.
    static func apartBytes(_ table: TableLayout) -> Int { max(256, (64 << 10) * 64 / max(64, table.columns.count)) }

    /// How a bitmap of the pages stands in a chunk.
    enum Bitmap {
        static let none: UInt8 = 0
        /// All slots that hold an object.
        static let all: UInt8 = 1
        static let words: UInt8 = 2
    }

    /// Where frames go.
    package typealias Sink = (_ kind: UInt8, _ table: UInt32, _ rows: UInt64, _ payload: [UInt8]) throws -> Void

    /// Gives every object of a version to `sink`, frame by frame on this thread. O(bytes). `write(version:to:progress:)`
    /// does it on all cores.
    package static func write(
        version: Version, progress: ((StoreProgress) -> Void)? = nil, to sink: @escaping Sink
    ) throws {
        try sink(FrameKind.summary, 0, 0, summary(version))
        var progress = Progress(version, progress)
        let room = SnapshotTableEncoder.Room()
        var apart: [(SnapshotTable, SnapshotTableEncoder.Apart)] = []
        func emit(_ table: TableLayout) -> SnapshotTableEncoder.Emit {
            { kind, rows, payload in
                try sink(kind, UInt32(table.table), rows, Array(payload))
                progress.add(rows)
            }
        }
        for table in version.view.layout.tables {
            let source = SnapshotTable(version, table)
            let encoder = SnapshotTableEncoder(source, room)
            for run in source.runs {
                var rest = run
                while !rest.isEmpty {
                    let chunk = source.chunk(of: rest)
                    apart += try encoder.encodeChunk(chunk, emit(table)).map { (source, $0) }
                    rest = chunk.upperBound..<run.upperBound
                }
            }
        }
        for (source, value) in apart {
            try SnapshotTableEncoder(source, room).encodeParts(value, emit(source.table))
        }
    }

    /// The first frame's payload.
    static func summary(_ version: Version) -> [UInt8] {
        let view = version.view
        var out = PayloadWriter()
        out.put(byte: form)
        out.put(count: view.layout.tables.count)
        for table in view.layout.tables {
            out.put(count: view.pageCount(table.table))
            out.put(count: view.count(table.table))
        }
        return out.bytes
    }

    /// Counts objects written.
    struct Progress {
        private var done: UInt64 = 0
        private let total: UInt64
        private let tell: ((StoreProgress) -> Void)?

        init(_ version: Version, _ tell: ((StoreProgress) -> Void)?) {
            total = version.view.layout.tables.reduce(0) { $0 + UInt64(version.view.count($1.table)) }
            self.tell = tell
        }

        mutating func add(_ rows: UInt64) {
            done += rows
            tell?(StoreProgress(done: done, total: total))
        }
    }
}
