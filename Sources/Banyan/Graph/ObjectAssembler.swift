import BanyanCore

/// Makes objects of what was read from untyped values: unmanaged ones, or ones in a graph, whose objects it updates where keys
/// are taken.
///
/// Objects are made first and get their values from a list, so that they may link to each other in any way.
final class ObjectAssembler {
    private let graph: Graph?
    private let policy: UpdatePolicy
    /// Keeps what was read, and knows where it stood in what was given.
    private let reader: ValueReader
    private var pending: [(read: ReadObject, isUpdate: Bool)] = []
    /// How many values were set so far.
    private(set) var valuesSet = 0

    /// For unmanaged objects.
    init(_ reader: ValueReader) {
        graph = nil
        policy = .error
        self.reader = reader
    }

    /// For objects in a graph, inside a write.
    init(_ graph: Graph, _ policy: UpdatePolicy, _ reader: ValueReader) {
        self.graph = graph
        self.policy = policy
        self.reader = reader
    }

    func make(_ read: ReadObject) throws(BanyanError) -> ObjectBase {
        if read.instance != nil { pending.append((read, false)) }
        let object = try instance(read)
        var next = 0
        while next < pending.count {
            let (read, isUpdate) = pending[next]
            next += 1
            try assign(read, isUpdate)
        }
        return object
    }

    /// The object that something read will be: a new one, or one found by its key.
    private func instance(_ read: ReadObject) throws(BanyanError) -> ObjectBase {
        if let instance = read.instance { return instance }
        let object = read.type.init()
        var isUpdate = false
        read.instance = object
        if let graph, !(object is EmbeddedObject) {
            let binder = try graph.binder(for: read.type)
            if let column = binder.layout.keyColumn, let key = read.scalar(column) {
                // One of a class that inherits from this one will do; any other is in the way, and adding says so.
                if policy != .error, let view = graph.workspace.transaction?.view,
                    let id = view.findInFamily(binder.table, key: key),
                    view.layout.hierarchy.isSubtype(Int(id.table), of: binder.table)
                {
                    isUpdate = true
                    read.instance = graph.instance(read.type, id.ref)
                } else {
                    object.setUnmanaged(key, column, binder.layout.columns[column].kind)
                }
            }
        }
        if let graph, !isUpdate {
            object.forgetDefaults(of: read.values.map(\.column))
            if !(object is EmbeddedObject) { try graph.context.add(object, .error) }
        }
        pending.append((read, isUpdate))
        return read.instance ?? object
    }

    // MARK: - Values

    private func assign(_ read: ReadObject, _ isUpdate: Bool) throws(BanyanError) {
        guard let object = read.instance else { return }
        let model = type(of: object)._$model
        let keyColumn = object._graph == nil ? nil : model.properties.firstIndex { $0.isPrimaryKey }
        for (column, value) in read.values where column != keyColumn {
            let property = model.properties[column]
            valuesSet += 1
            switch value {
            case .scalar(let value):
                if property.type.kind.isLink {
                    ObjectBase._$setOptional(object, column, nil)
                } else {
                    object.set(value, column, property.type.kind)
                    if isUpdate, policy == .all { object.touch(column) }
                }
            case .any(let value): AnyValue._$set(object, column, value)
            case .object, .link:
                let present = isUpdate ? object.untyped(column).object : nil
                if property.type.kind == .any {
                    let target = try target(value, nil) as? Object
                    AnyValue._$set(object, column, target.map { .object($0) } ?? .none)
                    break
                }
                ObjectBase._$setOptional(object, column, try target(value, present))
            case .list(let elements):
                let present = isUpdate ? presentObjects(object, column, property) : []
                var made: [_Untyped] = []
                for (i, element) in elements.enumerated() {
                    made.append(try self.element(element, property, i < present.count ? present[i] : nil))
                }
                try fill(object, column, property, .list(made), read.path)
            case .map(let entries):
                let present = isUpdate ? presentEntries(object, column, property) : [:]
                var made: [(key: _Untyped, value: _Untyped)] = []
                for (key, value) in entries {
                    made.append((_Untyped(key), try element(value, property, present[key])))
                }
                try fill(object, column, property, .map(made), read.path)
            }
            if let fault = graph?.workspace.transaction?.fault { throw fault }
        }
    }

    private func element(
        _ read: ReadValue, _ property: _PropertyInfo, _ present: ObjectBase?
    ) throws(BanyanError) -> _Untyped {
        valuesSet += 1
        switch read {
        case .scalar(let value): return _Untyped(value)
        case .any(let value): return value._$untyped
        case .object(let object) where property.type.isProjection:
            // The element is made of what its object holds, so that must be there.
            return _Untyped(try ObjectAssembler(reader).make(object))
        default: return _Untyped(try target(read, present))
        }
    }

    /// The object that a link is to lead to. An embedded one that is there already is changed where it is.
    private func target(_ read: ReadValue, _ present: ObjectBase?) throws(BanyanError) -> ObjectBase? {
        switch read {
        case .link(let object): return object
        case .object(let read):
            if read.instance == nil, policy == .modified, let present, present is EmbeddedObject,
                type(of: present) == read.type
            {
                read.instance = present
                pending.append((read, true))
                return present
            }
            return try instance(read)
        case .scalar, .any, .list, .map: return nil
        }
    }

    private func presentObjects(_ object: ObjectBase, _ column: Int, _ property: _PropertyInfo) -> [ObjectBase?] {
        guard policy == .modified, property.type.kind == .embedded, !property.type.isProjection,
            case .list(let elements) = object.untyped(column)
        else { return [] }
        return elements.map(\.object)
    }

    private func presentEntries(
        _ object: ObjectBase, _ column: Int, _ property: _PropertyInfo
    ) -> [Value: ObjectBase] {
        guard policy == .modified, property.type.kind == .embedded, !property.type.isProjection,
            case .map(let entries) = object.untyped(column)
        else { return [:] }
        var result: [Value: ObjectBase] = [:]
        for entry in entries { if let key = entry.key.value { result[key] = entry.value.object } }
        return result
    }

    private func fill(
        _ object: ObjectBase, _ column: Int, _ property: _PropertyInfo, _ contents: UntypedContents,
        _ path: ValuePaths.Path
    ) throws(BanyanError) {
        guard let index = property.type.collection?(object, column)._$fill(contents) else { return }
        let paths = reader.paths
        let place = paths.text(paths.index(index, of: paths.property(property.name, of: path)))
        throw BanyanError(
            .invalidValue, "the value for '\(place)' does not fit", remedy: "Give a value of the element's type",
            at: .init(path: place))
    }
}

extension ReadObject {
    fileprivate func scalar(_ column: Int) -> Value? {
        for (other, value) in values where other == column { if case .scalar(let value) = value { return value } }
        return nil
    }
}

extension UntypedContents {
    fileprivate var object: ObjectBase? { if case .single(let untyped) = self { untyped.object } else { nil } }
}

extension ObjectBase {
    /// Lets go of the objects that an unmanaged object starts with, in these properties: what its graph gets is what was given
    /// instead, and nothing that nobody asked for.
    fileprivate func forgetDefaults(of columns: [Int]) {
        let properties = Self._$model.properties
        for column in columns where properties[column].type.kind.mayLink {
            let type = properties[column].type
            if type.shape == .single {
                if type.kind == .any {
                    AnyValue._$set(self, column, .none)
                } else {
                    Self._$setOptional(self, column, nil)
                }
            } else {
                _ = type.collection?(self, column)._$fill(type.shape == .map ? .map([]) : .list([]))
            }
        }
    }

    /// Sets a scalar property.
    fileprivate func set(_ value: Value, _ column: Int, _ kind: ValueKind) {
        guard let graph = _graph else { return setUnmanaged(value, column, kind) }
        graph.requireTransaction(_id, column).setValue(_id, column, value)
    }

    fileprivate func touch(_ column: Int) {
        guard let transaction = _graph?.workspace.transaction, transaction.contains(_id) else { return }
        transaction.touch(_id, column)
    }

    /// Sets a scalar property of an unmanaged object.
    fileprivate func setUnmanaged(_ value: Value, _ column: Int, _ kind: ValueKind) {
        guard kind.form == .text else {
            if let cell = value.cell(as: kind) { _columns[column].store(cell, kind, _page, 0) }
            return
        }
        if value.isNull { return _$setText(column, nil, kind) }
        _ = value.withTextBytes(of: kind) { _$setText(column, $0, kind) }
    }
}
