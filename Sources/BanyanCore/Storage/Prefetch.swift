internal import CPrefetch

/// Asks for the cache line at an address, which need not be there, and goes on without waiting for it.
///
/// A line that has to come from memory costs as much as some hundred instructions. Those that an operation is sure to touch
/// are asked for at its start, so that they come together and while other work is done.
@inline(__always)
func prefetch(_ address: UnsafeRawPointer) { banyan_prefetch(address) }

extension Transaction {
    /// Announces that an object will be looked at: its handle, or whatever else is at the address.
    @inline(__always)
    package func willRead(_ address: UnsafeRawPointer) { prefetch(address) }

    /// Announces a link of `column` to an object, whose page is most likely the given one.
    @inline(__always)
    package func willLink(_ table: Int, _ column: Int, to target: ObjectRef, on page: UnsafeRawPointer) {
        prefetch(page)
        guard let end = plan(table, column).pointee.end(target.table), !end.place.isApart else { return }
        prefetch(page + Int(end.place.valueOffset) + (target.slot & Page.slotMask) * 8)
    }

    /// Announces that an object will be deleted: its values are asked for, then what they lead to, the other ends of its links
    /// and the place of its key in the index.
    func willDelete(_ ref: ObjectRef) {
        let page = page(ref.table, slot: ref.slot)
        let slot = ref.slot & Page.slotMask
        let storage = layout.storage[ref.table]
        for column in 0..<storage.columns {
            let place = plans[ref.table][column].place
            if !place.isApart { prefetch(page + Int(place.valueOffset) + slot * Int(place.stride)) }
        }
        for column in storage.links {
            let plan = plan(ref.table, column)
            guard plan.pointee.shape == .single, plan.pointee.kind != .any,
                let target = ObjectRef(word: plan.pointee.place.word(page, slot))
            else { continue }
            willLink(ref.table, column, to: target, on: self.page(target.table, slot: target.slot))
        }
        storage.key?.willChange(root, page, slot)
    }
}
