import BanyanCore

extension Graph {
    /// Makes a managed object from a dictionary by property name, an array in declared order, or nothing at all.
    ///
    /// What the dictionary leaves out gets its default. Dictionaries stand for linked and embedded objects, arrays for lists
    /// and sets, dictionaries for maps; objects are linked as they are. Where the primary key is taken, `update` says what
    /// happens: with `.modified` and `.all` the object that has it gets the values that are given and keeps the others.
    ///
    /// - Throws: `unknownProperty`, `invalidValue` with the path of the value, `duplicateKey`, `notInWrite`, and what `add`
    ///   throws.
    @discardableResult
    public func create<T: Object>(_ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error)
        throws(BanyanError) -> T
    {
        try requireWrite()
        let creator = try ObjectCreator(self, update)
        do throws(BanyanError) {
            let object = try creator.make(type, value, path: "\(type)")
            guard let typed = object as? T else { throw BanyanError(.invalidValue, "the value makes no \(type)") }
            return typed
        } catch {
            // A part of it may be there already.
            fail(error)
            throw error
        }
    }
}

/// Builds objects of untyped values.
private struct ObjectCreator {
    let graph: Graph
    let transaction: Transaction
    let policy: UpdatePolicy

    init(_ graph: Graph, _ policy: UpdatePolicy) throws(BanyanError) {
        guard let transaction = graph.workspace.transaction else {
            throw BanyanError(.notInWrite, "a graph can be changed inside a write only")
        }
        self.graph = graph
        self.transaction = transaction
        self.policy = policy
    }

    /// The object a value stands for: itself, one found by its key, or a new one.
    func make(_ type: ObjectBase.Type, _ value: Any, path: String) throws(BanyanError) -> ObjectBase {
        if let object = value as? ObjectBase {
            if object._graph !== graph { try graph.context.objectAdder(policy).add(object) }
            return object
        }
        let binder = try graph.binder(for: type)
        let values = try named(value, binder, path)
        let object = type.init()
        var isNew = true
        if let column = binder.layout.keyColumn, let given = values[column] {
            let key = try single(
                given, binder.layout.columns[column], path + "." + binder.model.properties[column].name)
            if policy != .error, let id = transaction.view.find(binder.table, key: key) {
                isNew = false
                let existing = graph.instance(type, id.ref)
                try assign(values, to: existing, binder, path)
                return existing
            }
            object.setUnmanaged(key, column, binder.layout.columns[column].kind)
        }
        if isNew, !binder.model.isEmbedded { try graph.context.objectAdder(.error).add(object) }
        if binder.model.isEmbedded { _ = try graph.context.objectAdder(.error).link(object) }
        try assign(values, to: object, binder, path)
        return object
    }

    private func named(_ value: Any, _ binder: TableBinder, _ path: String) throws(BanyanError) -> [Int: Any] {
        let properties = binder.model.properties
        var result: [Int: Any] = [:]
        if let dictionary = value as? [String: Any] {
            for (name, value) in dictionary {
                guard let column = binder.model.property(named: name), !properties[column].type.isInverse else {
                    throw BanyanError(
                        .unknownProperty, "'\(path)' has no stored property '\(name)'",
                        remedy: "Its properties are " + properties.map(\.name).joined(separator: ", "),
                        at: .init(type: binder.model.name, property: name))
                }
                result[column] = value
            }
        } else if let array = value as? [Any] {
            let stored = properties.indices.filter { !properties[$0].type.isInverse }
            guard array.count <= stored.count else {
                throw BanyanError(
                    .invalidValue, "\(array.count) values were given for the \(stored.count) properties of '\(path)'",
                    at: .init(type: binder.model.name))
            }
            for (column, value) in zip(stored, array) { result[column] = value }
        } else {
            throw BanyanError(
                .invalidValue, "a \(Swift.type(of: value)) makes no '\(path)'",
                remedy: "Give a dictionary, an array or an object", at: .init(type: binder.model.name))
        }
        return result
    }

    private func assign(_ values: [Int: Any], to object: ObjectBase, _ binder: TableBinder, _ path: String)
        throws(BanyanError)
    {
        for (column, value) in values.sorted(by: { $0.key < $1.key }) where column != binder.layout.keyColumn {
            let info = binder.layout.columns[column]
            let property = binder.model.properties[column]
            let place = path + "." + property.name
            switch property.type.shape {
            case .single:
                transaction.setValue(object._id, column, try element(value, info, property, place))
            case .list, .set:
                guard let array = value as? [Any] else { throw misfit(value, info, binder, column, place) }
                var elements: [Value] = []
                for (i, value) in array.enumerated() {
                    elements.append(try element(value, info, property, "\(place)[\(i)]"))
                }
                transaction.removeAll(object._id, column)
                if property.type.shape == .list {
                    transaction.listInsert(object._id, column, at: 0, elements)
                } else {
                    for element in elements { transaction.setInsert(object._id, column, element) }
                }
            case .map:
                guard let dictionary = value as? [String: Any] else { throw misfit(value, info, binder, column, place) }
                transaction.removeAll(object._id, column)
                for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) {
                    guard let kind = info.element?.key, let mapKey = ValueConversion.key(key, as: kind) else {
                        throw misfit(key, info, binder, column, place)
                    }
                    transaction.mapSet(
                        object._id, column, key: mapKey, try element(value, info, property, "\(place)['\(key)']"))
                }
            case .inverse: break
            }
            if let fault = transaction.fault { throw fault }
        }
    }

    /// A property's or an element's value; an object is made and linked.
    private func element(
        _ value: Any, _ info: ColumnLayout, _ property: _PropertyInfo, _ path: String
    ) throws(BanyanError) -> Value {
        if ValueConversion.isNil(value) { return .null }
        if info.kind == .any { return try any(value, path) }
        guard info.kind.isLink, let target = property.type.target else { return try single(value, info, path) }
        return .object(try make(target, value, path: path)._id.ref)
    }

    /// An AnyValue: what the value is by itself.
    private func any(_ value: Any, _ path: String) throws(BanyanError) -> Value {
        guard let any = AnyValue(converting: value) else {
            throw BanyanError(
                .invalidValue, "'\(path)' is AnyValue, and a \(type(of: value)) does not fit",
                at: BanyanError.Location(path: path))
        }
        switch any {
        case .object, .list, .dictionary:
            let cell = any.cell(in: graph, BanyanError.Location(path: path), level: 1)
            if let fault = transaction.fault { throw fault }
            return Value(cell ?? .null, .any)
        default: return any.stored
        }
    }

    private func single(_ value: Any, _ info: ColumnLayout, _ path: String) throws(BanyanError) -> Value {
        if ValueConversion.isNil(value) { return .null }
        let fitting = ValueConversion.value(value, as: info.kind)
        guard let converted = fitting, info.kind.isText || converted.cell(as: info.kind) != nil else {
            throw BanyanError(
                .invalidValue, "'\(path)' is \(info.kind.name), and a \(type(of: value)) does not fit",
                at: BanyanError.Location(path: path))
        }
        return converted
    }

    private func misfit(
        _ value: Any, _ info: ColumnLayout, _ binder: TableBinder, _ column: Int, _ path: String
    ) -> BanyanError {
        BanyanError(
            .invalidValue,
            "'\(path)' is \(binder.layout.type.properties[column].typeDescription), and a \(type(of: value)) does not fit",
            at: binder.layout.location(column))
    }
}

extension BanyanError.Location {
    /// The place that the path of a value in what was given begins with.
    fileprivate init(path: String) {
        let parts = path.split(separator: ".", maxSplits: 1)
        self.init(
            type: parts.first.map(String.init),
            property: parts.count > 1 ? parts[1].prefix { $0 != "." && $0 != "[" }.description : nil)
    }
}

extension ValueConversion {
    /// The key of a map for the name a dictionary gives it.
    static func key(_ name: String, as kind: ValueKind) -> Value? {
        switch kind {
        case .int8, .int16, .int32, .int: Int64(name).map { .int($0) }
        default: value(name, as: kind)
        }
    }
}

extension ObjectBase {
    /// Sets a plain property of an unmanaged object.
    fileprivate func setUnmanaged(_ value: Value, _ column: Int, _ kind: ValueKind) {
        switch value {
        case .string(let text): text._$withBytes { _$setText(column, $0, kind) }
        case .data(let data): data._$withBytes { _$setText(column, $0, kind) }
        default: if let cell = value.cell(as: kind) { _columns[column].store(cell, kind, _page, 0) }
        }
    }
}
