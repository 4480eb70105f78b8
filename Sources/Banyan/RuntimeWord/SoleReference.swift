#if HandleReuse
    public import Synchronization
#endif

/// Tells whether a kept handle is held by nobody but the place that keeps it, and lends it out.
///
/// A loop over objects needs one handle at a time. Making and freeing a handle costs more than reading a property, so a
/// loop and a graph each keep the last handle and use it again, if nobody else holds it. Swift can ask whether a reference
/// is the only strong one (`isKnownUniquelyReferenced`), but not whether there is a weak or an unowned one, and it cannot
/// lend the object out without an atomic operation. Both are done here with the word in which the Swift runtime counts
/// the references to an object.
///
/// This is the only file that reads or writes that word. What it assumes:
/// - the word is the second one of every object, and 64 bits wide;
/// - its value depends on the number of references of each sort and on nothing else, as long as the object has no side
///   table (the word of an object with one never matches);
/// - storing the value that two strong references leave is the same as retaining an object that is held once.
///
/// `measure()` tries all of that on an object of its own, once, when the first handle is kept. Where something is otherwise,
/// no handle is ever used again: programs do the same, and loops over objects are slower. The package trait `HandleReuse`,
/// which is on by default, leaves all of it out when it is off.
@usableFromInline
struct SoleReference {
    #if HandleReuse
        /// The word of the handle that is kept; one that never matches where there is none.
        @usableFromInline var word: UnsafePointer<Atomic<UInt64>>
        /// The value of the word while the handle is held once.
        @usableFromInline let once: UInt64
        /// The value of the word while the handle is held twice.
        @usableFromInline let twice: UInt64
    #endif

    /// Stands for no handle.
    @usableFromInline
    init() {
        #if HandleReuse
            word = Self.none
            (once, twice) = Self.values
        #endif
    }

    /// Whether handles may be kept at all.
    @usableFromInline
    static var isAvailable: Bool {
        #if HandleReuse
            values.once != .max && !isSwitchedOff.load(ordering: .relaxed)
        #else
            false
        #endif
    }

    /// Stands for a handle that its caller keeps as long as this does.
    @inlinable
    @inline(__always)
    mutating func follow(_ object: AnyObject) {
        #if HandleReuse
            word = Self.word(of: UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()))
        #endif
    }

    /// Stands for no handle from now on.
    mutating func clear() {
        #if HandleReuse
            word = Self.none
        #endif
    }

    /// Adds a strong reference if there is exactly one and no reference of another sort. Who gets `true` owns it.
    ///
    /// Nobody else can see such an object, so its count is raised without an atomic operation.
    @inlinable
    @inline(__always)
    func lend() -> Bool {
        #if HandleReuse
            guard word.pointee.load(ordering: .relaxed) == once else { return false }
            word.pointee.store(twice, ordering: .relaxed)
            return true
        #else
            return false
        #endif
    }

    #if HandleReuse
        /// For the tests of what happens where the runtime counts in another way.
        static let isSwitchedOff = Atomic(false)

        /// The values of the word; `.max`, which no word has, where the runtime is not as assumed.
        static let values: (once: UInt64, twice: UInt64) = measure()

        // The optimiser would put the objects on the stack, where they are not counted, and leave out references nobody reads.
        @_optimize(none)
        private static func measure() -> (once: UInt64, twice: UInt64) {
            let probe = Unmanaged.passRetained(Holder())
            defer { probe.release() }
            let word = Self.word(of: UnsafeRawPointer(probe.toOpaque()))
            let once = word.pointee.load(ordering: .relaxed)
            _ = probe.retain()
            let twice = word.pointee.load(ordering: .relaxed)
            probe.release()
            // What `lend` stores must be what a retain leaves: one release later the object is held once again.
            guard once != twice, word.pointee.load(ordering: .relaxed) == once else { return (.max, .max) }
            word.pointee.store(twice, ordering: .relaxed)
            probe.release()
            guard word.pointee.load(ordering: .relaxed) == once else { return (.max, .max) }
            let withUnowned = withUnownedReference(to: probe) { word.pointee.load(ordering: .relaxed) }
            let withWeak = withWeakReference(to: probe) { word.pointee.load(ordering: .relaxed) }
            return withUnowned != once && withWeak != once ? (once, twice) : (.max, .max)
        }

        @_optimize(none)
        private static func withUnownedReference(to object: Unmanaged<Holder>, _ body: () -> UInt64) -> UInt64 {
            let holder = Holder()
            holder.unowned = object.takeUnretainedValue()
            return withExtendedLifetime(holder) { body() }
        }

        @_optimize(none)
        private static func withWeakReference(to object: Unmanaged<Holder>, _ body: () -> UInt64) -> UInt64 {
            let holder = Holder()
            holder.weak = object.takeUnretainedValue()
            return withExtendedLifetime(holder) { body() }
        }

        private final class Holder {
            unowned var unowned: AnyObject?
            weak var weak: AnyObject?
        }

        /// The word of no object.
        // Sound: nobody writes it.
        nonisolated(unsafe) static let none: UnsafePointer<Atomic<UInt64>> = {
            let word = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: 1)
            word.initialize(to: Atomic(0))
            return UnsafePointer(word)
        }()

        // Sound: the word is there as long as the object is, and the runtime, too, uses it as one atomic word.
        @inlinable
        @inline(__always)
        static func word(of object: UnsafeRawPointer) -> UnsafePointer<Atomic<UInt64>> {
            (object + MemoryLayout<Int>.size).assumingMemoryBound(to: Atomic<UInt64>.self)
        }
    #endif
}
