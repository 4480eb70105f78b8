/// The key paths of a class's stored properties. `@Model` adds them, those of the superclass first.
///
/// They are made for the class that asks, so that `\Puppy.name` is among those of `Puppy`, and `\Dog.name` among those of `Dog`.
public struct _KeyPaths<Root: ObjectBase> {
    /// From an object on, or from a link that may be nil: `\Dog.name` and `\Dog?.?.name`.
    enum Form { case own, chained }

    private(set) var all: [AnyKeyPath] = []
    private let form: Form

    init(_ form: Form, _ list: (inout _KeyPaths) -> Void) {
        self.form = form
        list(&self)
    }

    public mutating func add(
        _ own: @autoclosure () -> PartialKeyPath<Root>, _ chained: @autoclosure () -> PartialKeyPath<Root?>
    ) {
        all.append(form == .own ? own() : chained())
    }
}

extension ObjectBase {
    /// Adds nothing: what a class below this one calls that has no model above it. For the code that `@Model` writes.
    // The parameter that nobody gives tells it from those of the models, which override nothing.
    public static func _$keyPaths<Root: ObjectBase>(_ paths: inout _KeyPaths<Root>, _: Void = ()) {}
}

/// Which stored property a key path of a class names.
///
/// Nothing but its key paths tells the properties of a class apart, and reading one may run code that is not ours: a computed
/// property's. So a key path is never applied to an object. It is compared with those that `@Model` wrote down, which runs nothing.
struct KeyPathTable: @unchecked Sendable {
    // Sound: key paths do not change, and what they are compared by is what makes them Hashable.
    private let columns: [AnyKeyPath: Int]
    /// By column.
    let own: [AnyKeyPath]
    /// The same behind a link that may be nil: see `_KeyPaths`. Made anew each time: only key paths through links need them.
    let chained: @Sendable () -> [AnyKeyPath]
    /// What leads from a link that may be nil to its object: `!`.
    let forced: AnyKeyPath
    /// Leads to an object, so that key paths of objects can be put behind it.
    let origin: AnyKeyPath

    init<Root: ObjectBase>(_ type: Root.Type, _ list: @escaping @Sendable (inout _KeyPaths<Root>) -> Void) {
        own = _KeyPaths<Root>(.own, list).all
        chained = { _KeyPaths<Root>(.chained, list).all }
        columns = Dictionary(own.enumerated().map { ($1, $0) }, uniquingKeysWith: { _, last in last })
        forced = \Root?.self!
        origin = \KeyPathOrigin<Root>.object
    }

    /// The property a key path of one component names; nil when it names none.
    func column(_ keyPath: AnyKeyPath) -> Int? { columns[keyPath] }
}

private struct KeyPathOrigin<Root> {
    var object: Root
}
