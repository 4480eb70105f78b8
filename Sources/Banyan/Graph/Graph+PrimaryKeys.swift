public import BanyanCore

// Looking objects up by what may be no key of theirs.

/// A type that a primary key can have.
public protocol PrimaryKeyValue: CollectionValue {}

extension Optional: PrimaryKeyValue where Wrapped: PrimaryKeyValue & _OptionalWrapped {}

extension Graph {
    /// The object with this primary key, or nil; it may be of a class that inherits from `type`. The key may come from data: what
    /// is no key of the class is an error, which fails no transaction.
    ///
    /// - Throws: `invalidValue` for a key of another type; `unknownProperty` for a class without a primary key; `unknownType` for
    ///   one that is not in the store's schema.
    public func lookUp<T: Object>(_ type: T.Type, primaryKey key: Any?) throws(BanyanError) -> T? {
        // The class may be one that is known at run time only: then `T` is a class it inherits from.
        let binder = try binder(for: type)
        guard let column = binder.layout.keyColumn else { throw Self.noKey(type._$model) }
        let info = binder.layout.columns[column]
        let given = key.flatMap { ValueConversion.isNil($0) ? nil : $0 }
        guard let value = given.map({ ValueConversion.value(ValueConversion.unwrapped($0), as: info.kind) }) ?? .null
        else {
            throw Self.wrongKey(type._$model, given.map { "a \(Swift.type(of: $0))" } ?? "nil", binder, column)
        }
        return workspace.view.findInFamily(binder.table, key: value).flatMap { object(type, $0) }
    }

    /// Fails the transaction, if one is open, where nothing could ever be found by keys like this one.
    @usableFromInline
    @inline(never)
    func reportMisfit(_ model: _ObjectModel, _ given: ValueKind) {
        guard workspace.transaction != nil else { return }
        guard let binder = binding.binder(for: model) else {
            do throws(BanyanError) { _ = try self.binder(for: model.type) } catch { fail(error) }
            return
        }
        guard let column = binder.layout.keyColumn else { return fail(Self.noKey(model)) }
        let kind = binder.layout.columns[column].kind
        guard kind == given || kind.isInteger && given.isInteger else {
            return fail(Self.wrongKey(model, given.name, binder, column))
        }
    }

    private static func noKey(_ model: _ObjectModel) -> BanyanError {
        BanyanError(
            .unknownProperty, "'\(model.name)' has no primary key",
            remedy: "Declare one with `@Persisted(primaryKey: true)`, or look the object up by its ObjectID",
            at: .init(type: model.name))
    }

    private static func wrongKey(
        _ model: _ObjectModel, _ given: String, _ binder: TableBinder, _ column: Int
    ) -> BanyanError {
        BanyanError(
            .invalidValue,
            "\(given) is no primary key of '\(model.name)', whose keys are \(binder.layout.type.properties[column].typeDescription)",
            remedy: "Give a key of that type", at: .init(type: model.name, property: model.properties[column].name))
    }
}
