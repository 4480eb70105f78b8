import BanyanCore

// Types by their stored names.

extension Graph {
    /// All objects of a type, by its stored name, with those of types that inherit from it.
    ///
    /// - Throws: `unknownType`, and `invalidQuery` for an embedded type.
    public func dynamicObjects(_ typeName: String) throws(BanyanError) -> DynamicResults {
        let binder = try topLevelBinder(typeName)
        return DynamicResults(ResultsSource(self, binder.model.type, BanyanCore.Query(binder.layout.type.name)))
    }

    /// The object of a type with this primary key.
    ///
    /// - Throws: `unknownType`; `invalidValue` for a key of another type; `unknownProperty` for a type without a primary key.
    public func dynamicObject(ofType typeName: String, forPrimaryKey key: Any) throws(BanyanError) -> DynamicObject? {
        guard let type = try topLevelBinder(typeName).model.type as? Object.Type else { return nil }
        return try lookUp(type, primaryKey: key).map { DynamicObject($0) }
    }

    /// The object with this identity; nil when it is not there.
    public func dynamicObject(_ id: ObjectID) -> DynamicObject? {
        workspace.locate(id) == nil ? nil : dynamicObject(id.ref)
    }

    /// Makes an object of a type, by its stored name, as `create(_:value:update:)` does.
    ///
    /// - Throws: `unknownType`, and what that throws.
    @discardableResult
    public func dynamicCreate(
        _ typeName: String, value: Any = [String: Any](), update: UpdatePolicy = .error
    ) throws(BanyanError) -> DynamicObject {
        guard let type = try topLevelBinder(typeName).model.type as? Object.Type else {
            throw BanyanError(.unknownType, "'\(typeName)' is embedded", at: .init(type: typeName))
        }
        return DynamicObject(try create(type, value: (value as? DynamicObject)?.object ?? value, update: update))
    }

    /// Deletes an object.
    public func delete(_ object: DynamicObject) { delete(object.object) }

    private func topLevelBinder(_ typeName: String) throws(BanyanError) -> TableBinder {
        guard let binder = binding.binders.first(where: { $0.layout.type.name == typeName }) else {
            let known = binding.binders.map(\.layout.type.name).sorted().joined(separator: ", ")
            throw BanyanError(
                .unknownType, "there is no type '\(typeName)'", remedy: "The types are: \(known)",
                at: .init(type: typeName))
        }
        guard !binder.model.isEmbedded else {
            throw BanyanError(
                .invalidQuery, "objects of the embedded type '\(typeName)' are found through their owners",
                at: .init(type: typeName))
        }
        return binder
    }

    // MARK: - Values

    func dynamicObject(_ ref: ObjectRef) -> DynamicObject {
        DynamicObject(instance(binder(ref.table).model.type, ref))
    }

    /// A stored value as dynamic objects show it.
    func dynamicValue(_ value: Value, _ kind: ValueKind) -> Any? {
        if kind == .any { return swiftValue(value, kind, in: workspace.view) }
        if case .object(let ref) = value { return dynamicObject(ref) }
        return SwiftValue.make(value, kind)
    }

    /// What is stored of a value, or of an element, that is to go into a property. Objects are added.
    func storedValue(_ any: Any?, _ id: ObjectID, _ column: Int) throws(BanyanError) -> Value {
        try stored(given(any, id, column))
    }

    /// What is stored of the elements of a collection. Nothing is added unless all of them fit.
    func storedValues(_ elements: [Any?], _ id: ObjectID, _ column: Int) throws(BanyanError) -> [Value] {
        var given: [GivenValue] = []
        for element in elements { given.append(try self.given(element, id, column)) }
        var values: [Value] = []
        do throws(BanyanError) {
            for element in given { values.append(try stored(element)) }
        } catch {
            // Some of them may have been added.
            fail(error)
            throw error
        }
        return values
    }

    private enum GivenValue {
        case value(Value)
        /// An object, managed or to be added.
        case object(ObjectBase)
    }

    private func stored(_ given: GivenValue) throws(BanyanError) -> Value {
        switch given {
        case .value(let value): value
        case .object(let object): .object(try context.add(object, .error))
        }
    }

    /// What a value is for a property, or for its elements. Dictionaries, and arrays in declared order, make objects that are
    /// not managed yet.
    private func given(_ value: Any?, _ id: ObjectID, _ column: Int) throws(BanyanError) -> GivenValue {
        let binder = binder(Int(id.table))
        let info = binder.layout.columns[column]
        let location = binder.layout.location(column, object: "\(id)")
        func misfit() -> BanyanError {
            let given = value.map { "a \(Swift.type(of: $0))" } ?? "nil"
            let type = binder.layout.type.properties[column].typeDescription
            return BanyanError(.invalidValue, "\(given) does not fit here: the property is \(type)", at: location)
        }
        guard let any = value.map({ ValueConversion.unwrapped($0) }), !ValueConversion.isNil(any) else {
            guard info.isOptional || info.kind.isLink else { throw misfit() }
            return .value(.null)
        }
        guard info.kind.isLink else {
            guard let value = ValueConversion.value(any, as: info.kind),
                info.kind.isText || value.cell(as: info.kind) != nil
            else { throw misfit() }
            return .value(value)
        }
        if let object = (any as? DynamicObject)?.object ?? ValueConversion.instance(any, of: ObjectBase.self) {
            return .object(object)
        }
        guard any is [String: Any] || ValueConversion.elements(any) != nil,
            let type = binder.model.properties[column].type.target
        else { throw misfit() }
        let reader = ValueReader(.linked(to: self))
        let read = try reader.read(any, as: type)
        return .object(try ObjectAssembler(reader).make(read))
    }
}

/// The objects of a type that a query selects, by the type's stored name: lazy and live.
public struct DynamicResults: RandomAccessCollection {
    private let source: ResultsSource

    init(_ source: ResultsSource) { self.source = source }

    public var startIndex: Int { 0 }
    public var endIndex: Int { source.count }
    public var count: Int { source.count }
    public var first: DynamicObject? { source.first().map { DynamicObject($0) } }
    public subscript(position: Int) -> DynamicObject { DynamicObject(source.object(at: position)) }

    /// Those that satisfy a condition in the string language as well: see ``Results/filter(_:_:)``.
    ///
    /// - Throws: `invalidQuery`, naming the column of the text.
    public func filter(_ condition: String, _ arguments: Any?...) throws(BanyanError) -> DynamicResults {
        try filter(condition, arguments: arguments)
    }

    /// The same with the arguments in an array.
    public func filter(_ condition: String, arguments: [Any?]) throws(BanyanError) -> DynamicResults {
        DynamicResults(try source.filtered(condition, source.graph.arguments(arguments)))
    }

    /// The same with arguments by name, for `$name` in the text.
    public func filter(_ condition: String, arguments: [String: Any?]) throws(BanyanError) -> DynamicResults {
        DynamicResults(try source.filtered(condition, source.graph.arguments(arguments)))
    }

    /// The same objects in the order of a property, by its name and those on the way to it; or in that of an aggregate, as
    /// in `dogs.@count`.
    ///
    /// - Throws: `invalidQuery` for what is not there or has no order.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) throws(BanyanError) -> DynamicResults {
        var query = source.query
        query.sort = [SortKey(keyPath: keyPath, ascending: ascending)]
        return try checked(query)
    }

    /// Of objects that have the same values in all of these properties the first.
    ///
    /// - Throws: `invalidQuery` for what is not there.
    public func distinct(by keyPaths: [String]) throws(BanyanError) -> DynamicResults {
        var query = source.query
        query.distinct = keyPaths.map { PropertyPath($0) }
        return try checked(query)
    }

    /// The first objects, at most so many, and without so many at the start: see `Results.limit` and `Results.offset`.
    public func limit(_ count: Int) -> DynamicResults { DynamicResults(source.cut(limit: count)) }
    public func offset(_ count: Int) -> DynamicResults { DynamicResults(source.cut(offset: count)) }

    private func checked(_ query: BanyanCore.Query) throws(BanyanError) -> DynamicResults {
        _ = try QueryPlan(query, source.graph.workspace.layout)
        return DynamicResults(source.with(query))
    }
}
