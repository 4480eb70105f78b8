import BanyanCore

/// One stored property as a key path names it.
struct TracedProperty {
    let info: _PropertyInfo
}

/// Traces key paths of one property to the property.
enum KeyPathTracer {
    /// The property a key path of one component names.
    ///
    /// - Throws: `invalidQuery` when it is computed, or not marked `@Persisted`.
    static func property<Root: ObjectBase, Value>(
        _ keyPath: KeyPath<Root, Value>, _ graph: Graph
    ) throws(BanyanError) -> TracedProperty {
        let path = try properties(keyPath, graph)
        guard path.count == 1, let first = path.first else {
            throw notStored(Root.self, "\(keyPath)")
        }
        return first
    }

    /// The chain of properties a key path names, through links: `\.dog?.name`.
    ///
    /// - Throws: `invalidQuery` when one of them is computed, or not marked `@Persisted`.
    static func properties<Root: ObjectBase, Value>(
        _ keyPath: KeyPath<Root, Value>, _ graph: Graph
    ) throws(BanyanError) -> [TracedProperty] {
        let probe = KeyPathProbe()
        let tracing = Graph(probe: probe, graph.binding, graph.workspace.version)
        let root = tracing.probeInstance(Root.self)
        let value = root[keyPath: keyPath]
        guard let column = probe.path.last?.column, let owner = probe.lastObject else {
            throw notStored(Root.self, "\(keyPath)")
        }
        let path = probe.path
        // A computed property may read a stored one, but what it makes of it is not what is stored.
        if let stored = probe.storedValue(owner, column), let given = unwrapped(value), !(given is any PersistableEnum),
            AnyHashable(given) != AnyHashable(stored)
        {
            throw notStored(Root.self, "\(keyPath)")
        }
        return path.map { TracedProperty(info: $0.model.properties[$0.column]) }
    }

    /// The value inside however many Optionals, if it can be compared.
    private static func unwrapped(_ value: Any) -> (any Hashable)? {
        if let optional = value as? any OptionalValue { return optional.wrappedValue.flatMap { unwrapped($0) } }
        return value as? any Hashable
    }

    private static func notStored(_ type: ObjectBase.Type, _ keyPath: String) -> BanyanError {
        BanyanError(
            .invalidQuery, "the key path \(keyPath) does not name a stored property",
            remedy: "Query and sort by properties marked @Persisted", at: .init(type: type._$model.name))
    }
}

protocol OptionalValue {
    var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
    var wrappedValue: Any? { self }
}
