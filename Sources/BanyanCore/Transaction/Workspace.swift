/// Where one isolation domain stands: at a version, or inside a transaction.
///
/// Live handles cache the page they last read from. Two words tell them whether the cache holds: the *stamp*, which changes
/// whenever a page may have moved, and the *serial* of the open transaction, which a page must carry to be written in place.
/// Unmanaged objects point at two zeros instead, match them for ever, and are read and written by the same instructions.
package final class Workspace {
    /// The stamp, then the serial of the open transaction (`noTransaction` outside one).
    package let stamps: UnsafeMutablePointer<UInt64>
    @exclusivity(unchecked) package private(set) var version: Version
    @exclusivity(unchecked) package private(set) var transaction: Transaction?
    package let layout: StoreLayout

    @usableFromInline package static let noTransaction = UInt64.max

    package init(_ version: Version) {
        self.version = version
        layout = version.lineage.layout
        stamps = .allocate(capacity: 2)
        stamps[0] = 1
        stamps[1] = Self.noTransaction
    }

    deinit {
        transaction?.rollback()
        stamps.deallocate()
    }

    package var view: GraphView { transaction?.view ?? version.view }

    /// Stands at another version from now on. Not inside a transaction.
    package func move(to newer: Version) {
        guard newer !== version else { return }
        version = newer
        stamps[0] &+= 1
    }

    /// Opens a transaction on the version it stands at. The caller holds the write gate.
    package func begin() -> Transaction {
        let transaction = Transaction(base: version, stamp: stamps)
        self.transaction = transaction
        stamps[1] = transaction.serial
        return transaction
    }

    /// Ends the open transaction with a new version and stands there: the pages handles have cached are that version's.
    package func commit(sequence: UInt64, time: Int64) -> Version? {
        guard let transaction else { return nil }
        self.transaction = nil
        stamps[1] = Self.noTransaction
        let next = transaction.commit(sequence: sequence, time: time)
        version = next
        return next
    }

    /// Ends the open transaction as if it had never been.
    package func rollback() {
        guard let transaction else { return }
        self.transaction = nil
        stamps[1] = Self.noTransaction
        transaction.rollback()
    }

    /// A number that is different whenever something was changed since it was last asked for. Inside a transaction, asking
    /// makes the next store of each handle take the slow way once, where it is counted.
    package func changeStamp() -> UInt64 {
        guard let transaction else { return stamps[0] }
        stamps[1] = Self.noTransaction
        return 1 << 63 | (stamps[0] &<< 32) ^ transaction.changeCount
    }

    /// Lets stores of handles go straight into the pages of the open transaction (again).
    package func allowDirectStores() {
        if let transaction { stamps[1] = transaction.serial }
    }

    /// The page of an object, or nil when it is not there.
    package func locate(_ id: ObjectID) -> UnsafeRawPointer? {
        let root = transaction.map { UnsafeRawPointer($0.root) } ?? version.view.root
        guard let page = TableHeader.page(TableHeader.of(root, Int(id.table)), slot: Int(id.slot)) else { return nil }
        let slot = Int(id.slot) & Page.slotMask
        guard Page.present(page) &>> UInt64(slot) & 1 != 0, Page.generation(page, slot) == id.generation else {
            return nil
        }
        return page
    }
}
