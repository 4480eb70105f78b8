import BanyanCore

// The properties of an object by their names in code, as they are in Swift.

extension ObjectBase {
    /// The value of a property by its name, as it is in Swift: an enum's case, a live list; nil where there is none. A value to set
    /// is that, or whatever `Graph.create(_:value:update:)` takes for the property: what it is stored as, such as the raw value of
    /// an enum, an integer of another width that fits, an array or a dictionary for a collection, dictionaries for objects.
    ///
    /// What does not fit, and a name that is no property's, fails the transaction inside a write. Elsewhere a name that is no
    /// property's reads as nil, and an unmanaged object stays as it is. `value(forKey:)` and `setValue(_:forKey:)` say what is
    /// wrong with names and values that come from data.
    public final subscript(name: String) -> Any? {
        get {
            do throws(BanyanError) {
                return try value(forKey: name)
            } catch {
                _graph?.fail(error)
                return nil
            }
        }
        set {
            requireWritable(name)
            do throws(BanyanError) {
                try setNamed(name, newValue)
            } catch {
                _graph?.fail(error)
            }
        }
    }

    /// The value of a property by its name.
    ///
    /// - Throws: `unknownProperty`; `invalidatedObject`.
    public final func value(forKey name: String) throws(BanyanError) -> Any? {
        let column = try column(named: name)
        try requirePresent(column)
        guard let type = Self._$model.swiftTypes[column] else { return nil }
        return flattened(Self.get(type, self, column))
    }

    /// Sets a property by its name, to a value of its type in Swift or to whatever `Graph.create(_:value:update:)` takes for it.
    /// Objects that dictionaries stand for are new ones: a key that is taken is an error.
    ///
    /// - Throws: `unknownProperty`; `invalidValue` for what does not fit, with the path of the value; `invalidatedObject`;
    ///   `notInWrite` and `frozen` for a managed object; what the value itself breaks.
    public final func setValue(_ value: Any?, forKey name: String) throws(BanyanError) {
        if let graph = _graph, graph.workspace.transaction == nil {
            throw BanyanError(
                graph.isFrozen ? .frozen : .notInWrite, "'\(name)' cannot be set here",
                remedy: graph.isFrozen
                    ? "thaw() the object, and change that in a write" : "Put it into `graph.write { }`",
                at: location(name))
        }
        try setNamed(name, value)
        if let fault = _graph?.workspace.transaction?.fault { throw fault }
    }

    // MARK: - The steps

    private final func setNamed(_ name: String, _ value: Any?) throws(BanyanError) {
        let column = try column(named: name)
        try requirePresent(column)
        let info = Self._$model.properties[column]
        guard !info.type.isInverse, let type = Self._$model.swiftTypes[column] else {
            throw BanyanError(
                .invalidValue, "'\(name)' is an inverse and cannot be set",
                remedy: "Set the property it is the inverse of",
                at: location(name))
        }
        guard !Self.set(type, self, column, value, info) else { return }
        // Of a key nothing but its own type will do.
        guard info.isPrimaryKey else { return try assemble(value, column) }
        let given = value.map { "a \(Swift.type(of: $0))" } ?? "nil"
        throw BanyanError(.invalidValue, "\(given) does not fit '\(name)', a \(type)", at: location(name))
    }

    /// Sets a property to what has to be read first, as `create` does. What does not fit is found before anything is made.
    private final func assemble(_ value: Any?, _ column: Int) throws(BanyanError) {
        let graph = _graph
        let reader = ValueReader(graph.map { .linked(to: $0) } ?? .kept)
        let read: ReadObject
        do throws(BanyanError) {
            read = try reader.read(value as Any, for: self, column)
        } catch {
            var error = error
            if error.location.type == Self._$model.name, error.location.object == nil {
                error.location.object = objectID.map { "\($0)" }
            }
            throw error
        }
        do throws(BanyanError) {
            let assembler = graph.map { ObjectAssembler($0, .error, reader) } ?? ObjectAssembler(reader)
            _ = try assembler.make(read)
        } catch {
            // A part of it may be there already.
            graph?.fail(error)
            throw error
        }
    }

    private final func column(named name: String) throws(BanyanError) -> Int {
        if let column = Self._$model.property(named: name) { return column }
        throw BanyanError(
            .unknownProperty, "'\(Self._$model.name)' has no property '\(name)'",
            remedy: "Its properties are " + Self._$model.properties.map(\.name).joined(separator: ", "),
            at: location(name))
    }

    private final func requirePresent(_ column: Int) throws(BanyanError) {
        guard isInvalidated else { return }
        throw BanyanError(
            .invalidatedObject, "the object was deleted, or its creation was rolled back",
            remedy: "Ask `isInvalidated` first, or look the object up again",
            at: location(Self._$model.properties[column].name))
    }

    private final func location(_ name: String) -> BanyanError.Location {
        BanyanError.Location(type: Self._$model.name, object: objectID.map { "\($0)" }, property: name)
    }

    /// Traps where no property of a managed object can be set, whatever its name: outside a write.
    final func requireWritable(_ name: String) {
        if let graph = _graph, graph.workspace.transaction == nil { graph.refuseChange(of: Self._$model.name, name) }
    }

    private static func get<V: _PersistedProperty>(_ type: V.Type, _ object: ObjectBase, _ column: Int) -> Any {
        V._$get(object, column)
    }

    private static func set<V: _PersistedProperty>(
        _ type: V.Type, _ object: ObjectBase, _ column: Int, _ value: Any?, _ info: _PropertyInfo
    ) -> Bool {
        if let typed = typed(type, value, info) {
            V._$set(object, column, typed)
            return true
        }
        guard info.type.shape != .single, let value, let collection = V._$get(object, column) as? any Refillable else {
            return false
        }
        return collection.refill(with: value)
    }

    private static func typed<V>(_ type: V.Type, _ value: Any?, _ info: _PropertyInfo) -> V? {
        guard let value = value.flatMap({ flattened($0) }) else { return info.type.isOptional ? nilValue(type) : nil }
        if let typed = cast(value, to: type) { return typed }
        guard info.type.shape == .single else { return nil }
        guard !info.type.kind.isLink, let stored = ValueConversion.value(value, as: info.type.kind) else { return nil }
        let wrapped = (type as? any OptionalValue.Type)?.wrappedType ?? type
        if let type = wrapped as? any PersistableEnum.Type { return enumCase(type, stored) as? V }
        return (type as? any CollectionValue.Type).flatMap { made($0, stored) as? V }
    }

    private static func cast<V>(_ value: Any, to type: V.Type) -> V? {
        // Foundation would make an object of anything, and one number of another: see `ValueConversion`.
        guard Swift.type(of: value) is AnyClass else {
            let wrapped = (type as? any OptionalValue.Type)?.wrappedType ?? type
            return wrapped is AnyClass ? nil : value as? V
        }
        return ValueConversion.isNumberObject(value) ? nil : value as? V
    }

    private static func enumCase<E: PersistableEnum>(_ type: E.Type, _ stored: Value) -> E? {
        made(E.RawValue.self, stored).flatMap { E(rawValue: $0) }
    }

    /// What a stored value is in Swift.
    private static func made<C: CollectionValue>(_ type: C.Type, _ stored: Value) -> C? { C._$make(_Untyped(stored)) }

    private static func nilValue<V>(_ type: V.Type) -> V? {
        (type as? any OptionalValue.Type).flatMap { $0.noValue as? V }
    }
}

/// The value inside however many Optionals.
private func flattened(_ value: Any) -> Any? {
    if let optional = value as? any OptionalValue { return optional.wrappedValue.flatMap { flattened($0) } }
    return value
}

/// A collection that takes its contents from an array or a dictionary of unknown elements.
private protocol Refillable {
    /// False when an element does not fit; then nothing is done.
    func refill(with contents: Any) -> Bool
}

extension List: Refillable {
    func refill(with contents: Any) -> Bool {
        guard let elements = ValueConversion.elements(contents, of: Element.self) else { return false }
        replaceAll(with: elements)
        return true
    }
}

extension MutableSet: Refillable {
    func refill(with contents: Any) -> Bool {
        guard let elements = ValueConversion.elements(contents, of: Element.self) else { return false }
        replaceAll(with: elements)
        return true
    }
}

extension Map: Refillable {
    func refill(with contents: Any) -> Bool {
        guard let entries = ValueConversion.entries(contents, of: Key.self, Value.self) else { return false }
        replaceAll(with: entries)
        return true
    }
}

// MARK: - In bulk

extension ObjectCollection where Element: ObjectBase {
    /// The value of a property of every object, by its name, in order.
    ///
    /// - Throws: `unknownProperty`; `invalidatedObject`.
    public func value(forKey name: String) throws(BanyanError) -> [Any?] {
        var values: [Any?] = []
        for object in self { values.append(try object.value(forKey: name)) }
        return values
    }

    /// Sets a property of every object, by its name.
    ///
    /// - Throws: as an object's `setValue(_:forKey:)`.
    public func setValue(_ value: Any?, forKey name: String) throws(BanyanError) {
        for object in Array(self) { try object.setValue(value, forKey: name) }
    }
}
