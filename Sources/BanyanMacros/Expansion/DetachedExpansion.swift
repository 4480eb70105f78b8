import SwiftSyntax
import SwiftSyntaxBuilder

/// The class's `Detached`: a struct with what the class stores, as values that belong to no graph, and the code that makes it.
///
/// Of a type that is not known here only its spelling is: whether `Dog?` is a link or `Status?` an enum shows when the compiler
/// looks up what the type calls its detached form. A type that is not written is left to inference, from a key path.
enum DetachedExpansion {
    static func members(of model: ModelDescription) -> [DeclSyntax] {
        let access = model.access.initializerModifier
        let key = model.properties.lazy.compactMap { Key($0, in: model) }.first
        var members = [
            structure(of: model, key, access),
            "\(raw: access)typealias _$Detached = _$Form<Detached>",
            """
            \(raw: access)static func _$detach(_ object: \(raw: model.identifier), _ context: _Detaching) -> _$Detached {
                _$form(object, context, _$key(object)) { Detached(_$from: $0, $1) }
            }
            """,
            """
            /// A value of what the object stores, which belongs to no graph. Links are keys or identities, or values as deep as
            /// `depth` says. Private properties stay out, unless `@Persisted(detached: true)` asks for them.
            // The second parameter is never given: by its type the compiler prefers this to what the superclass has.
            \(raw: access)final func detached(depth: Int = 0, _$of: \(raw: model.identifier)? = nil) -> Detached {
                Detached(_$from: self, _Detaching(depth: depth))
            }
            """,
        ]
        if let key {
            members.append(
                """
                \(raw: access)static func _$key(_ object: \(raw: model.identifier)) -> \(raw: key.type)? {
                    \(raw: key.conversion)
                }
                """)
        }
        return members + concealed(in: model)
    }

    /// The names of properties that stay out, where there are any: what `print` shows leaves them out too.
    private static func concealed(in model: ModelDescription) -> [DeclSyntax] {
        let names = model.properties.filter(\.isConcealed).map { "\(StringLiteralExprSyntax(content: $0.name))" }
        guard !names.isEmpty else { return [] }
        return [
            """
            \(raw: model.access.memberModifier)override class var _$concealed: Swift.Set<Swift.String> {
                super._$concealed.union([\(raw: names.joined(separator: ", "))])
            }
            """
        ]
    }

    private static func structure(of model: ModelDescription, _ key: Key?, _ access: String) -> DeclSyntax {
        let fields = model.properties.compactMap { Field($0, in: model) }
        let base = model.base == .model ? model.superclass + ".Detached" : nil
        var lines = identity(key, base, fields, access)
        lines.append("\(access)static var _$name: Swift.String { \(StringLiteralExprSyntax(content: model.name)) }")
        if let base { lines.append("\(access)var _$super: \(base)") }
        lines += fields.map(\.declaration)

        lines.append("\(access)init(_$from object: \(model.identifier), _ context: _Detaching) {")
        lines.append(
            base == nil ? "    self.objectID = object.objectID" : "    self._$super = .init(_$from: object, context)")
        lines += fields.map { "    self.\($0.identifier) = \($0.conversion)" }
        lines.append("}")

        lines.append("\(access)init(from decoder: any Decoder) throws {")
        lines.append("    self.init(_$from: \(model.identifier)(), _Detaching.blank)")
        lines.append("    try self._$decode(from: decoder)")
        lines.append("}")
        let isCoded = base == nil || !fields.isEmpty
        lines.append("\(access)mutating func _$decode(from decoder: any Decoder) throws {")
        if base != nil { lines.append("    try self._$super._$decode(from: decoder)") }
        if isCoded { lines.append("    let container = try decoder.container(keyedBy: _DetachedKey.self)") }
        if base == nil { lines.append("    try container._$read(\"objectID\", into: &self.objectID)") }
        lines += fields.map {
            "    try container._$\($0.isRequired ? "require" : "read")(\($0.key), into: &self.\($0.identifier))"
        }
        lines.append("}")

        lines.append("\(access)func encode(to encoder: any Encoder) throws {")
        if base != nil { lines.append("    try self._$super.encode(to: encoder)") }
        if isCoded { lines.append("    var container = encoder.container(keyedBy: _DetachedKey.self)") }
        if base == nil { lines.append("    try container._$write(id: self.objectID, \"objectID\")") }
        lines += fields.map { "    try container._$write(self.\($0.identifier), \($0.key))" }
        lines.append("}")

        if let base {
            lines += [
                "\(access)subscript<_Value>(dynamicMember keyPath: WritableKeyPath<\(base), _Value>) -> _Value {",
                "    get { _$super[keyPath: keyPath] }",
                "    set { _$super[keyPath: keyPath] = newValue }",
                "}",
            ]
        }
        let attribute = base == nil ? "" : "@dynamicMemberLookup "
        return """
            /// What an object stores, as a value that belongs to no graph.
            \(raw: attribute)\(raw: access)struct Detached: DetachedObject {
                \(raw: lines.joined(separator: "\n    "))
            }
            """
    }

    /// What the object was known by: its identity, its primary key, and `id`, which is a property of that name, or else the key,
    /// or else the identity.
    private static func identity(_ key: Key?, _ base: String?, _ fields: [Field], _ access: String) -> [String] {
        var lines: [String] = []
        if let base {
            lines.append("\(access)typealias _Key = \(key?.type ?? "\(base)._Key")")
            lines.append("\(access)var objectID: ObjectID? { _$super.objectID }")
        } else {
            lines.append("\(access)typealias _Key = \(key?.type ?? "Swift.Never")")
            lines.append("\(access)var objectID: ObjectID?")
        }
        if fields.contains(where: { $0.identifier == "id" }) { return lines }
        if let key, let field = fields.first(where: { $0.identifier == key.identifier }) {
            lines.append("\(access)var id: \(key.type)\(key.isOptional ? "?" : "") { \(field.identifier) }")
        } else if let base {
            lines.append("\(access)var id: \(base).ID { _$super.id }")
        } else {
            lines.append("\(access)var id: ObjectID? { objectID }")
        }
        return lines
    }
}

/// The primary key, where it is not concealed and its type is known: written, or seen from the default.
private struct Key {
    let identifier: String
    /// Without its optionality.
    let type: String
    let isOptional: Bool
    /// From the property of `object`.
    let conversion: String

    init?(_ property: PersistedProperty, in model: ModelDescription) {
        guard case .value(let options) = property.role, options.isPrimaryKey, !property.isConcealed,
            let type = property.type
        else { return nil }
        identifier = property.identifier
        isOptional = type.isOptional
        switch Form(type) {
        case .scalar:
            self.type = type.unwrapped.trimmedDescription
            conversion = "object.\(identifier)"
        // A type that cannot be seen where links to the class can is no type of theirs.
        case .reference(let target, _) where property.accessRank >= model.access.rank:
            self.type = "\(target)._$Detached"
            conversion = "_Detaching.blank.optional(object.\(identifier)) { \(target)._$detach($0, $1) }"
        case .reference, .list, .set, .map: return nil
        }
    }
}

extension AccessLevel {
    /// From how far something is seen.
    fileprivate var rank: Int {
        switch self {
        case .open, .public: 3
        case .package: 2
        case .module: 1
        }
    }
}

extension PersistedProperty {
    fileprivate var accessRank: Int {
        switch access {
        case "public ": 3
        case "package ": 2
        case "private ", "fileprivate ": 0
        default: 1
        }
    }
}

/// One property of a detached value.
private struct Field {
    let identifier: String
    let declaration: String
    /// From the property of `object`.
    let conversion: String
    /// A string literal.
    let key: String
    /// Whether there is no default for it.
    let isRequired: Bool

    /// Nil for what a detached value leaves out: inverses, and what is concealed.
    init?(_ property: PersistedProperty, in model: ModelDescription) {
        guard !property.isInverse, !property.isConcealed else { return nil }
        identifier = property.identifier
        isRequired = property.isRequiredLink && !property.initialValue.isDeclared
        let isHidden = property.accessRank < model.access.rank
        // The class itself could not see what is private in its detached value; and what conforms must be seen by all.
        let access =
            identifier == "id" && isHidden
            ? model.access.initializerModifier : property.access == "private " ? "fileprivate " : property.access
        key = "\(StringLiteralExprSyntax(content: property.name))"
        let value = "object.\(identifier)"
        let type = property.type.map(Form.init)
        switch type {
        case .scalar(let spelled):
            declaration = "\(access)var \(identifier): \(spelled)"
            conversion = value
        case .reference(let target, isOptional: true):
            // In a box, for it may be the type this is a property of.
            declaration = "@_DetachedBox \(access)var \(identifier): \(target)._$Detached?"
            conversion = "context.optional(\(value)) { \(target)._$detach($0, $1) }"
        case .reference(let target, isOptional: false) where property.isRequiredLink:
            declaration = "\(access)var \(identifier): \(target)._$Detached"
            conversion = "\(target)._$detach(\(isRequired ? "context.required(\(value))" : value), context)"
        case .list(let element):
            declaration = "\(access)var \(identifier): [\(element.spelled)]"
            conversion = "context.list(\(value)) { \(element.conversion) }"
        case .set(let element):
            declaration = "\(access)var \(identifier): Swift.Set<\(element.spelled)>"
            conversion = "context.set(\(value)) { \(element.conversion) }"
        case .map(let key, let element):
            declaration = "\(access)var \(identifier): [\(key): \(element.spelled)]"
            conversion = "context.map(\(value)) { \(element.conversion) }"
        case .reference, nil:
            declaration = "\(access)var \(identifier) = _detachedBlank(\\\(model.identifier).\(identifier))"
            conversion = "context.scalar(\(value))"
        }
    }
}

/// What a property's type is, for its detached form.
private enum Form {
    /// A type that is its own detached form, as spelled.
    case scalar(String)
    /// One that says itself what its detached form is.
    case reference(String, isOptional: Bool)
    case list(Element)
    case set(Element)
    case map(key: String, Element)

    struct Element {
        let spelled: String
        /// Of an element `$0` in the context `$1`.
        let conversion: String

        init(_ type: TypeSyntax) {
            switch Form(SpelledType(type)) {
            case .scalar(let type):
                spelled = type
                // Both parameters are named, so that the closure takes two.
                conversion = "(element, _) in element"
            case .reference(let target, let isOptional):
                spelled = "\(target)._$Detached" + (isOptional ? "?" : "")
                conversion =
                    isOptional
                    ? "(element, context) in element.map { \(target)._$detach($0, context) }"
                    : "\(target)._$detach($0, $1)"
            case .list, .set, .map:
                // No collection holds collections, and the compiler says so.
                spelled = type.trimmedDescription
                conversion = "(element, _) in element"
            }
        }
    }

    init(_ type: SpelledType) {
        let unwrapped = type.unwrapped.trimmedDescription
        switch type.shape {
        case .known(.list, let arguments) where arguments.count == 1: self = .list(Element(arguments[0]))
        case .known(.mutableSet, let arguments) where arguments.count == 1: self = .set(Element(arguments[0]))
        case .known(.map, let arguments) where arguments.count == 2:
            self = .map(key: arguments[0].trimmedDescription, Element(arguments[1]))
        case .known(let known, _) where !known.isCollection && known != .anyValue:
            self = .scalar(unwrapped + (type.isOptional ? "?" : ""))
        default: self = .reference(unwrapped, isOptional: type.isOptional)
        }
    }
}
