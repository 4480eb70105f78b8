/// A class whose properties a query can name. All models are; nothing else is to conform.
///
/// The properties of a query's objects are dynamic members of ``Query``. What those may belong to is said by a protocol: the
/// compiler does not enforce a class there, and a member of a text, `$0.name.utf8`, would compile.
public protocol _QueriedObject: AnyObject {
    /// The class's description.
    static var _$model: _ObjectModel { get }
}
extension ObjectBase: _QueriedObject {}
