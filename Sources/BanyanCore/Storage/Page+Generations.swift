/// How often each slot of a page has been used: its *generation*, which tells an object from those that had its slot before.
///
/// In most pages no slot was ever used twice. So the header has one generation for all of them, beside the address of a node
/// that has one for each slot, once they differ: its birth, then 4 bytes a slot. The node belongs to the page as the roots of
/// collections do: copies of the page share it until one of them changes it.
extension Page {
    /// The generation of every slot, where there is no node.
    @inlinable static var commonGeneration: Int { 52 }
    /// The node's address, or 0.
    @inlinable static var generations: Int { 56 }

    static var generationsSize: Int { 8 + slots * 4 }

    @inlinable
    @inline(__always)
    package static func generation(_ page: UnsafeRawPointer, _ slot: Int) -> UInt32 {
        guard let node = generationsNode(page) else {
            return page.load(fromByteOffset: commonGeneration, as: UInt32.self)
        }
        return node.load(fromByteOffset: 8 &+ slot &* 4, as: UInt32.self)
    }

    @inlinable
    @inline(__always)
    package static func generationsNode(_ page: UnsafeRawPointer) -> UnsafeRawPointer? {
        page.load(fromByteOffset: generations, as: UnsafeRawPointer?.self)
    }

    /// Sets the generation of a slot in a page of the transaction. O(1).
    static func setGeneration(
        _ page: UnsafeMutableRawPointer, _ slot: Int, _ generation: UInt32, _ memory: TransactionMemory
    ) {
        guard Page.generation(page, slot) != generation else { return }
        let node: UnsafeMutableRawPointer
        if let old = generationsNode(page) {
            node = memory.writable(old, size: generationsSize)
        } else {
            node = memory.allocate(generationsSize)
            (node + 8).initializeMemory(
                as: UInt32.self, repeating: page.load(fromByteOffset: commonGeneration, as: UInt32.self), count: slots)
        }
        node.storeBytes(of: generation, toByteOffset: 8 + slot * 4, as: UInt32.self)
        page.storeBytes(of: node, toByteOffset: generations, as: UnsafeMutableRawPointer.self)
    }

    /// Gives the slots of a new page, whose generations are all 0, those at `source`: one for each slot.
    package static func setGenerations(
        _ page: UnsafeMutableRawPointer, from source: UnsafePointer<UInt32>, _ memory: TransactionMemory
    ) {
        setCommonGeneration(page, source[0])
        for slot in 1..<slots { setGeneration(page, slot, source[slot], memory) }
    }

    /// Gives all slots of a new page one generation.
    static func setCommonGeneration(_ page: UnsafeMutableRawPointer, _ generation: UInt32) {
        page.storeBytes(of: generation, toByteOffset: commonGeneration, as: UInt32.self)
    }
}
