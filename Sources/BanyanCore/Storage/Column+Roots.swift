/// The words of collections and inverse links: where the trees of an object begin.
///
/// Most words of most such columns are 0, and for whole pages: nobody has friends yet. So a column of collections, or of who
/// holds an object in theirs, stands *apart*: in the page there is the address of a node with a word for each slot (its birth,
/// then 8 bytes a slot), and not even that node before the first word is set. The node belongs to the page as the trees do:
/// copies of the page share it until one of them changes it. Links to one object and their inverses stand in the page itself,
/// for those are followed more often than the rest, and few of them are empty.
extension Column {
    /// The flag of such a column.
    @usableFromInline package static var apart: UInt32 { 8 }

    @inlinable package var isApart: Bool { flags & Self.apart != 0 }

    static var rootsSize: Int { 8 + Page.slots * 8 }

    /// The node of a column that stands apart; nil where every word is 0.
    @inlinable
    @inline(__always)
    package func rootsNode(_ page: UnsafeRawPointer) -> UnsafeRawPointer? {
        isApart ? page.load(fromByteOffset: Int(valueOffset), as: UnsafeRawPointer?.self) : nil
    }

    /// The word of a slot.
    @inlinable
    @inline(__always)
    package func root(_ page: UnsafeRawPointer, _ slot: Int) -> UInt64 {
        guard isApart else { return word(page, slot) }
        return rootsNode(page)?.load(fromByteOffset: 8 &+ slot &* 8, as: UInt64.self) ?? 0
    }

    /// Sets the word of a slot in a page of the transaction. O(1).
    @inline(__always)
    func setRoot(_ page: UnsafeMutableRawPointer, _ slot: Int, _ root: UInt64, _ memory: TransactionMemory) {
        if isApart { setApart(page, slot, root, memory) } else { setWord(page, slot, root) }
    }

    private func setApart(
        _ page: UnsafeMutableRawPointer, _ slot: Int, _ root: UInt64, _ memory: TransactionMemory
    ) {
        guard self.root(page, slot) != root else { return }
        let node = rootsNode(page).map { memory.writable($0, size: Self.rootsSize) } ?? makeRoots(memory)
        node.storeBytes(of: root, toByteOffset: 8 + slot * 8, as: UInt64.self)
        page.storeBytes(of: node, toByteOffset: Int(valueOffset), as: UnsafeMutableRawPointer.self)
    }

    /// Sets the word of a slot in a page that nobody else can see yet, whoever made its node.
    package func initializeRoot(
        _ page: UnsafeMutableRawPointer, _ slot: Int, _ root: UInt64, _ memory: TransactionMemory
    ) {
        guard isApart else { return setWord(page, slot, root) }
        let node = rootsNode(page).map { UnsafeMutableRawPointer(mutating: $0) } ?? makeRoots(memory)
        node.storeBytes(of: root, toByteOffset: 8 + slot * 8, as: UInt64.self)
        page.storeBytes(of: node, toByteOffset: Int(valueOffset), as: UnsafeMutableRawPointer.self)
    }

    private func makeRoots(_ memory: TransactionMemory) -> UnsafeMutableRawPointer {
        let node = memory.allocate(Self.rootsSize)
        (node + 8).initializeMemory(as: UInt64.self, repeating: 0, count: Page.slots)
        return node
    }
}
