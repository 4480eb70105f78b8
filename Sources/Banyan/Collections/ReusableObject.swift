public import Synchronization

/// The handle an iteration gave out last, to be made a handle of the next object if nobody has kept it.
///
/// A loop that only looks at each object then makes one handle, not one for each. What is reused nobody can tell from a new
/// one: there is no other reference to it, strong, unowned or weak, and nothing in it beside what makes it a handle.
@usableFromInline
struct ReusableObject {
    @usableFromInline var object: ObjectBase?
    /// Its reference count, as the runtime keeps it.
    @usableFromInline var count: UnsafePointer<Atomic<UInt64>>
    /// What the count is while the object is held once.
    @usableFromInline let soleCount: UInt64
    /// And while it is held twice.
    @usableFromInline let secondCount: UInt64
    /// Whether handles of the class consist of nothing else; nil before the first one.
    @usableFromInline var isPlainClass: Bool?

    @usableFromInline
    init() {
        (soleCount, secondCount) = SoleReference.counts
        count = SoleReference.never
    }

    /// The handle, if it is to be had.
    @inlinable
    @inline(__always)
    mutating func take() -> ObjectBase? {
        // The first test makes the compiler settle the count; the second one knows of references that are not strong.
        guard isKnownUniquelyReferenced(&object), count.pointee.load(ordering: .relaxed) == soleCount else {
            return nil
        }
        // Nobody else can see the object, so its count is raised without an atomic operation, the dearest thing in a turn of the
        // loop. What is given out below is that reference.
        count.pointee.store(secondCount, ordering: .relaxed)
        return object.map { Unmanaged.passUnretained($0).takeRetainedValue() }
    }

    /// The same for a function that is never inlined into the loop: whoever calls it has settled the count by then, and the
    /// word alone says that there is one strong reference and no other.
    @inline(__always)
    mutating func takeUninlined() -> ObjectBase? {
        guard count.pointee.load(ordering: .relaxed) == soleCount else { return nil }
        count.pointee.store(secondCount, ordering: .relaxed)
        return object.map { Unmanaged.passUnretained($0).takeRetainedValue() }
    }

    @inlinable
    @inline(__always)
    mutating func keep(_ new: ObjectBase) {
        if isPlainClass == nil { isPlainClass = PlainClasses.contain(new) }
        guard isPlainClass == true else { return }
        object = new
        count = SoleReference.word(of: UnsafeRawPointer(Unmanaged.passUnretained(new).toOpaque()))
    }
}

@usableFromInline
enum SoleReference {
    /// What the runtime writes for an object that is held once, and twice. Nothing is assumed about its form: if a second
    /// reference or an unowned one left it as it is, it would be worth nothing, and then no count ever matches.
    static let counts: (sole: UInt64, second: UInt64) = measure()

    // The optimiser would put the probe on the stack, where it is not counted, and leave out references nobody reads.
    @_optimize(none)
    private static func measure() -> (sole: UInt64, second: UInt64) {
        final class Probe {}
        let probe = Unmanaged.passRetained(Probe())
        let word = Self.word(of: UnsafeRawPointer(probe.toOpaque()))
        defer { probe.release() }
        let sole = word.pointee.load(ordering: .relaxed)
        _ = probe.retain()
        let withSecond = word.pointee.load(ordering: .relaxed)
        probe.release()
        let withUnowned = withUnownedReference(to: probe) { word.pointee.load(ordering: .relaxed) }
        let withWeak = withWeakReference(to: probe) { word.pointee.load(ordering: .relaxed) }
        let isKnown = sole != withSecond && sole != withUnowned && sole != withWeak
        return isKnown ? (sole, withSecond) : (.max, .max)
    }

    @_optimize(none)
    private static func withUnownedReference(to object: Unmanaged<some AnyObject>, _ body: () -> UInt64) -> UInt64 {
        let holder = Holder()
        holder.unowned = object.takeUnretainedValue()
        return withExtendedLifetime(holder) { body() }
    }

    @_optimize(none)
    private static func withWeakReference(to object: Unmanaged<some AnyObject>, _ body: () -> UInt64) -> UInt64 {
        let holder = Holder()
        holder.weak = object.takeUnretainedValue()
        return withExtendedLifetime(holder) { body() }
    }

    private final class Holder {
        unowned var unowned: AnyObject?
        weak var weak: AnyObject?
    }

    /// A count that matches nothing.
    // Sound: nobody writes it.
    @usableFromInline nonisolated(unsafe) static let never: UnsafePointer<Atomic<UInt64>> = {
        let word = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: 1)
        word.initialize(to: Atomic(0))
        return UnsafePointer(word)
    }()

    /// The word in which the runtime counts references: the second one of every object.
    // Sound: it is there as long as the object is, and the runtime, too, takes it for one atomic word.
    @inlinable
    @inline(__always)
    static func word(of object: UnsafeRawPointer) -> UnsafePointer<Atomic<UInt64>> {
        (object + MemoryLayout<Int>.size).assumingMemoryBound(to: Atomic<UInt64>.self)
    }
}
