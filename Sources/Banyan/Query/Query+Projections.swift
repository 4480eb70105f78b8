import BanyanCore

// Conditions on enums and custom types, by what they are stored as.

extension Query where T: PersistableEnum {
    /// The stored value of the enum.
    public var rawValue: Query<T.RawValue> { Query<T.RawValue>(.operand(operand), scope) }
}

/// The Optional of an enum.
public protocol _OptionalEnum {
    associatedtype _Stored
}
extension Optional: _OptionalEnum where Wrapped: PersistableEnum {
    public typealias _Stored = Wrapped.RawValue?
}
extension Query where T: _OptionalEnum {
    /// The stored value of the enum.
    public var rawValue: Query<T._Stored> { Query<T._Stored>(.operand(operand), scope) }
}

/// The Optional of a custom type.
public protocol _OptionalProjection {
    associatedtype _Projected
    associatedtype _Stored
}
extension Optional: _OptionalProjection where Wrapped: _CustomPersistable {
    public typealias _Projected = Wrapped.PersistedType?
    public typealias _Stored = Wrapped.PersistedType
}
extension Query where T: _OptionalProjection {
    /// What the value is stored as.
    public var persistableValue: Query<T._Projected> { Query<T._Projected>(.operand(operand), scope) }

    /// A property of the embedded object that the value is stored as.
    public subscript<V>(dynamicMember keyPath: KeyPath<T._Stored, V>) -> Query<V>
    where T._Stored: _QueriedObject { step(keyPath) }
}

extension Query where T: _CustomPersistable {
    /// What the value is stored as.
    public var persistableValue: Query<T.PersistedType> { Query<T.PersistedType>(.operand(operand), scope) }

    /// A property of the embedded object that the value is stored as.
    public subscript<V>(dynamicMember keyPath: KeyPath<T.PersistedType, V>) -> Query<V>
    where T.PersistedType: _QueriedObject { step(keyPath) }

    public static func < (a: Query<T>, b: T) -> Query<Bool> where T.PersistedType: _QueryOrdered {
        a.persistableValue < b.persistableValue
    }
    public static func <= (a: Query<T>, b: T) -> Query<Bool> where T.PersistedType: _QueryOrdered {
        a.persistableValue <= b.persistableValue
    }
    public static func > (a: Query<T>, b: T) -> Query<Bool> where T.PersistedType: _QueryOrdered {
        a.persistableValue > b.persistableValue
    }
    public static func >= (a: Query<T>, b: T) -> Query<Bool> where T.PersistedType: _QueryOrdered {
        a.persistableValue >= b.persistableValue
    }
}

extension Query {
    /// Whether what is stored as an embedded object is one of some values, by its properties at every depth; or, with `!=`,
    /// is none of them.
    func members<V: CollectionValue>(_ operation: Comparison.Operator, _ values: [V]) -> Query<Bool> {
        let objects = values.compactMap(\._$storedObject)
        let isNil = BanyanCore.Predicate.comparison(
            Comparison(operand, .equal, .value(.null), quantifier: scope.isToMany ? .any : nil))
        func isOneOfThem(_ path: PropertyPath) -> BanyanCore.Predicate {
            let conditions = objects.map { MemberComparison.predicate(path, $0) }
            return conditions.count > 1 ? .or(conditions) : conditions.first ?? .constant(false)
        }
        let hasNil = objects.count < values.count
        guard scope.isToMany else {
            let isEqual = hasNil ? isNil || isOneOfThem(path) : isOneOfThem(path)
            return condition(operation == .equal ? isEqual : !isEqual)
        }
        // All properties must be those of the same element. Those that are nil are not among the ones counted.
        let isEqual = isOneOfThem(PropertyPath(steps: []))
        let isRight = operation == .equal ? isEqual : !isEqual
        let isNilRight = (operation == .equal) == hasNil
        func count(_ relation: Comparison.Operator, _ condition: BanyanCore.Predicate) -> BanyanCore.Predicate {
            .comparison(Comparison(.subqueryCount(path, condition), relation, .value(.int(0))))
        }
        let result: BanyanCore.Predicate =
            switch scope.quantifier {
            case .all: isNilRight ? count(.equal, !isRight) : count(.equal, !isRight) && !isNil
            case Comparison.Quantifier.none?: isNilRight ? count(.equal, isRight) && !isNil : count(.equal, isRight)
            case .any, nil: isNilRight ? count(.greater, isRight) || isNil : count(.greater, isRight)
            }
        return condition(result)
    }
}

private enum MemberComparison {
    static func predicate(_ path: PropertyPath, _ object: ObjectBase) -> BanyanCore.Predicate {
        var result: BanyanCore.Predicate?
        let model = type(of: object)._$model
        for (column, property) in model.properties.enumerated() where property.type.shape == .single {
            let part = path.appending(property.name)
            let cell = model.unmanagedColumns[column].load(property.type.kind, object._page, 0)
            let condition: BanyanCore.Predicate
            if property.type.kind == .embedded, let inner = _ObjectModel.object(cell.isNull ? 0 : cell.low) {
                condition = predicate(part, inner)
            } else if property.type.kind == .object, let target = _ObjectModel.object(cell.isNull ? 0 : cell.low) {
                condition = .comparison(
                    Comparison(.path(part), .equal, .value(target._isManaged ? .object(target._id.ref) : .null)))
            } else {
                let value = property.type.kind.isLink ? .null : Value(cell, property.type.kind)
                condition = .comparison(Comparison(.path(part), .equal, .value(value)))
            }
            result = result.map { $0 && condition } ?? condition
        }
        return result ?? .constant(true)
    }
}
