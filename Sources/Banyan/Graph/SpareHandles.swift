import BanyanCore

/// For each table, a handle that a link or a subscript led to, to be made the handle of the next object if nobody has kept it.
///
/// `person.dog?.name` needs the dog's handle for one read; making and freeing it takes longer than the rest. So a graph keeps
/// one of each class. What is used again nobody can tell from a new handle: there is no reference to it but the graph's,
/// strong, unowned or weak, and nothing in it beside what makes it a handle.
///
/// A spare handle holds its context as all handles do. So there are some only while there is a `Graph`, which lets go of them
/// when it goes.
struct SpareHandles {
    private struct Place {
        /// Held by the place, unless `isVacant`.
        var object: Unmanaged<ObjectBase>?
        /// Of the handle; none where there is no handle.
        var reference = SoleReference()
        /// How often since it was kept the handle was still in use when another one was needed.
        var misses = 0
        /// Handles of a class with stored properties of its own belong to one object each.
        var isBarred = false
        /// The table whose place was filled before this one; -1 at the end.
        var next = -1
    }

    /// By table; made for the first handle.
    private var places: UnsafeMutablePointer<Place>?
    private let tableCount: Int
    /// The table whose place was filled last.
    private var first = -1

    /// Where handles are kept by whoever asks, one of so many is exchanged for a newer one.
    private static let patience = 16

    init(tableCount: Int) { self.tableCount = tableCount }

    /// The spare handle of a table, held for the caller; nil when there is none, or somebody has it. O(1).
    @inline(__always)
    func take(_ table: Int) -> ObjectBase? {
        guard let place = places.map({ $0 + table }), place.pointee.reference.lend() else { return nil }
        return place.pointee.object.unsafelyUnwrapped.takeRetainedValue()
    }

    /// A handle was made because there was no spare one: keeps it for later.
    mutating func offer(_ object: ObjectBase, _ table: Int) {
        let place = makePlaces() + table
        if place.pointee.isBarred { return }
        let old = place.pointee.object
        if old != nil {
            place.pointee.misses += 1
            guard place.pointee.misses == Self.patience else { return }
        } else {
            guard SoleReference.isAvailable, PlainClasses.contain(object) else {
                place.pointee.isBarred = true
                return
            }
            place.pointee.next = first
            first = table
        }
        let kept = Unmanaged.passRetained(object)
        place.pointee.object = kept
        place.pointee.reference.follow(object)
        place.pointee.misses = 0
        old?.release()
    }

    private mutating func makePlaces() -> UnsafeMutablePointer<Place> {
        if let places { return places }
        let made = UnsafeMutablePointer<Place>.allocate(capacity: tableCount)
        made.initialize(repeating: Place(), count: tableCount)
        places = made
        return made
    }

    /// Lets go of all handles. O(handles).
    mutating func removeAll() {
        guard let places else { return }
        while first >= 0 {
            let place = places + first
            first = place.pointee.next
            let object = place.pointee.object
            place.pointee.object = nil
            place.pointee.reference.clear()
            place.pointee.misses = 0
            object?.release()
        }
    }

    /// To be called once, at the end.
    mutating func free() {
        removeAll()
        places?.deallocate()
        places = nil
    }
}

extension GraphContext {
    /// A handle of an object that is there, of the class it has: a spare one, or a new one.
    // Not inlined where it is called: the compiler must not see that what it gets may have been there before.
    @usableFromInline
    @inline(never)
    @_effects(releasenone)
    func handle(_ ref: ObjectRef) -> ObjectBase {
        let binding = _ObjectBinding(self, ref)
        if let spare = spares.take(ref.table) {
            spare._page = binding.page
            spare._stamp = binding.stamp
            spare._id = binding.id
            return spare
        }
        return makeHandle(binding)
    }

    @inline(never)
    private func makeHandle(_ binding: _ObjectBinding) -> ObjectBase {
        let table = Int(binding.id.table)
        let made = access[table].type.init(_$binding: binding)
        if hasGraph { spares.offer(made, table) }
        return made
    }
}
