/// A snapshot that exists and was verified.
package struct SnapshotInfo: Sendable, Hashable {
    package var name: String
    package var sequence: UInt64
    package var time: Int64
    package var length: UInt64
    package var rootHash: UInt64
    /// Files that count no more but could not be removed yet; they go when the store is next opened.
    package var unremoved: [String] = []
}
