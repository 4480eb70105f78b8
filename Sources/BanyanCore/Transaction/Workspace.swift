/// Where one isolation domain stands: at a version, or inside a transaction. What handles need to know of it is repeated in
/// plain words, in `standing`.
package final class Workspace {
    package let standing: UnsafeMutablePointer<Standing>
    // Computed for others: in another module the attribute would be forgotten, and each access checked.
    @exclusivity(unchecked) private var version_: Version
    @exclusivity(unchecked) private var transaction_: Transaction?
    package private(set) var version: Version {
        get { version_ }
        set { version_ = newValue }
    }
    package private(set) var transaction: Transaction? {
        get { transaction_ }
        set { transaction_ = newValue }
    }
    package let layout: StoreLayout

    package init(_ version: Version) {
        version_ = version
        layout = version.lineage.layout
        standing = .allocate(capacity: 1)
        standing.initialize(
            to: Standing(stamp: 1, serial: Standing.noTransaction, root: version.view.root))
    }

    deinit {
        transaction?.rollback()
        standing.deallocate()
    }

    @inline(__always)
    package var view: GraphView { GraphView(root: standing.pointee.root, layout: layout) }

    @inline(__always)
    package var stamp: UInt64 { standing.pointee.stamp }

    /// Stands at another version from now on. Not inside a transaction.
    package func move(to newer: Version) {
        guard newer !== version else { return }
        version = newer
        standing.pointee.root = newer.view.root
        standing.pointee.stamp &+= 1
    }

    /// Whether this is the transaction that is open.
    package func isOpen(_ transaction: Transaction) -> Bool { transaction_ === transaction }

    /// Opens a transaction on the version it stands at. The caller holds the write gate.
    @discardableResult
    package func begin() -> Transaction {
        let transaction = Transaction(base: version, standing: standing)
        self.transaction = transaction
        standing.pointee.serial = transaction.serial
        return transaction
    }

    /// Ends the open transaction with a new version and stands there: the pages handles have cached are that version's.
    package func commit(sequence: UInt64, time: Int64) -> Version? {
        guard let transaction else { return nil }
        self.transaction = nil
        standing.pointee.serial = Standing.noTransaction
        let next = transaction.commit(sequence: sequence, time: time)
        version = next
        return next
    }

    /// Ends the open transaction as if it had never been.
    package func rollback() {
        guard let transaction else { return }
        self.transaction = nil
        standing.pointee.serial = Standing.noTransaction
        transaction.rollback()
    }

    /// A number that is different whenever something was changed since it was last asked for. Inside a transaction, asking
    /// makes the next store of each handle take the slow way once, where it is counted.
    package func changeStamp() -> UInt64 {
        guard let transaction else { return stamp }
        standing.pointee.serial = Standing.noTransaction
        return 1 << 63 | (stamp &<< 32) ^ transaction.changeCount
    }

    /// Lets stores of handles go straight into the pages of the open transaction (again).
    package func allowDirectStores() {
        if let transaction { standing.pointee.serial = transaction.serial }
    }

    /// The page of an object, or nil when it is not there.
    @inline(__always)
    package func locate(_ id: ObjectID) -> UnsafeRawPointer? { Standing.locate(standing, id) }
}

extension Standing {
    /// The page of an object, or nil when it is not there.
    @inlinable
    package static func locate(_ standing: UnsafePointer<Standing>, _ id: ObjectID) -> UnsafeRawPointer? {
        let header = TableHeader.of(standing.pointee.root, Int(id.table))
        guard let page = TableHeader.page(header, slot: Int(id.slot)) else { return nil }
        let slot = Int(id.slot) & Page.slotMask
        guard Page.present(page) &>> UInt64(truncatingIfNeeded: slot) & 1 != 0,
            Page.generation(page, slot) == id.generation
        else { return nil }
        return page
    }

    @inlinable
    package static func locate(_ standing: UnsafeMutablePointer<Standing>, _ id: ObjectID) -> UnsafeRawPointer? {
        locate(UnsafePointer(standing), id)
    }
}
