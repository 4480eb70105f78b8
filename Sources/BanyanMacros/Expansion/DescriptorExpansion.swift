import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// What the class stores, told to the runtime once. Properties are named by key path, so their types are inferred. Each is a
/// statement of its own: the compiler takes longer for all of them in one expression.
enum DescriptorExpansion {
    static func members(of model: ModelDescription, in context: some MacroExpansionContext) -> [DeclSyntax] {
        let lines =
            model.properties.map { "    model.\(descriptor(of: $0, in: model))\n" }
            + model.indexes.map { SourcePlace($0.node, in: context).code("model.\(index($0, in: model))") }
        let modifier = model.access.memberModifier
        var members = [
            """
            private static func _$describe(_ model: inout _ModelDescription<\(model.identifier)>) {
            \(lines.joined())}
            """,
            """
            private static let _$ownModel: _ObjectModel = _ObjectModel(
                \(model.identifier).self, name: \(StringLiteralExprSyntax(content: model.name)), \
            superclass: \(model.superclass).self, _$describe, keyPaths: _$keyPaths)
            """,
            keyPaths(of: model),
            "\(modifier)override class var _$model: _ObjectModel { _$ownModel }",
        ]
        if model.isFinal {
            // So that the compiler knows which class an object it makes has.
            members.append("\(modifier)override class var _$isFinal: Bool { true }")
        }
        return members.map(DeclSyntax.init(text:))
    }

    /// The key paths of what is stored, for any class that inherits from the model: those of the superclass first. The second of
    /// each is for links that may be nil.
    private static func keyPaths(of model: ModelDescription) -> String {
        var lines = model.properties.map {
            "    paths.add(\\_$Root.\($0.identifier), \\_$Root?.?.\($0.identifier))\n"
        }
        if model.base == .model { lines.insert("    \(model.superclass)._$keyPaths(&paths)\n", at: 0) }
        return """
            \(model.access.initializerModifier)static func _$keyPaths<_$Root: \(model.identifier)>\
            (_ paths: inout _KeyPaths<_$Root>) {
            \(lines.joined())}
            """
    }

    /// By name for the runtime, and by key path for the compiler, which knows whether there are such properties.
    private static func index(_ index: CompoundIndex, in model: ModelDescription) -> String {
        let names = index.properties.map { "\(StringLiteralExprSyntax(content: $0))" }
        let paths = index.properties.map { "\\\(model.identifier).\(model.identifier(of: $0))" }
        let unique = index.isUnique ? ", unique: true" : ""
        return "index([\(names.joined(separator: ", "))], [\(paths.joined(separator: ", "))]\(unique))"
    }

    private static func descriptor(of property: PersistedProperty, in model: ModelDescription) -> String {
        let keyPath = "\\\(model.identifier).\(property.identifier)"
        var arguments = ["\(StringLiteralExprSyntax(content: property.name))", keyPath]
        switch property.role {
        case .inverse(let origin):
            arguments.append("originProperty: \(StringLiteralExprSyntax(content: origin.property))")
            return "inverse(\(arguments.joined(separator: ", ")))"
        case .value(let options):
            if options.isPrimaryKey { arguments.append("primaryKey: true") }
            if let index = options.index { arguments.append("indexed: \(index)") }
            if options.isUnique { arguments.append("unique: true") }
            if let rule = options.deleteRule { arguments.append("deleteRule: \(rule)") }
            if let name = property.storedName {
                arguments.append("storedName: \(StringLiteralExprSyntax(content: name))")
            }
            if property.initialValue.isDeclaredDefault { arguments.append("hasDefault: true") }
            return "\(options.isRequiredLink ? "required" : "property")(\(arguments.joined(separator: ", ")))"
        }
    }
}

extension InitialValue {
    fileprivate var isDeclaredDefault: Bool {
        switch self {
        case .none, .emptyCollection: false
        case .zero, .expression: true
        }
    }
}
