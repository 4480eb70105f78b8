import BanyanCore

/// One stored property as a key path names it.
struct TracedProperty: Sendable {
    private let model: _ObjectModel
    private let column: Int

    init(_ model: _ObjectModel, _ column: Int) {
        self.model = model
        self.column = column
    }

    var info: _PropertyInfo { model.properties[column] }
    var name: String { model.properties[column].name }
    var kind: ValueKind { model.properties[column].type.kind }
    var isSingle: Bool { model.properties[column].type.shape == .single }
    /// The path of the property alone.
    var path: PropertyPath { model.paths[column] }
}

/// Traces key paths to the stored properties they name. Nothing that a key path names is read on the way.
enum KeyPathTracer {
    /// The property a key path of one component names.
    ///
    /// - Throws: `invalidQuery` when it is computed, or not marked `@Persisted`.
    static func property<Root: _QueriedObject, Value>(
        _ keyPath: KeyPath<Root, Value>
    ) throws(BanyanError) -> TracedProperty {
        try property(keyPath, of: Root._$model)
    }

    static func property(_ keyPath: AnyKeyPath, of model: _ObjectModel) throws(BanyanError) -> TracedProperty {
        if let property = stored(keyPath, model) { return property }
        throw notStored(keyPath, model)
    }

    /// The chain of properties a key path names, through links: `\.dog?.name`.
    ///
    /// - Throws: `invalidQuery` when one of them is computed, or not marked `@Persisted`.
    static func properties(_ keyPath: AnyKeyPath, of model: _ObjectModel) throws(BanyanError) -> [TracedProperty] {
        if let property = stored(keyPath, model) { return [property] }
        return try TracedKeyPaths.find(keyPath) {
            var search = KeyPathSearch(keyPath, model)
            if let path = search.run() { return .success(path) }
            return .failure(
                search.metRequiredLink ? unknown(keyPath, model) : notStored(keyPath, model))
        }.get()
    }

    /// The property a key path of one component names; nil when it is none of a stored property.
    static func stored(_ keyPath: AnyKeyPath, _ model: _ObjectModel) -> TracedProperty? {
        model.keyPaths.column(keyPath).map { TracedProperty(model, $0) }
    }

    private static func notStored(_ keyPath: AnyKeyPath, _ model: _ObjectModel) -> BanyanError {
        BanyanError(
            .invalidQuery, "the key path \(keyPath) does not name a stored property",
            remedy: "Query and sort by properties marked @Persisted", at: .init(type: "\(model.type)"))
    }

    /// Of a class from which links that are never nil are reached behind `?`.
    private static func unknown(_ keyPath: AnyKeyPath, _ model: _ObjectModel) -> BanyanError {
        BanyanError(
            .invalidQuery,
            "the key path \(keyPath) does not name a stored property, or leads through `?` and a required link",
            remedy:
                "Query and sort by properties marked @Persisted; for a required link behind an optional one write `!`, as in "
                + "\\.owner!.home.city, which unwraps nothing here, or the name as a text, \"owner.home.city\"",
            at: .init(type: "\(model.type)"))
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
