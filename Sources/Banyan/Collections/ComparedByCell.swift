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
            value._$withScalarCell { cell in
                CellOrder.hash(cell ?? .null, Value._$elementType.kind, seed: 0)
            })
    }

    /// Negative, zero or positive as `a` sorts before, with or after `b`.
    static func compare(_ a: Value, _ b: Value) -> Int {
        let kind = Value._$elementType.kind
        return a._$withScalarCell { x in
            b._$withScalarCell { y in
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

/// Stands for objects and collections in the cells of AnyValues that no graph holds.
enum LocalIdentity {
    /// What tells an object, or a collection, from others here: a managed one by its place, others by their address.
    static func of(_ object: ObjectBase) -> ObjectRef {
        object._isManaged ? object._id.ref : of(instance: object)
    }

    static func of(_ collection: LiveCollection) -> ObjectRef {
        collection.handle?.owner.ref ?? of(instance: collection)
    }

    private static func of(instance object: AnyObject) -> ObjectRef {
        let address = UInt64(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
        // No table has so high a number.
        return ObjectRef(word: address | 1 << 63) ?? ObjectRef(table: 0, slot: 0)
    }
}
