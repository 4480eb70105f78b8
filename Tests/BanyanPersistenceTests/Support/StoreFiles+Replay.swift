import BanyanCore
@testable import BanyanPersistence

extension StoreFiles {
    /// Recovers a store whose snapshots and records are not those of a graph.
    @discardableResult
    func replay(
        loading load: (SnapshotReader) throws -> Void = { _ in },
        _ apply: (_ record: JournalRecord, _ segmentSchema: [UInt8]) throws -> Void
    ) throws -> RecoveryReport {
        let listed = try recoverableFiles()
        let start = try listed.start(load: load)
        let read = try listed.records(after: start) { located in
            try apply(located.record, located.schema)
            return true
        }
        return try endRecovery(read)
    }
}
