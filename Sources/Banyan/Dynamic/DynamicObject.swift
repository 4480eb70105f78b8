import BanyanCore

/// A live object whose type is known by its stored name only.
///
/// ```swift
/// let dog = try graph.dynamicCreate("Dog", value: ["name": "Rex"])
/// dog.age = 3
/// print(dog.name ?? "?", dog["owners"] ?? [])
/// ```
/// Values are what is stored: an enum is its raw value. Links are dynamic objects, collections are live `DynamicCollection`s and
/// `DynamicMap`s. Names are those in code, or else stored names.
///
/// A name that is no property's, or a value that does not fit, fails the transaction inside a write; elsewhere such a name reads
/// as nil. `value(forKey:)` and `setValue(_:forKey:)` say what is wrong with what comes from data.
@dynamicMemberLookup
public struct DynamicObject {
    /// The object, as its class shows it.
    public let object: ObjectBase

    init(_ object: ObjectBase) { self.object = object }

    public subscript(name: String) -> Any? {
        get {
            do throws(BanyanError) {
                return try value(forKey: name)
            } catch {
                object._graph?.fail(error)
                return nil
            }
        }
        nonmutating set {
            object.requireWritable(name)
            do throws(BanyanError) {
                try setValue(newValue, forKey: name)
            } catch {
                object._graph?.fail(error)
            }
        }
    }

    public subscript(dynamicMember name: String) -> Any? {
        get { self[name] }
        nonmutating set { self[name] = newValue }
    }

    public var objectID: ObjectID? { object.objectID }
    public var isInvalidated: Bool { object.isInvalidated }
    public var objectSchema: ObjectSchema? { object.objectSchema }

    // MARK: - With errors

    /// What a property holds.
    ///
    /// - Throws: `unknownProperty`; `invalidatedObject`.
    public func value(forKey name: String) throws(BanyanError) -> Any? {
        let (graph, column) = try place(name)
        let info = object.dynamicModel.properties[column]
        switch info.type.shape {
        case .single:
            return graph.dynamicValue(graph.workspace.view.value(object._id.ref, column), info.type.kind)
        case .list, .set, .inverse:
            return DynamicCollection(LiveCollection(CollectionHandle(graph, object._id, column)))
        case .map: return DynamicMap(LiveCollection(CollectionHandle(graph, object._id, column)))
        }
    }

    /// Sets a property: a scalar, an object (unmanaged ones are added), a dictionary or an array that makes one as
    /// `Graph.create(_:value:update:)` does, or an array or a dictionary of such for a collection. Embedded objects of a collection
    /// may be among its new contents, in any order and under any keys.
    ///
    /// - Throws: `unknownProperty`; `invalidValue`; `invalidatedObject`; `notInWrite`; what the value itself breaks.
    public func setValue(_ value: Any?, forKey name: String) throws(BanyanError) {
        let (graph, column) = try place(name)
        guard let transaction = graph.workspace.transaction else {
            throw BanyanError(
                graph.isFrozen ? .frozen : .notInWrite, "'\(name)' cannot be set here",
                remedy: "Set it inside a write of a live graph", at: object.dynamicLocation(name))
        }
        let info = object.dynamicModel.properties[column]
        switch info.type.shape {
        case .single:
            transaction.setValue(object._id, column, try graph.storedValue(value, object._id, column))
        case .list, .set:
            guard let elements = value.flatMap({ ValueConversion.elements($0) }) else {
                throw object.misfit(value, name)
            }
            let collection = DynamicCollection(LiveCollection(CollectionHandle(graph, object._id, column)))
            try collection.replaceAll(with: elements)
        case .map:
            let own = (value as? DynamicMap)?.entries
            guard
                let entries = own
                    ?? value.flatMap({ ValueConversion.entries($0)?.map { (key: $0.key, value: $0.value as Any?) } })
            else { throw object.misfit(value, name) }
            let map = DynamicMap(LiveCollection(CollectionHandle(graph, object._id, column)))
            try map.replaceAll(with: entries)
        case .inverse:
            throw BanyanError(
                .invalidValue, "'\(name)' is an inverse and cannot be set", at: object.dynamicLocation(name))
        }
        if let fault = transaction.fault { throw fault }
    }

    private func place(_ name: String) throws(BanyanError) -> (Graph, Int) {
        let properties = object.dynamicModel.properties
        guard
            let column = properties.firstIndex(where: { $0.name == name })
                ?? properties.firstIndex(where: { $0.storedName == name })
        else {
            throw BanyanError(
                .unknownProperty, "'\(object.dynamicModel.name)' has no property '\(name)'",
                remedy: "Its properties are " + properties.map(\.name).joined(separator: ", "),
                at: object.dynamicLocation(name))
        }
        guard let graph = object._graph, !object.isInvalidated else {
            throw BanyanError(
                .invalidatedObject, "the object was deleted, or its creation was rolled back",
                at: object.dynamicLocation(name))
        }
        return (graph, column)
    }
}

extension DynamicObject: Hashable {
    public static func == (a: DynamicObject, b: DynamicObject) -> Bool { a.object == b.object }
    public func hash(into hasher: inout Hasher) { hasher.combine(object) }
}

extension DynamicObject: CustomStringConvertible {
    /// As the object prints, whatever its class says of itself.
    public var description: String { DescriptionWriter.text(of: object) }
}

extension ObjectBase {
    final var dynamicModel: _ObjectModel { Self._$model }

    final func dynamicLocation(_ name: String) -> BanyanError.Location {
        BanyanError.Location(type: Self._$model.name, object: objectID.map { "\($0)" }, property: name)
    }

    final func misfit(_ value: Any?, _ name: String) -> BanyanError {
        let given = value.map { "a \(Swift.type(of: $0))" } ?? "nil"
        let column = Self._$model.property(named: name)
        let type =
            column.flatMap { _graph?.binder(Int(_id.table)).layout.type.properties[$0].typeDescription }
            ?? "another type"
        return BanyanError(
            .invalidValue, "\(given) does not fit '\(name)', which is \(type)", at: dynamicLocation(name))
    }
}
