/// Makes a class that derives from ``Object``, ``EmbeddedObject`` or another model a type of the graph.
///
/// The properties marked `@Persisted` are stored, in the order in which they are declared, after those of the
/// superclass. All others belong to the instance alone: they are not stored, not queryable, and nobody is told of
/// their changes. Each of those needs a default, because live objects are made without calling your initialisers.
///
/// The class keeps (or gets) `init()`. Its name is the type's stored name: at most 57 UTF-8 bytes.
///
/// Indexes of several properties stand here, the property that decides first in front:
///
/// ```swift
/// @Model(indexes: [["lastName", "firstName"]], unique: [["country", "plate"]])
/// class Driver: Object { … }
/// ```
///
/// Such an index serves equality of its first properties with a range, a prefix or the order of the next one:
/// `lastName == "Lovelace" AND firstName BEGINSWITH "A"`, or all with a last name by their first names. Names that are not
/// persisted properties do not compile.
///
/// - Parameters:
///   - indexes: The names of the properties of each index, two to eight.
///   - unique: The same, for indexes in which no two objects may have the same values. Those with nil in one of them do not
///     count; it is checked at the end of a write, as with a unique property.
@attached(
    member, names: named(_$Slot), named(_$model), named(_$isFinal), named(_$ownModel), named(_$describe),
    named(_$keyPaths), named(_$initializeDefaults), named(init), named(_$codingKeys), named(Detached),
    named(_$Detached), named(_$detach), named(_$key), named(_$concealed), named(_$detaching), named(detached))
public macro Model(indexes: [[String]] = [], unique: [[String]] = []) =
    #externalMacro(module: "BanyanMacros", type: "ModelMacro")

/// Stores a property of a `@Model` class in the graph.
///
/// The type may be left out when there is a default. A default is evaluated when an object is created, never when a
/// stored one is read; without one a property starts as nil, 0, false, "", empty data, now (`Date`), a fresh random
/// value (`UUID`, `ObjectId`) or the first case of its enum.
///
/// - Parameters:
///   - primaryKey: Objects of the type are found by this property, and no two have the same. One per class; String,
///     any Int, ObjectId or UUID, also Optional. It cannot change once the object is managed.
///   - indexed: Keeps a hash index, which serves `==` and `in`.
///   - unique: No two objects of the type may have the same value, nil excepted. It is checked at the end of a write, so
///     that values can be swapped within one; a second object with a value fails the transaction with a `constraint` error.
///     Takes an index, which serves `==` and `in`.
///   - deleteRule: What deleting an object linked from this property does; see ``DeleteRule``.
///   - name: The stored name, where it is not the property's: it is what files, migrations and exports call it. At
///     most 63 UTF-8 bytes.
///   - detached: Whether `detached()` values, and what `print` shows of the object, have the property. If nothing is said, all
///     have it that are not `private` or `fileprivate`.
@attached(accessor)
public macro Persisted(
    primaryKey: Bool = false, indexed: Bool = false, unique: Bool = false, deleteRule: DeleteRule = .nullify,
    name: String = "", detached: Bool? = nil
) = #externalMacro(module: "BanyanMacros", type: "PersistedMacro")

/// Stores a property of a `@Model` class in the graph, with an index of the given kind.
///
/// - Parameters:
///   - indexed: `.hash` serves `==` and `in`; `.ordered` serves ranges, prefixes and sorting as well, and may stand beside the
///     primary key.
///   - unique: No two objects of the type may have the same value, nil excepted, at the end of a write.
///   - name: The stored name, where it is not the property's.
///   - detached: Whether `detached()` values have the property; if nothing is said, all have it that are not private.
@attached(accessor)
public macro Persisted(
    primaryKey: Bool = false, indexed: IndexKind, unique: Bool = false, deleteRule: DeleteRule = .nullify,
    name: String = "", detached: Bool? = nil
) = #externalMacro(module: "BanyanMacros", type: "PersistedMacro")

/// Declares an inverse: the objects that link to this one through a property of theirs.
///
/// The graph keeps it in the transaction that changes the link, so it has no setter and no default.
///
/// - Parameter originProperty: The name of the linking property in the element type of the `LinkingObjects`. One that
///   does not exist does not compile.
@attached(accessor)
public macro Persisted(originProperty: String) =
    #externalMacro(module: "BanyanMacros", type: "PersistedMacro")

/// Declares an inverse by the key path of the property that links here: `@Persisted(inverseOf: \DogClub.members)`.
///
/// The graph keeps it in the transaction that changes the link, so it has no setter and no default.
@attached(accessor)
public macro Persisted<Origin, Link>(inverseOf: KeyPath<Origin, Link>) =
    #externalMacro(module: "BanyanMacros", type: "PersistedMacro")
