import BanyanCore

/// One stored property as a key path names it.
struct TracedProperty: Sendable {
    let info: _PropertyInfo
    /// The path of the property alone.
    let path: PropertyPath

    init(_ info: _PropertyInfo) {
        self.info = info
        path = PropertyPath(steps: [.property(info.name)])
    }
}

/// Traces key paths of one property to the property.
enum KeyPathTracer {
    /// The property a key path of one component names.
    ///
    /// - Throws: `invalidQuery` when it is computed, or not marked `@Persisted`.
    static func property<Root: _QueriedObject, Value>(
        _ keyPath: KeyPath<Root, Value>, _ graph: Graph
    ) throws(BanyanError) -> TracedProperty {
        let path = try properties(keyPath, graph)
        guard path.count == 1 else { throw notStored("\(Root.self)", "\(keyPath)") }
        return path[0]
    }

    /// The chain of properties a key path names, through links: `\.dog?.name`.
    ///
    /// - Throws: `invalidQuery` when one of them is computed, or not marked `@Persisted`.
    static func properties<Root: _QueriedObject>(
        _ keyPath: PartialKeyPath<Root>, _ graph: Graph
    ) throws(BanyanError) -> [TracedProperty] {
        if let known = TracedKeyPaths.find(keyPath) { return known }
        let path = try trace(keyPath, graph).map { TracedProperty($0.model.properties[$0.column]) }
        TracedKeyPaths.remember(keyPath, path)
        return path
    }

    private static func trace<Root: _QueriedObject>(
        _ keyPath: PartialKeyPath<Root>, _ graph: Graph
    ) throws(BanyanError) -> [(model: _ObjectModel, column: Int)] {
        var path: [(model: _ObjectModel, column: Int)] = []
        let valueType = type(of: keyPath).valueType
        let notStored = notStored("\(Root.self)", "\(keyPath)")
        guard let model = Root.self as? ObjectBase.Type else { throw notStored }
        for sample in KeyPathProbe.Sample.allCases {
            let probe = KeyPathProbe(sample)
            let tracing = Graph(probe: probe, graph.binding, graph.workspace.version)
            guard let instance = tracing.probeInstance(model) as? Root else { throw notStored }
            let value = instance[keyPath: keyPath]
            if path.isEmpty { path = probe.path }
            guard let last = path.last,
                probe.path.elementsEqual(path, by: { $0.model === $1.model && $0.column == $1.column })
            else { throw notStored }
            let type = last.model.properties[last.column].type
            // A computed property may read a stored one, but what it makes of it is not what is stored.
            if type.kind == .any, type.shape == .single {
                guard valueType == AnyValue.self else { throw notStored }
                continue
            }
            guard type.shape == .single, !isStoredAsAnother(valueType) else { continue }
            if type.kind.isLink {
                // A property of the value behind a link is not the link.
                guard isObject(valueType) else { throw notStored }
                continue
            }
            let (stored, given) = (probe.lastStoredValue(tracing), unwrapped(value))
            guard stored.map({ AnyHashable($0) }) == given.map({ AnyHashable($0) }) else { throw notStored }
        }
        return path
    }

    /// An enum or a custom type, or its Optional: what is stored is not known of them, so that no sample is one.
    private static func isStoredAsAnother(_ type: Any.Type) -> Bool {
        if type is any PersistableEnum.Type || type is any _CustomPersistable.Type { return true }
        return (type as? any OptionalValue.Type).map { isStoredAsAnother($0.wrappedType) } ?? false
    }

    /// A class of objects, or its Optional.
    private static func isObject(_ type: Any.Type) -> Bool {
        if type is ObjectBase.Type { return true }
        return (type as? any OptionalValue.Type).map { isObject($0.wrappedType) } ?? false
    }

    /// The value inside however many Optionals, if it can be compared.
    private static func unwrapped(_ value: Any) -> (any Hashable)? {
        if let optional = value as? any OptionalValue { return optional.wrappedValue.flatMap { unwrapped($0) } }
        return value as? any Hashable
    }

    private static func notStored(_ type: String, _ keyPath: String) -> BanyanError {
        BanyanError(
            .invalidQuery, "the key path \(keyPath) does not name a stored property",
            remedy: "Query and sort by properties marked @Persisted", at: .init(type: type))
    }
}

protocol OptionalValue {
    static var wrappedType: Any.Type { get }
    /// Nil, as a value of this type.
    static var noValue: Any { get }
    var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
    static var wrappedType: Any.Type { Wrapped.self }
    static var noValue: Any { Self.none as Any }
    var wrappedValue: Any? { self }
}
