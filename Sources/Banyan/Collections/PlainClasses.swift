import Synchronization

/// Which classes have instances that can show one object after another: those that hold nothing but the handle.
///
/// A class may have stored properties of its own beside the persisted ones. What is in them belongs to one object, so their
/// instances are never used for another.
@usableFromInline
enum PlainClasses {
    private static let known = Mutex<[ObjectIdentifier: Bool]>([:])

    /// Whether the class of an object is one of them. O(1) but for the first object of its class.
    @usableFromInline
    static func contain(_ object: ObjectBase) -> Bool {
        let key = ObjectIdentifier(type(of: object))
        if let answer = known.withLock({ $0[key] }) { return answer }
        let answer = !hasStoredProperties(object)
        known.withLock { $0[key] = answer }
        return answer
    }

    private static func hasStoredProperties(_ object: ObjectBase) -> Bool {
        // Somebody else's mirror may leave something out.
        if object is any CustomReflectable { return true }
        var mirror: Mirror? = Mirror(reflecting: object)
        while let level = mirror, level.subjectType != ObjectBase.self {
            if !level.children.isEmpty { return true }
            mirror = level.superclassMirror
        }
        return false
    }
}
