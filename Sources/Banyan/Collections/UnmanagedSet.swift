import BanyanCore

/// The contents of a set that no graph manages.
///
/// Scalars come in the order a managed set has, whatever the order of insertion; they are sorted when somebody looks. Objects
/// come in the order of insertion, in a set of AnyValues after its scalars.
struct UnmanagedSet<Element: CollectionValue> {
    private var scalars: Set<ComparedByCell<Element>> = []
    private var identities = ReferenceIdentities()
    /// Links, and of AnyValues also lists and dictionaries.
    private var references: [Element] = []
    private var ordered: [Element] = []
    private var isOrdered = true
    private let isLink = Element.isLink
    private let isAny = Element.self == AnyValue.self

    var count: Int { scalars.count + references.count }

    /// All elements. O(n log n) for the first call after a change, else O(1).
    mutating func elements() -> [Element] {
        if isLink { return references }
        if !isOrdered {
            ordered = scalars.sorted().map(\.value) + references
            isOrdered = true
        }
        return ordered
    }

    mutating func contains(_ element: Element) -> Bool {
        if let reference = reference(element) { return identities.contains(reference) }
        return scalars.contains(ComparedByCell(element))
    }

    /// Returns whether the element was new. O(1), amortised.
    mutating func insert(_ element: Element) -> Bool {
        if let reference = reference(element) {
            guard identities.insert(reference) else { return false }
            references.append(element)
        } else {
            guard scalars.insert(ComparedByCell(element)).inserted else { return false }
        }
        forgetOrder()
        return true
    }

    /// Returns whether the element was there. O(1) for scalars, O(n) for objects.
    mutating func remove(_ element: Element) -> Bool {
        if let reference = reference(element) {
            guard identities.contains(reference),
                let index = references.firstIndex(where: { self.reference($0)?.isSame(as: reference) ?? false })
            else { return false }
            identities.remove(self.reference(references.remove(at: index)) ?? reference)
        } else {
            guard scalars.remove(ComparedByCell(element)) != nil else { return false }
        }
        forgetOrder()
        return true
    }

    /// Calls `body` with what holds others, or may. O(n).
    func forEachReference(_ body: (Element) -> Void) { references.forEach(body) }

    private mutating func forgetOrder() {
        isOrdered = false
        ordered = []
    }

    /// What an element is told apart by; nil for a scalar.
    private func reference(_ element: Element) -> Reference? {
        if isLink { return .object(element._$object) }
        guard isAny, let value = element as? AnyValue else { return nil }
        return switch value {
        case .object(let object): .object(object)
        case .list(let list): .collection(list)
        case .dictionary(let map): .collection(map)
        default: nil
        }
    }
}

/// What is told apart by being another one, whatever it holds.
private enum Reference {
    case object(ObjectBase?)
    case collection(LiveCollection)

    /// What tells it from all others as long as nobody adds it to a graph.
    var identity: Identity {
        switch self {
        case .object(nil): return .none
        case .object(let object?):
            guard let graph = object._graph else { return .instance(ObjectIdentifier(object)) }
            return .managed(Self.domain(graph), object._id, column: nil)
        case .collection(let collection):
            guard let handle = collection.handle else { return .instance(ObjectIdentifier(collection)) }
            return .managed(Self.domain(handle.graph), handle.owner, column: handle.column)
        }
    }

    /// The store, or of what is frozen the version.
    private static func domain(_ graph: Graph) -> ObjectIdentifier {
        graph.isFrozen ? ObjectIdentifier(graph.workspace.version) : ObjectIdentifier(graph.lineage)
    }

    func isSame(as other: Reference) -> Bool { identity == other.identity }

    enum Identity: Hashable {
        case none
        case instance(ObjectIdentifier)
        case managed(ObjectIdentifier, ObjectID, column: Int?)

        var isManaged: Bool { if case .managed = self { true } else { false } }
    }
}

/// Which references are in a set. One may be added to a graph meanwhile, which changes what it is equal to.
private struct ReferenceIdentities {
    private var known: Set<Reference.Identity> = []
    /// Those that were unmanaged when they came in.
    private var unmanaged: [Reference.Identity: Reference] = [:]

    mutating func contains(_ reference: Reference) -> Bool {
        let identity = reference.identity
        noteManaged(identity)
        return known.contains(identity)
    }

    mutating func insert(_ reference: Reference) -> Bool {
        let identity = reference.identity
        noteManaged(identity)
        guard known.insert(identity).inserted else { return false }
        if case .instance = identity { unmanaged[identity] = reference }
        return true
    }

    mutating func remove(_ reference: Reference) {
        let identity = reference.identity
        noteManaged(identity)
        known.remove(identity)
        unmanaged[identity] = nil
    }

    /// Before something managed is looked for: gives those that have become managed since they came in their new identity.
    private mutating func noteManaged(_ identity: Reference.Identity) {
        guard identity.isManaged, !unmanaged.isEmpty else { return }
        for (instance, other) in unmanaged {
            let new = other.identity
            guard new != instance else { continue }
            unmanaged[instance] = nil
            known.remove(instance)
            known.insert(new)
        }
    }
}
