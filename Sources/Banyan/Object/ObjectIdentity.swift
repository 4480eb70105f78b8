import BanyanCore

/// What tells a model object from others, for whoever asks for something `Identifiable`: the same for every instance that shows
/// the object, in every version, graph and fork of its store.
///
/// ```swift
/// @Model class Dog: Object, Identifiable { … }
/// ```
/// A class that has a property `id` of its own is identified by that. As long as an object is unmanaged, it is identified by
/// the instance.
public struct ObjectIdentity: Hashable, Sendable {
    private enum Known: Hashable, Sendable {
        case stored(ObjectID)
        case instance(ObjectIdentifier)
    }
    private let known: Known

    fileprivate init(_ object: ObjectBase) {
        known = object.objectID.map { .stored($0) } ?? .instance(ObjectIdentifier(object))
    }
}

// Not in the classes, where it would be in the way of properties that are called so.
extension Identifiable where Self: ObjectBase {
    /// What tells the object from others.
    public var id: ObjectIdentity { ObjectIdentity(self) }
}
