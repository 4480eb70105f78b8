/// What a verification read, and everything it found wrong.
package struct VerifyReport: Sendable, Hashable {
    package enum Severity: String, Sendable, Hashable {
        /// An interrupted write at the journal's end: the next opening cuts it off, and loses nothing that was promised.
        case torn
        /// Content that is not what was written.
        case damaged
        /// A file of another store.
        case foreign
        /// Written by a newer version.
        case unsupported
        /// Left over from an interrupted step; the next opening removes it.
        case stray
    }

    package struct Finding: Sendable, Hashable {
        package var severity: Severity
        package var file: String
        package var offset: UInt64?
        package var message: String
        /// The hashes that should have been the same.
        package var expectedHash: UInt64?
        package var actualHash: UInt64?
        /// The last commit before it that can be believed.
        package var lastGoodSequence: UInt64?
        /// How many sound records of the same file stand behind it and could not be reached.
        package var framesAtStake: UInt64?
    }

    package var findings: [Finding] = []
    package var storeID: StoreID?
    package var snapshots = 0
    package var segments = 0
    package var records: UInt64 = 0
    package var bytes: UInt64 = 0
    package var lastSequence: UInt64 = 0
    package var lastTime: Int64?
    /// A process had the store open, so the end of the journal was not checked.
    package var wasInUse = false

    /// Nothing is wrong that opening the store would not mend by itself.
    package var isSound: Bool { findings.allSatisfy { $0.severity == .torn || $0.severity == .stray } }
    package var hasTornTail: Bool { findings.contains { $0.severity == .torn } }
}
