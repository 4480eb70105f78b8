import BanyanCore

/// Objects and collections that no graph manages and that somebody is letting go of.
///
/// Each may be all that holds others, as deep as they were put into each other: objects through links and collections,
/// collections through the lists and dictionaries of AnyValues. So what each holds is taken out of it before it goes, and
/// a chain of a million needs no stack.
struct UnmanagedRelease {
    private var objects: [ObjectBase] = []
    private var collections: [LiveCollection] = []

    mutating func add(_ object: ObjectBase) { objects.append(object) }
    mutating func add(_ collection: LiveCollection) { collections.append(collection) }

    /// Adds what an element holds.
    mutating func add<Element: CollectionValue>(_ element: Element) {
        if let object = element._$object { add(object) }
        if Element.self == AnyValue.self { add(element as? AnyValue) }
    }

    private mutating func add(_ value: AnyValue?) {
        switch value {
        case .list(let list): add(list)
        case .dictionary(let map): add(map)
        default: break
        }
    }

    /// Lets go of everything. What somebody else holds keeps what it has.
    mutating func run() {
        while true {
            if var object = objects.popLast() {
                guard isKnownUniquelyReferenced(&object), !object._isManaged else { continue }
                Swift.type(of: object)._$model.takeLinks(object._page, into: &self)
            } else if var collection = collections.popLast() {
                if isKnownUniquelyReferenced(&collection) { collection.takeContents(into: &self) }
            } else {
                return
            }
        }
    }
}

extension LiveCollection {
    /// Lets go of what an unmanaged collection holds. For deinitialisers: it keeps the stack flat.
    final func releaseContents() {
        var release = UnmanagedRelease()
        takeContents(into: &release)
        release.run()
    }
}

extension CollectionValue {
    /// Whether an element may hold an object or a collection.
    static var mayHoldOthers: Bool { _$elementType.kind.mayLink }
}
