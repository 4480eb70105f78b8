/// The handle that an iteration gave out last. It becomes the handle of the next object if nobody else holds it.
///
/// A loop that only looks at each object then makes one handle, not one for each. Nobody can tell a handle that is used again
/// from a new one: there is no other reference to it, strong, unowned or weak, and it stores nothing beside the object's
/// place (see `SoleReference` and `PlainClasses`).
@usableFromInline
struct ReusableObject {
    @usableFromInline var object: ObjectBase?
    @usableFromInline var reference: SoleReference
    /// Whether handles of the class consist of nothing else; nil before the first one.
    @usableFromInline var isPlainClass: Bool?

    @usableFromInline
    init() { reference = SoleReference() }

    /// The handle, if it is to be had.
    @inlinable
    @inline(__always)
    mutating func take() -> ObjectBase? {
        // The first test makes the compiler settle the count; the second one knows of references that are not strong.
        guard isKnownUniquelyReferenced(&object), reference.lend() else { return nil }
        return object.map { Unmanaged.passUnretained($0).takeRetainedValue() }
    }

    /// The handle, if it is to be had, for a function that is never inlined into the loop: its caller has settled the count
    /// by then, so the runtime's word alone tells that there is one strong reference and no other.
    @inline(__always)
    mutating func takeUninlined() -> ObjectBase? {
        guard reference.lend() else { return nil }
        return object.map { Unmanaged.passUnretained($0).takeRetainedValue() }
    }

    @inlinable
    @inline(__always)
    mutating func keep(_ new: ObjectBase) {
        if isPlainClass == nil { isPlainClass = SoleReference.isAvailable && PlainClasses.contain(new) }
        guard isPlainClass == true else { return }
        object = new
        reference.follow(new)
    }
}
