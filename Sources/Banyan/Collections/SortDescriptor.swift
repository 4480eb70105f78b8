public import BanyanCore

/// A property to sort by, and which way. Where Foundation is imported too, write `.init(keyPath:)` or `Banyan.SortDescriptor`.
///
/// ```swift
/// dogs.sorted(by: [SortDescriptor(keyPath: \Dog.age, ascending: false), SortDescriptor(keyPath: \Dog.name)])
/// try dogs.sorted(by: [SortDescriptor(keyPath: text), "name"])
/// ```
/// `Failure` says what sorting by it may throw: nothing (`Never`) where the compiler knows the property, by its key path; a
/// `BanyanError` where a text names it, which may come from anywhere.
public struct SortDescriptor<Failure: Error> {
    private enum Place {
        case name(String)
        case keyPath(AnyKeyPath, _ObjectModel)
    }
    private let place: Place
    public let ascending: Bool

    /// The other way.
    public func reversed() -> SortDescriptor { SortDescriptor(place: place, ascending: !ascending) }

    private init(place: Place, ascending: Bool) {
        self.place = place
        self.ascending = ascending
    }

    private init<Root: ObjectBase>(traced keyPath: PartialKeyPath<Root>, ascending: Bool) {
        place = .keyPath(keyPath, Root._$model)
        self.ascending = ascending
    }

    /// - Throws: `invalidQuery` where a key path names what is not stored.
    func key() throws(BanyanError) -> SortKey {
        if case .name(let name) = place { return SortKey(keyPath: name, ascending: ascending) }
        return SortKey(try path(), ascending: ascending)
    }

    func path() throws(BanyanError) -> PropertyPath {
        switch place {
        case .name(let name): PropertyPath(name)
        case .keyPath(let keyPath, let model):
            PropertyPath(steps: try KeyPathTracer.properties(keyPath, of: model).map { .property($0.name) })
        }
    }
}

extension SortDescriptor where Failure == Never {
    /// By a key path, through to-one links: `\Dog.owner?.name`.
    public init<Root: ObjectBase>(keyPath: PartialKeyPath<Root>, ascending: Bool = true) {
        self.init(traced: keyPath, ascending: ascending)
    }
}

extension SortDescriptor where Failure == BanyanError {
    /// By names, separated by dots: `"owner.name"`. The last may say what the values behind a collection amount to:
    /// `"dogs.@count"`, or `@min`, `@max`, `@sum` or `@avg`, as in `"dogs.age.@max"`. Sorting throws if there is no such property.
    public init(keyPath: String, ascending: Bool = true) {
        self.init(place: .name(keyPath), ascending: ascending)
    }

    /// By a key path, among others that are named by texts.
    @_disfavoredOverload
    public init<Root: ObjectBase>(keyPath: PartialKeyPath<Root>, ascending: Bool = true) {
        self.init(traced: keyPath, ascending: ascending)
    }
}

extension SortDescriptor: Equatable {
    public static func == (a: SortDescriptor, b: SortDescriptor) -> Bool {
        guard a.ascending == b.ascending else { return false }
        return switch (a.place, b.place) {
        case (.name(let a), .name(let b)): a == b
        case (.keyPath(let a, _), .keyPath(let b, _)): a == b
        default: false
        }
    }
}

extension SortDescriptor: ExpressibleByStringLiteral, ExpressibleByExtendedGraphemeClusterLiteral,
    ExpressibleByUnicodeScalarLiteral
where Failure == BanyanError {
    public init(stringLiteral value: String) { self.init(keyPath: value) }
}
