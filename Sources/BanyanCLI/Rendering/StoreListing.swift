import BanyanCore
import BanyanPersistence

extension JSONText {
    mutating func snapshot(_ snapshot: SnapshotListing) {
        object { json in
            json.member("name", snapshot.name)
            json.member("sequence", snapshot.sequence)
            json.member("time", time: snapshot.time)
            json.member("bytes", snapshot.length)
            json.member("rootHash", HexText.of(snapshot.rootHash))
        }
    }

    /// `lastSequence` is null while the segment is open, and times are when they were not read.
    mutating func segment(_ segment: StoreInspection.Segment, _ times: SegmentTimes? = nil) {
        object { json in
            json.member("name", segment.name)
            json.member("firstSequence", segment.firstSequence)
            json.member("lastSequence", segment.lastSequence ?? times?.last?.sequence)
            if let times {
                json.member("firstTime", time: times.first?.time)
                json.member("lastTime", time: times.last?.time)
            }
            json.member("bytes", segment.length)
            json.member("epoch", segment.epoch)
            json.member("sealed", segment.sealed)
        }
    }
}

/// A snapshot as a manifest lists it, or as it lies alone.
struct SnapshotListing {
    var name: String
    var sequence: UInt64
    var time: Int64
    var length: UInt64
    var rootHash: UInt64

    init(_ listed: StoreInspection.Snapshot) {
        name = listed.name
        sequence = listed.sequence
        time = listed.time
        length = listed.length
        rootHash = listed.rootHash
    }

    init(_ reader: SnapshotReader) {
        name = DiskPath.split(reader.path).name
        sequence = reader.header.sequence
        time = reader.header.time
        length = reader.length
        rootHash = reader.rootHash
    }
}

/// The first and the last commit of a segment.
struct SegmentTimes {
    var first: CommitPoint?
    var last: CommitPoint?

    /// Of each segment, by file name, from one pass over the journal. O(bytes of the journal).
    static func read(
        _ store: StoreInspection, progress: ProgressLine
    ) throws -> (times: [String: SegmentTimes], report: RecoveryReport) {
        var result: [String: SegmentTimes] = [:]
        let report = try store.commits(
            after: (store.segments.first?.firstSequence ?? 1) - 1,
            progress: { progress.show("Reading journal", $0.done, $0.total) }
        ) { located, _ in
            let point = CommitPoint(sequence: located.sequence, time: located.time)
            let name = DiskPath.split(located.file).name
            if result[name, default: SegmentTimes()].first == nil {
                result[name, default: SegmentTimes()].first = point
            }
            result[name, default: SegmentTimes()].last = point
            return true
        }
        progress.clear()
        return (result, report)
    }
}

/// How many objects of each type a snapshot holds, by its table of contents alone.
struct SnapshotCounts {
    let byTable: [UInt64]
    /// Objects of all types that somebody declared.
    let total: UInt64

    init(_ reader: SnapshotReader, _ schema: Schema) {
        var counts = [UInt64](repeating: 0, count: schema.types.count)
        for frame in reader.frames where frame.kind == SnapshotCodec.FrameKind.chunk {
            guard let table = Int(exactly: frame.table), counts.indices.contains(table) else { continue }
            counts[table] &+= frame.rows
        }
        byTable = counts
        total = zip(schema.types, counts).reduce(0) { $1.0.isInternal ? $0 : $0 &+ $1.1 }
    }
}

enum HexText {
    /// 16 digits, as messages about hashes have them.
    static func of(_ hash: UInt64) -> String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// Names and values in two columns.
struct FactList {
    private var facts: [(name: String, value: String)] = []

    mutating func add(_ name: String, _ value: String) { facts.append((Shown.plain(name), value)) }

    func write(to output: StandardOutput) throws {
        let width = facts.reduce(0) { max($0, $1.name.count) } + 2
        for fact in facts { try output.line(fact.name.padded(to: width) + fact.value) }
    }
}
