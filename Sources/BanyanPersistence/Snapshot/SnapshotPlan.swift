import BanyanCore

/// Which frames a snapshot has, and what its summary promises.
struct SnapshotPlan: Sendable {
    struct Table: Sendable {
        var pages: Int
        var objects: Int
    }

    var tables: [Table] = []
    /// Frame numbers.
    var chunks: [Int] = []
    var parts: [Int] = []

    init(_ source: SnapshotLoader.Source, _ layout: StoreLayout) throws(BanyanError) {
        guard source.frames.first?.kind == SnapshotCodec.FrameKind.summary else {
            throw SnapshotLoader.damaged("the snapshot does not begin with a summary")
        }
        for (index, frame) in source.frames.enumerated().dropFirst() {
            guard frame.table < layout.tables.count else {
                throw SnapshotLoader.damaged("frame \(index) is of a type the schema does not have")
            }
            switch frame.kind {
            case SnapshotCodec.FrameKind.chunk: chunks.append(index)
            case SnapshotCodec.FrameKind.part: parts.append(index)
            default: throw SnapshotLoader.damaged("frame \(index) is of the unknown kind \(frame.kind)")
            }
        }
        tables = try source.decode(0) { reader throws(PayloadFault) in
            guard try reader.count(ofItemsOf: 2) == layout.tables.count else {
                throw PayloadFault("the number of types is wrong")
            }
            var tables: [Table] = []
            for _ in layout.tables {
                let pages = try reader.number(below: 1 << 26 + 1, "the number of pages")
                let objects = try reader.number(below: pages * Page.slots + 1, "the number of objects")
                tables.append(Table(pages: pages, objects: objects))
            }
            try reader.finish()
            return tables
        }
    }
}
