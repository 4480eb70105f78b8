import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// The class's `Detached`: a struct with what the class stores, as values that belong to no graph, and the code that makes it.
///
/// Of a type that is not known here only its spelling is: whether `Dog?` is a link or `Status?` an enum shows when the compiler
/// looks up the form of the type. Fields of such types are declared without one, and it is inferred from the form. So there is
/// nothing more to report of a type that is not stored or not there. The same goes for `==`, hashing and coding: the protocol has
/// them, for the compiler would complain of each that it cannot derive.
enum DetachedExpansion {
    static func members(of model: ModelDescription, in context: some MacroExpansionContext) -> [DeclSyntax] {
        let access = model.access.initializerModifier
        var forms = Forms()
        let key = model.properties.compactMap { Key($0, in: model, &forms) }.first
        let fields = model.properties.compactMap { Field($0, in: model, &forms) }
        var members = [
            structure(of: model, key, fields, forms.declarations(in: context), access),
            "\(raw: access)typealias _$Detached = _$Form<Detached>",
            """
            \(raw: access)static func _$detach(_ object: \(raw: model.identifier), _ context: _Detaching) -> _$Detached {
                _$form(object, context, _$key(object)) { Detached(_$from: $0, $1) }
            }
            """,
            """
            @_nonoverride \(raw: access)static var _$detaching: _DetachedForm<\(raw: model.identifier), _$Detached> {
                _DetachedForm { \(raw: model.identifier)._$detach($0, $1) }
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
                \(raw: access)static func _$key(_ object: \(raw: model.identifier)) -> Detached._Key? {
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

    private static func structure(
        of model: ModelDescription, _ key: Key?, _ fields: [Field], _ forms: [String], _ access: String
    ) -> DeclSyntax {
        let base = model.base == .model ? model.superclass + ".Detached" : nil
        var lines = identity(key, base, fields, access)
        lines.append("\(access)static var _$name: Swift.String { \(StringLiteralExprSyntax(content: model.name)) }")
        if let base { lines.append("\(access)var _$super: \(base)") }
        lines += forms
        lines += fields.map(\.declaration)

        lines.append("\(access)init(_$from object: \(model.identifier), _ context: _Detaching) {")
        lines.append(
            base == nil ? "    self.objectID = object.objectID" : "    self._$super = .init(_$from: object, context)")
        // What starts with a value is set by a method: that an initialiser leaves nothing out takes the compiler long to see.
        let inferred = fields.filter(\.isInferred)
        lines += fields.filter { !$0.isInferred }.map(\.assignment)
        if !inferred.isEmpty { lines.append("    self._$set(from: object, context)") }
        lines.append("}")
        if !inferred.isEmpty {
            lines.append("private mutating func _$set(from object: \(model.identifier), _ context: _Detaching) {")
            lines += inferred.map(\.assignment)
            lines.append("}")
        }

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

        lines.append(
            "\(access)func _$visit<V: _DetachedVisitor>(beside other: Detached, _ visitor: inout V) throws(V.Failure) {"
        )
        lines.append(
            base == nil
                ? "    try visitor(id: self.objectID, other.objectID)"
                : "    try self._$super._$visit(beside: other._$super, &visitor)")
        lines += fields.map { "    try visitor(self.\($0.identifier), other.\($0.identifier), \($0.key))" }
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
            lines.append(key?.declaration(access) ?? "\(access)typealias _Key = \(base)._Key")
            lines.append("\(access)var objectID: ObjectID? { _$super.objectID }")
        } else {
            lines.append(key?.declaration(access) ?? "\(access)typealias _Key = Swift.Never")
            lines.append("\(access)var objectID: ObjectID?")
        }
        if fields.contains(where: { $0.identifier == "id" }) { return lines }
        if let key, let field = fields.first(where: { $0.identifier == key.identifier }) {
            lines.append("\(access)var id: _Key\(key.isOptional ? "?" : "") { \(field.identifier) }")
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
    let isOptional: Bool
    /// From the property of `object`.
    let conversion: String
    /// The type, without its optionality, where it is known; or else the form of it.
    private let type: (known: String?, form: String)

    init?(_ property: PersistedProperty, in model: ModelDescription, _ forms: inout Forms) {
        guard case .value(let options) = property.role, options.isPrimaryKey, !property.isConcealed,
            let type = property.type
        else { return nil }
        identifier = property.identifier
        isOptional = type.isOptional
        switch Form(type) {
        case .scalar:
            self.type = (type.unwrapped.trimmedDescription, "")
            conversion = "object.\(identifier)"
        // A type that cannot be seen where links to the class can is no type of theirs.
        case .reference(let target, _) where property.accessRank >= model.access.rank:
            self.type = (nil, forms.name(of: target, in: property))
            conversion = "Detached.\(self.type.form).optional(object.\(identifier), _Detaching.blank)"
        case .reference, .list, .set, .map: return nil
        }
    }

    /// What says the type: by name, or for the compiler to infer.
    func declaration(_ access: String) -> String {
        type.known.map { "\(access)typealias _Key = \($0)" }
            ?? "\(access)static let _$keyForm = _DetachedKeyForm(\(type.form))"
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
    /// Whether it is declared with a value instead of a type.
    let isInferred: Bool
    /// A string literal.
    let key: String
    /// Whether there is no default for it.
    let isRequired: Bool

    /// Nil for what a detached value leaves out: inverses, and what is concealed.
    init?(_ property: PersistedProperty, in model: ModelDescription, _ forms: inout Forms) {
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
        switch property.type.map(Form.init) {
        case .scalar(let spelled):
            declaration = "\(access)var \(identifier): \(spelled)"
            conversion = value
        case .reference(let target, isOptional: true):
            let form = forms.name(of: target, in: property)
            // In a box, for it may be the type this is a property of.
            declaration = "@_DetachedBox \(access)var \(identifier) = \(form).optional"
            conversion = "Detached.\(form).optional(\(value), context)"
        case .reference(let target, isOptional: false) where property.isRequiredLink:
            let form = forms.name(of: target, in: property)
            declaration = "@_DetachedBox(\(form)) \(access)var \(identifier)"
            conversion = "Detached.\(form).blank(\(isRequired ? "context.required(\(value))" : value), context)"
        case .reference(let target, isOptional: false) where property.isWritten:
            let form = forms.name(of: target, in: property)
            declaration = "\(access)var \(identifier) = \(form).blank"
            conversion = "Detached.\(form).blank(\(value), context)"
        case .reference, nil:
            declaration =
                "\(access)var \(identifier) = _detachedBlank { (object: \(model.identifier)) in object.\(identifier) }"
            conversion = "context.scalar(\(value))"
        case .list(let element):
            (declaration, conversion) = Self.collection(
                "list", "optionals", of: element, { "[\($0)]" }, identifier, access, &forms, property)
        case .set(let element):
            (declaration, conversion) = Self.collection(
                "set", "optionalSet", of: element, { "Swift.Set<\($0)>" }, identifier, access, &forms, property)
        case .map(let key, let element):
            (declaration, conversion) = Self.map(key, of: element, identifier, access, &forms, property)
        }
        isInferred = !declaration.hasPrefix("\(access)var \(identifier): ")
    }

    var assignment: String { "    self.\(identifier) = \(conversion)" }

    private typealias Code = (declaration: String, conversion: String)

    private static func collection(
        _ name: String, _ optional: String, of element: Element, _ type: (String) -> String, _ identifier: String,
        _ access: String, _ forms: inout Forms, _ property: PersistedProperty
    ) -> Code {
        switch element {
        case .scalar(let spelled):
            return (
                "\(access)var \(identifier): \(type(spelled))",
                "context.\(name)(object.\(identifier)) { (element, _) in element }"
            )
        case .reference(let target, let isOptional):
            let form = forms.name(of: target, in: property) + "." + (isOptional ? optional : name)
            return (
                "\(access)var \(identifier) = \(form)", "Detached.\(form)(object.\(identifier), context)"
            )
        }
    }

    private static func map(
        _ key: TypeSyntax, of element: Element, _ identifier: String, _ access: String, _ forms: inout Forms,
        _ property: PersistedProperty
    ) -> Code {
        let spelledKey = key.trimmedDescription
        switch element {
        case .scalar(let spelled):
            // What a key of a type that is not known may be shows then.
            let isKnown = SpelledType(key).known != nil
            guard isKnown else {
                return (
                    "\(access)var \(identifier) = _detachedMap((\(spelledKey)).self, (\(spelled)).self)",
                    "context.scalars(object.\(identifier))"
                )
            }
            return (
                "\(access)var \(identifier): [\(spelledKey): \(spelled)]",
                "context.map(object.\(identifier)) { (element, _) in element }"
            )
        case .reference(let target, let isOptional):
            let form = forms.name(of: target, in: property) + "." + (isOptional ? "optionalMap" : "map")
            return (
                "\(access)var \(identifier) = \(form)((\(spelledKey)).self)",
                "Detached.\(form)(object.\(identifier), context)"
            )
        }
    }
}

/// The forms that fields need, each looked up once.
private struct Forms {
    private var targets: [(spelled: String, property: PersistedProperty)] = []

    /// The static property that has the form of this type, which is that of a property or in it.
    mutating func name(of target: String, in property: PersistedProperty) -> String {
        if let index = targets.firstIndex(where: { $0.spelled == target }) { return "_$\(index)" }
        targets.append((target, property))
        return "_$\(targets.count - 1)"
    }

    /// The compiler says once more of a type that is not there that it is not: at the property.
    func declarations(in context: some MacroExpansionContext) -> [String] {
        targets.enumerated().map { index, target in
            let code = "fileprivate static let _$\(index) = _DetachedForms<\(target.spelled)>()._$detaching"
            return "\n" + SourcePlace(target.property.nameToken, in: context).code(code)
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
    case map(key: TypeSyntax, Element)

    init(_ type: SpelledType) {
        let unwrapped = type.unwrapped.trimmedDescription
        switch type.shape {
        case .known(.list, let arguments) where arguments.count == 1: self = .list(Element(arguments[0]))
        case .known(.mutableSet, let arguments) where arguments.count == 1: self = .set(Element(arguments[0]))
        case .known(.map, let arguments) where arguments.count == 2:
            self = .map(key: arguments[0], Element(arguments[1]))
        case .known(let known, _) where !known.isCollection && known != .anyValue:
            self = .scalar(unwrapped + (type.isOptional ? "?" : ""))
        default: self = .reference(unwrapped, isOptional: type.isOptional)
        }
    }
}

/// What a collection holds.
private enum Element {
    case scalar(String)
    case reference(String, isOptional: Bool)

    init(_ type: TypeSyntax) {
        switch Form(SpelledType(type)) {
        case .scalar(let type): self = .scalar(type)
        case .reference(let target, let isOptional): self = .reference(target, isOptional: isOptional)
        // No collection holds collections, and the compiler says so.
        case .list, .set, .map: self = .reference(type.trimmedDescription, isOptional: false)
        }
    }
}
