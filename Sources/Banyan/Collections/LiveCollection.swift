public import BanyanCore

/// What lists, sets, maps and inverses have in common: each is a property of an object.
///
/// The collection of an unmanaged object holds its elements itself. The collection of a managed object is a small handle: it
/// shows what the graph shows, and two handles of the same property are equal. Whoever holds the collection of an object that
/// is then added to a graph holds a handle from there on.
///
/// A collection whose owner was deleted reads as empty; inside a write, reading or changing it fails the transaction.
/// Collections are not `Sendable`: they stay where their object is.
public class LiveCollection {
    // Every access is a call that cannot overlap with another access to the same field.
    @exclusivity(unchecked) @usableFromInline final var handle: CollectionHandle?

    @usableFromInline
    init() { handle = nil }

    /// Of an unmanaged object: nil.
    @inlinable
    init(_ handle: CollectionHandle?) {
        self.handle = handle
        if let handle { handle.standing.pointee.holders &+= 1 }
    }

    @inlinable
    deinit {
        guard let handle else { return }
        let left = handle.standing.pointee.holders &- 1
        handle.standing.pointee.holders = left
        if left == 0 { GraphContext.release(handle.context) }
    }

    /// Shows a managed collection from now on.
    final func attach(_ handle: CollectionHandle) {
        self.handle = handle
        handle.standing.pointee.holders &+= 1
    }

    /// Moves the objects and collections that an unmanaged collection holds out of it.
    func takeContents(into release: inout UnmanagedRelease) {}

    /// The graph that manages the collection; nil for an unmanaged one.
    public final var graph: Graph? { handle?.graph }

    /// Whether the collection was managed and its owner is no longer there.
    public final var isInvalidated: Bool { handle?.isInvalidated ?? false }

    /// Whether the collection stands at one version for good.
    public final var isFrozen: Bool { handle.map { $0.context._withUnsafeGuaranteedRef { $0.isFrozen } } ?? false }

    /// The identity of the object that a managed collection belongs to.
    public final var ownerID: ObjectID? { handle?.owner }
}

extension LiveCollection: Hashable {
    /// Managed collections are equal when they are the same property of the same object, at the same version where frozen;
    /// unmanaged ones when they are the same instance. To compare contents, use `elementsEqual`.
    public static func == (a: LiveCollection, b: LiveCollection) -> Bool {
        guard let x = a.handle, let y = b.handle else { return a === b }
        return x == y
    }

    public func hash(into hasher: inout Hasher) {
        if let handle {
            hasher.combine(handle)
        } else {
            hasher.combine(ObjectIdentifier(self))
        }
    }
}

extension ObjectBase {
    /// The collection that an unmanaged object holds in `column`, made when it is first asked for.
    final func unmanagedCollection<C: AnyObject>(_ column: Int, _ make: () -> C) -> C {
        let place = _columns[column]
        if let present = _ObjectModel.reference(place.word(_page, 0)) { return unsafeDowncast(present, to: C.self) }
        let made = make()
        place.setWord(_page, 0, _ObjectModel.retain(made))
        return made
    }
}
