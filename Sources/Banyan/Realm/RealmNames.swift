import BanyanCore

// The names that Realm Swift has for what is called otherwise here, so that a program written for it compiles first and is
// renamed afterwards: each is deprecated, and says what its name is now. None of them costs anything.

@available(*, deprecated, renamed: "Graph")
public typealias Realm = Graph
@available(*, deprecated, renamed: "Object")
public typealias RealmSwiftObject = Object
@available(*, deprecated, renamed: "EmbeddedObject")
public typealias RealmSwiftEmbeddedObject = EmbeddedObject
@available(*, deprecated, renamed: "AnyValue")
public typealias AnyRealmValue = AnyValue
@available(*, deprecated, renamed: "PersistableEnum")
public typealias RealmEnum = PersistableEnum
@available(*, deprecated, renamed: "ObjectCollection")
public typealias RealmCollection = ObjectCollection
@available(*, deprecated, renamed: "AnyObjectCollection")
public typealias AnyRealmCollection = AnyObjectCollection
@available(*, deprecated, renamed: "CollectionValue")
public typealias RealmCollectionValue = CollectionValue
@available(*, deprecated, renamed: "CollectionChange")
public typealias RealmCollectionChange = CollectionChange
@available(*, deprecated, renamed: "MapChange")
public typealias RealmMapChange = MapChange
@available(*, deprecated, renamed: "SummableValue")
public typealias AddableType = SummableValue
@available(*, deprecated, renamed: "Comparable")
public typealias MinMaxType = Comparable
@available(*, deprecated, renamed: "Identifiable")
public typealias ObjectKeyIdentifiable = Identifiable

// As `Realm.Configuration` and `Realm.UpdatePolicy` are spelled.

extension Graph {
    public typealias Configuration = Store.Configuration
    public typealias UpdatePolicy = _UpdatePolicy
}

/// What `UpdatePolicy` is, where a member of the same name hides it.
public typealias _UpdatePolicy = UpdatePolicy

// In protocols, so that a class may have a property of this name.

extension _ValueInitializable {
    @available(*, deprecated, renamed: "graph")
    public var realm: Graph? { graph }
}

extension ObjectCollection {
    @available(*, deprecated, renamed: "graph")
    public var realm: Graph? { _$graph }
}

extension Map {
    @available(*, deprecated, renamed: "graph")
    public var realm: Graph? { graph }
}
