package import BanyanCore

/// A version as the frames of a snapshot, and back.
///
/// A snapshot holds what cannot be derived: which slots hold an object, the generations of all slots (so that the id of a
/// deleted object never finds its successor), and the properties' values. Inverse links and indexes are built anew when it is
/// loaded, in passes over whole columns.
///
/// - The first frame counts pages and objects by table.
/// - Then come the *chunks*, about a megabyte each: the pages from one number to another of one table, column by column, each
///   column as one run of the values that are there: integers and links less their minimum in as many bytes as the largest
///   needs, texts as lengths and bytes, collections as counts and elements, nils and Bools as the pages' own bitmaps.
/// - What would make a chunk too large stands apart, in *parts* after the chunks of its table: a long text, or a piece of a
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

    /// Raw bytes of a chunk, roughly.
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

    /// Where frames go: `SnapshotWriter.append`, or a test.
    package typealias Sink = (_ kind: UInt8, _ table: UInt32, _ rows: UInt64, _ payload: [UInt8]) throws -> Void

    /// Writes every object of a version. O(bytes); holds a few megabytes besides.
    package static func write(
        version: Version, progress: ((StoreProgress) -> Void)? = nil, to sink: Sink
    ) throws {
        let view = version.view
        var summary = PayloadWriter()
        summary.put(byte: form)
        summary.put(count: view.layout.tables.count)
        var total: UInt64 = 0
        for table in view.layout.tables {
            summary.put(count: view.pageCount(table.table))
            summary.put(count: view.count(table.table))
            total += UInt64(view.count(table.table))
        }
        try sink(FrameKind.summary, 0, 0, summary.bytes)
        var done: UInt64 = 0
        for table in view.layout.tables {
            let encoder = SnapshotTableEncoder(view, table)
            try encoder.encodeAll { kind, rows, payload in
                try sink(kind, UInt32(table.table), rows, payload)
                done += rows
                progress?(StoreProgress(done: done, total: total))
            }
        }
    }
}
