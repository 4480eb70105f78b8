/// The store, and the commit in it, that a restored store began as.
package struct StoreParent: Sendable, Hashable {
    package var storeID: StoreID
    package var sequence: UInt64

    package init(storeID: StoreID, sequence: UInt64) {
        self.storeID = storeID
        self.sequence = sequence
    }
}
