import SwiftSyntax
import SwiftSyntaxBuilder

/// The class's `Detached`: a struct with what the class stores, as values that belong to no graph, and the code that makes it.
///
/// Of a type that is not known here only its spelling is: whether `Dog?` is a link or `Status?` an enum shows when the compiler
/// looks up what the type calls its detached form. A type that is not written is left to inference, from a key path.
enum DetachedExpansion {
    static func members(of model: ModelDescription) -> [DeclSyntax] {
        let access = model.access.initializerModifier
        return [
            structure(of: model, access),
            "\(raw: access)typealias _$Detached = _$Form<Detached>",
            """
            \(raw: access)static func _$detach(_ object: \(raw: model.identifier), _ context: _Detaching) -> _$Detached {
                _$form(object, context) { Detached(_$from: $0, $1) }
            }
            """,
            """
            /// A value of what the object stores, which belongs to no graph. Links are identities, or values as deep as `depth` says.
            // The second parameter is never given: by its type the compiler prefers this to what the superclass has.
            \(raw: access)final func detached(depth: Int = 0, _$of: \(raw: model.identifier)? = nil) -> Detached {
                Detached(_$from: self, _Detaching(depth: depth))
            }
            """,
        ]
    }

    private static func structure(of model: ModelDescription, _ access: String) -> DeclSyntax {
        let fields = model.properties.compactMap { Field($0, in: model) }
        let base = model.base == .model ? model.superclass + ".Detached" : nil
        var lines: [String] = []
        if let base {
            lines.append("\(access)var _$super: \(base)")
            lines.append("\(access)var objectID: ObjectID? { _$super.objectID }")
        } else {
            lines.append("\(access)var objectID: ObjectID?")
        }
        lines += fields.map(\.declaration)

        lines.append("\(access)init(_$from object: \(model.identifier), _ context: _Detaching) {")
        lines.append(
            base == nil ? "    self.objectID = object.objectID" : "    self._$super = .init(_$from: object, context)")
        lines += fields.map { "    self.\($0.identifier) = \($0.conversion)" }
        lines.append("}")

        let isCoded = base == nil || !fields.isEmpty
        lines.append("\(access)init(from decoder: any Decoder) throws {")
        if base != nil { lines.append("    self._$super = try .init(from: decoder)") }
        if isCoded { lines.append("    let container = try decoder.container(keyedBy: _DetachedKey.self)") }
        if base == nil { lines.append("    self.objectID = try container._$value(\"objectID\")") }
        lines += fields.map { "    self.\($0.identifier) = try container._$value(\($0.key))" }
        lines.append("}")

        lines.append("\(access)func encode(to encoder: any Encoder) throws {")
        if base != nil { lines.append("    try self._$super.encode(to: encoder)") }
        if isCoded { lines.append("    var container = encoder.container(keyedBy: _DetachedKey.self)") }
        if base == nil { lines.append("    try container._$set(self.objectID, \"objectID\")") }
        lines += fields.map { "    try container._$set(self.\($0.identifier), \($0.key))" }
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
}

/// One property of a detached value.
private struct Field {
    let identifier: String
    let declaration: String
    /// From the property of `object`.
    let conversion: String
    /// A string literal.
    let key: String

    /// Nil for an inverse, which a detached value leaves out.
    init?(_ property: PersistedProperty, in model: ModelDescription) {
        guard !property.isInverse else { return nil }
        identifier = property.identifier
        key = "\(StringLiteralExprSyntax(content: property.name))"
        let value = "object.\(identifier)"
        let type = property.type.map(Form.init)
        switch type {
        case .scalar(let spelled):
            declaration = "\(property.access)var \(identifier): \(spelled)"
            conversion = value
        case .reference(let target, isOptional: true):
            // In a box, for it may be the type this is a property of.
            declaration = "@_DetachedBox \(property.access)var \(identifier): \(target)._$Detached?"
            conversion = "context.optional(\(value)) { \(target)._$detach($0, $1) }"
        case .reference(let target, isOptional: false) where property.isRequiredLink:
            declaration = "\(property.access)var \(identifier): \(target)._$Detached"
            conversion = "\(target)._$detach(\(value), context)"
        case .list(let element):
            declaration = "\(property.access)var \(identifier): [\(element.spelled)]"
            conversion = "context.list(\(value)) { \(element.conversion) }"
        case .set(let element):
            declaration = "\(property.access)var \(identifier): Swift.Set<\(element.spelled)>"
            conversion = "context.set(\(value)) { \(element.conversion) }"
        case .map(let key, let element):
            declaration = "\(property.access)var \(identifier): [\(key): \(element.spelled)]"
            conversion = "context.map(\(value)) { \(element.conversion) }"
        case .reference, nil:
            declaration = "\(property.access)var \(identifier) = _detachedBlank(\\\(model.identifier).\(identifier))"
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
