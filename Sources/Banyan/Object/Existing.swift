import BanyanCore

// What is deleted reads as nothing outside a write; these ask first, and throw.

// In a protocol, for the type of the object, and so that a class may have a property of this name.
extension _ValueInitializable {
    /// The object itself, if it is there: `try dog.existing().name`.
    ///
    /// - Throws: `invalidatedObject` for one that was deleted, or whose creation was rolled back.
    public func existing() throws(BanyanError) -> Self {
        guard isInvalidated else { return self }
        throw BanyanError(
            .invalidatedObject, "the object was deleted, or its creation was rolled back",
            remedy: "Look it up again", at: .init(type: type(of: self)._$model.name, object: objectID.map { "\($0)" }))
    }
}

extension ObjectCollection {
    /// The collection itself, if the object it belongs to is there. Results on all objects of a type always are.
    ///
    /// - Throws: `invalidatedObject`.
    public func existing() throws(BanyanError) -> Self {
        guard isInvalidated else { return self }
        throw BanyanError(
            .invalidatedObject, "the object that the collection belongs to was deleted", remedy: "Look it up again")
    }
}

extension Map {
    /// The map itself, if the object it belongs to is there.
    ///
    /// - Throws: `invalidatedObject`.
    public func existing() throws(BanyanError) -> Map {
        guard isInvalidated else { return self }
        throw BanyanError(
            .invalidatedObject, "the object that the map belongs to was deleted", remedy: "Look it up again")
    }
}
