import BanyanCore

extension Graph {
    /// Makes a managed object from a dictionary by property name, an array in declared order, another object, or nothing at all.
    ///
    /// What the dictionary leaves out gets its default. Dictionaries stand for linked and embedded objects, arrays and sets for
    /// lists and sets, dictionaries for maps; what a value is made of goes by the type of the property, so decoded JSON will do.
    /// Objects are linked as they are; of the objects that another object embeds, or that another graph manages, copies are made.
    ///
    /// Where the primary key is taken, of nested values too, `update` says what happens: with `.modified` and `.all`
    /// the object that has it gets the values that are given and keeps the others; it may be of a class that inherits
    /// from `type`. With `.modified` embedded objects are changed where they are, with `.all` they are replaced.
    ///
    /// - Throws: `unknownProperty`, `invalidValue` with the path of the value, `duplicateKey`, `notInWrite`, and what `add`
    ///   throws.
    @discardableResult
    public func create<T: Object>(_ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error)
        throws(BanyanError) -> T
    {
        try requireWrite()
        do throws(BanyanError) {
            _ = try binder(for: type)
            let reader = ValueReader(.linked(to: self))
            let read = try reader.read(value, as: type)
            let object = try ObjectAssembler(self, update, reader).make(read)
            guard let typed = object as? T else { throw BanyanError(.invalidValue, "the value makes no \(type)") }
            return typed
        } catch {
            // A part of it may be there already.
            fail(error)
            throw error
        }
    }
}

/// A class whose objects can be made of untyped values: every model.
public protocol _ValueInitializable: ObjectBase {}
extension ObjectBase: _ValueInitializable {}

extension _ValueInitializable {
    /// Makes an unmanaged object from a dictionary by property name, an array in declared order, or another object.
    ///
    /// Values are taken as `Graph.create(_:value:update:)` takes them. Of another object the properties are copied, its embedded
    /// objects too; what it links to is linked, not copied: for that there is `unmanagedCopy(depth:)`.
    ///
    /// - Throws: `unknownProperty`, and `invalidValue` with the path of the value.
    public init(value: Any) throws(BanyanError) {
        self.init()
        let reader = ValueReader(.kept)
        let read = try reader.read(value, as: Self.self)
        read.instance = self
        _ = try ObjectAssembler(reader).make(read)
    }

    /// A copy that no graph manages, of what the object links to, too: so many levels of links as `depth` says. Links that go
    /// deeper are left out, but for those that are never nil. What occurs twice is copied once, so that cycles stay cycles.
    ///
    /// - Complexity: O(values copied).
    public func unmanagedCopy(depth: Int = .max) -> Self {
        do throws(BanyanError) {
            let reader = ValueReader(.copied(depth: depth))
            let read = try reader.read(self, as: type(of: self))
            let copy = try ObjectAssembler(reader).make(read)
            return unsafeDowncast(copy, to: Self.self)
        } catch {
            // What is read from an object of a class fits the class.
            fatalError("\(error)")
        }
    }
}
