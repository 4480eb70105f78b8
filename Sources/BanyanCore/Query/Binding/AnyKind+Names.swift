// What queries call the types of AnyValues.

extension AnyKind {
    /// The types of a name, in any case; nil for what is none. `numeric` and `collection` stand for several.
    package static func named(_ name: String) -> Set<AnyKind>? {
        switch name.lowercased() {
        case "none", "null", "nil": [.none]
        case "bool": [.bool]
        case "int", "integer": [.int]
        case "float": [.float]
        case "double": [.double]
        case "decimal128", "decimal": [.decimal128]
        case "numeric", "number": [.int, .float, .double, .decimal128]
        case "string": [.string]
        case "data", "binary": [.data]
        case "date", "timestamp": [.date]
        case "uuid": [.uuid]
        case "objectid": [.objectId]
        case "object", "link": [.object]
        case "list", "array": [.list]
        case "dictionary", "map": [.dictionary]
        case "collection": [.list, .dictionary]
        default: nil
        }
    }

    /// For who wrote another one.
    static var someNames: String {
        "'none', 'bool', 'int', 'float', 'double', 'decimal128', 'numeric', 'string', 'data', 'date', 'uuid', 'objectId', "
            + "'object', 'list', 'dictionary' or 'collection'"
    }
}
