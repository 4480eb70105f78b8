import BanyanCore

/// What untyped values say that an object is to be, by column. It is an object itself, for others may link to what it will be.
final class ReadObject {
    let type: ObjectBase.Type
    let path: ValuePaths.Path
    var values: [(column: Int, value: ReadValue)] = []
    /// The object that is made of it, once it is.
    var instance: ObjectBase?

    init(_ type: ObjectBase.Type, _ path: ValuePaths.Path) {
        self.type = type
        self.path = path
    }
}

/// What untyped values say of a property or an element.
enum ReadValue {
    case scalar(Value)
    /// An AnyValue that is no link.
    case any(AnyValue)
    /// An object to be made.
    case object(ReadObject)
    /// An object that is there.
    case link(ObjectBase)
    case list([ReadValue])
    case map([(key: Value, value: ReadValue)])
}

extension BanyanError.Location {
    /// The place that the path of a value in what was given begins with.
    init(path: String) {
        let parts = path.split(separator: ".", maxSplits: 1)
        self.init(
            type: parts.first.map(String.init),
            property: parts.count > 1 ? parts[1].prefix { $0 != "." && $0 != "[" && $0 != "…" }.description : nil)
    }
}
