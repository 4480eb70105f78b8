import BanyanCore

/// The contents of a set that no graph manages.
///
/// Scalars come in the order a managed set has, whatever the order of insertion; they are sorted when somebody looks. Objects
/// come in the order of insertion.
struct UnmanagedSet<Element: CollectionValue> {
    private var scalars: Set<ComparedByCell<Element>> = []
    private var objects = ObjectIdentities()
    private var ordered: [Element] = []
    private var isOrdered = true
    private let isLink = Element.isLink

    var count: Int { isLink ? ordered.count : scalars.count }

    /// All elements. O(n log n) for the first call after a change, else O(1).
    mutating func elements() -> [Element] {
        if !isOrdered {
            ordered = scalars.sorted().map(\.value)
            isOrdered = true
        }
        return ordered
    }

    mutating func contains(_ element: Element) -> Bool {
        isLink ? objects.contains(element as? ObjectBase) : scalars.contains(ComparedByCell(element))
    }

    /// Returns whether the element was new. O(1), amortised.
    mutating func insert(_ element: Element) -> Bool {
        if isLink {
            guard objects.insert(element as? ObjectBase) else { return false }
            ordered.append(element)
            return true
        }
        guard scalars.insert(ComparedByCell(element)).inserted else { return false }
        forgetOrder()
        return true
    }

    /// Returns whether the element was there. O(1) for scalars, O(n) for objects.
    mutating func remove(_ element: Element) -> Bool {
        guard isLink else {
            guard scalars.remove(ComparedByCell(element)) != nil else { return false }
            forgetOrder()
            return true
        }
        guard objects.contains(element as? ObjectBase), let index = ordered.firstIndex(of: element) else {
            return false
        }
        let removed = ordered.remove(at: index)
        objects.remove(removed as? ObjectBase)
        return true
    }

    private mutating func forgetOrder() {
        isOrdered = false
        ordered = []
    }
}

/// Which objects are in a set. An object may be added to a graph meanwhile, which changes what it is equal to.
private struct ObjectIdentities {
    private enum Identity: Hashable {
        case none
        case instance(ObjectIdentifier)
        /// The store (for a frozen object the version) and the object.
        case managed(ObjectIdentifier, ObjectID)
    }
    private var known: Set<Identity> = []
    /// Those that were unmanaged when they came in.
    private var unmanaged: [ObjectIdentifier: ObjectBase] = [:]

    private static func identity(_ object: ObjectBase?) -> Identity {
        guard let object else { return .none }
        guard let graph = object.graph, let id = object.objectID else { return .instance(ObjectIdentifier(object)) }
        let domain: AnyObject = graph.isFrozen ? graph.workspace.version : graph.lineage
        return .managed(ObjectIdentifier(domain), id)
    }

    mutating func contains(_ object: ObjectBase?) -> Bool {
        noteManaged(object)
        return known.contains(Self.identity(object))
    }

    mutating func insert(_ object: ObjectBase?) -> Bool {
        noteManaged(object)
        guard known.insert(Self.identity(object)).inserted else { return false }
        if let object, object.graph == nil { unmanaged[ObjectIdentifier(object)] = object }
        return true
    }

    mutating func remove(_ object: ObjectBase?) {
        noteManaged(object)
        known.remove(Self.identity(object))
        if let object { unmanaged[ObjectIdentifier(object)] = nil }
    }

    /// Before a managed object is looked for: gives those that have become managed since they came in their new identity.
    private mutating func noteManaged(_ object: ObjectBase?) {
        guard object?.graph != nil, !unmanaged.isEmpty else { return }
        for (instance, other) in unmanaged where other.graph != nil {
            unmanaged[instance] = nil
            known.remove(.instance(instance))
            known.insert(Self.identity(other))
        }
    }
}
