import BanyanCore
import BanyanPersistence
import BanyanTesting

/// What a test has handed to a store and what it was promised, to be compared with what comes back.
final class Ledger {
    private(set) var appended: UInt64 = 0
    /// The last commit that was reported as done.
    private(set) var acknowledged: UInt64 = 0
    /// Whether any commit was acknowledged after a failure was seen.
    private(set) var lies = 0
    private(set) var failure: (any Error)?

    /// Every payload follows from its sequence, so that any prefix can be checked.
    static func payload(_ sequence: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: sequence)
        let size = [0, 1, 17, 40, 200, 700, 1800][Int.random(in: 0..<7, using: &random)]
        // Half of them compress.
        if Bool.random(using: &random) { return (0..<size).map { UInt8(truncatingIfNeeded: $0 / 16) } }
        return random.bytes(size)
    }

    /// The state after a commit, as a snapshot of it holds it: nothing but the sequence, in three frames.
    static func frames(_ sequence: UInt64) -> [[UInt8]] {
        [Array("state \(sequence)".utf8), [], [UInt8](repeating: UInt8(truncatingIfNeeded: sequence), count: 1500)]
    }

    static let schema = Array("the schema of the test".utf8)

    func restart(at sequence: UInt64) {
        appended = sequence
        acknowledged = sequence
        failure = nil
    }

    /// Appends some commits and waits for the last. When it is refused before, none was made.
    func commit(_ count: Int = 1, to files: StoreFiles) throws {
        try files.checkWritable()
        for _ in 0..<count {
            appended += 1
            files.append(Self.payload(appended), sequence: appended, time: Int64(appended) * 1_000)
        }
        do {
            try files.flush(through: appended)
        } catch {
            failure = failure ?? error
            throw error
        }
        if failure != nil { lies += 1 }
        acknowledged = appended
    }

    func checkpoint(_ files: StoreFiles, at sequence: UInt64? = nil) throws {
        let sequence = sequence ?? appended
        try files.checkpoint(sequence: sequence, time: Int64(sequence) * 1_000, schema: Self.schema) { writer in
            for frame in Self.frames(sequence) { try writer.append(kind: 1, table: 0, rows: 1, payload: frame) }
        }
    }
}

/// What a store holds, read back and compared with what the sequence says it must be.
struct Recovered {
    var files: StoreFiles
    var report: RecoveryReport

    init(
        at path: String = "/store", on disk: any Disk, options: StoreFiles.Options = .init(),
        mode: StoreFiles.Mode = .readWrite(createIfMissing: true)
    ) throws {
        files = try StoreFiles.open(at: path, on: disk, options: options, mode: mode, schema: Ledger.schema)
        var last: UInt64 = 0
        report = try files.replay(loading: { snapshot in
            let sequence = snapshot.header.sequence
            let found = try snapshot.frames.indices.map { try snapshot.read($0) }
            guard found == Ledger.frames(sequence), snapshot.header.schema == Ledger.schema else {
                throw Mismatch("snapshot \(sequence) holds something else")
            }
            last = sequence
        }) { record, schema in
            guard record.sequence == last + 1 else { throw Mismatch("\(record.sequence) after \(last)") }
            last = record.sequence
            guard record.payload == Ledger.payload(last), record.time == Int64(last) * 1_000, schema == Ledger.schema
            else { throw Mismatch("commit \(last) holds something else") }
        }
        guard report.lastSequence == last else { throw Mismatch("reports \(report.lastSequence), gave \(last)") }
    }
}

struct Mismatch: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
