import BanyanCore

/// A scalar as managed collections compare it: texts by their bytes, NaN equal to itself. With it an unmanaged collection
/// tells values apart exactly as the same collection does once it is managed.
struct ComparedByCell<Value: CollectionValue>: Hashable, Comparable {
    let value: Value

    init(_ value: Value) { self.value = value }

    static func == (a: Self, b: Self) -> Bool { compare(a.value, b.value) == 0 }
    static func < (a: Self, b: Self) -> Bool { compare(a.value, b.value) < 0 }

    func hash(into hasher: inout Hasher) {
        hasher.combine(
            value._$withLookupCell(in: NoGraph.shared) { cell in
                CellOrder.hash(cell ?? .null, Value._$elementType.kind, seed: 0)
            })
    }

    /// Negative, zero or positive as `a` sorts before, with or after `b`.
    static func compare(_ a: Value, _ b: Value) -> Int {
        let kind = Value._$elementType.kind
        return a._$withLookupCell(in: NoGraph.shared) { x in
            b._$withLookupCell(in: NoGraph.shared) { y in
                CellOrder.compare(x ?? .null, y ?? .null, kind)
            }
        }
    }
}

extension AnyValue {
    /// Whether it is told apart by which object or collection it is.
    var isReference: Bool {
        switch self {
        case .object, .list, .dictionary: true
        default: false
        }
    }
}

extension CollectionValue {
    /// Whether elements are objects, which are told apart by identity.
    static var isLink: Bool { _$elementType.kind.isLink }

    /// Whether a collection takes both for the same value.
    static func isSame(_ a: Self, _ b: Self) -> Bool {
        if isLink { return a == b }
        // Objects and collections are not told apart by where they stand: another store has something else there.
        if Self.self == AnyValue.self, let x = a as? AnyValue, let y = b as? AnyValue, x.isReference || y.isReference {
            return x == y
        }
        return ComparedByCell.compare(a, b) == 0
    }

    static var elementLayout: ElementLayout {
        let type = _$elementType
        return ElementLayout(kind: type.kind, isOptional: type.isOptional)
    }
}

/// A graph of nothing, for the cells of scalars that no graph holds.
enum NoGraph {
    // Sound: it stands at one empty version and has no cache; looking up a scalar reads nothing of it.
    nonisolated(unsafe) static let shared: Graph = {
        do throws(BanyanError) {
            let binding = try ModelBinding([], version: 0)
            return Graph(frozen: .empty(binding.layout), binding)
        } catch {
            fatalError("\(error)")
        }
    }()

    /// What tells an object, or a collection, from others here: a managed one by its place, others by their address.
    static func identity(of object: ObjectBase) -> ObjectRef {
        object._isManaged ? object._id.ref : identity(ofInstance: object)
    }

    static func identity(of collection: LiveCollection) -> ObjectRef {
        collection.handle?.owner.ref ?? identity(ofInstance: collection)
    }

    private static func identity(ofInstance object: AnyObject) -> ObjectRef {
        let address = UInt64(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
        // No table has so high a number.
        return ObjectRef(word: address | 1 << 63) ?? ObjectRef(table: 0, slot: 0)
    }
}
