/// One commit as the journal stores it. The journal does not look inside `payload`.
package struct JournalRecord: Sendable, Hashable {
    package static let commitKind: UInt8 = 1

    package var kind: UInt8
    /// One more than the sequence of the record before it.
    package var sequence: UInt64
    /// Wall-clock time of the commit in nanoseconds since 1970.
    package var time: Int64
    package var payload: [UInt8]

    package init(kind: UInt8 = JournalRecord.commitKind, sequence: UInt64, time: Int64, payload: [UInt8]) {
        self.kind = kind
        self.sequence = sequence
        self.time = time
        self.payload = payload
    }
}
