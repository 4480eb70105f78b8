import SwiftSyntax
import SwiftSyntaxBuilder

/// What the class stores, as a value the runtime reads once. Properties are named by key path, so their types are
/// inferred, and those that cannot be stored do not compile.
enum DescriptorExpansion {
    static func members(of model: ModelDescription) -> [DeclSyntax] {
        let lines = model.properties.map { "        \(descriptor(of: $0, in: model)),\n" }
        let list = lines.isEmpty ? "[]" : "[\n\(lines.joined())    ]"
        // So that the compiler knows which class an object it makes has.
        let isFinal: [DeclSyntax] =
            model.isFinal
            ? [
                """
                \(raw: model.access.memberModifier)override class var _$isFinal: Bool { true }
                """
            ] : []
        return [
            """
            private static let _$ownModel: _ObjectModel = _ObjectModel(
                \(raw: model.identifier).self, name: \(literal: model.name), superclass: \(raw: model.superclass).self,
                properties: \(raw: list)\(raw: indexes(of: model)))
            """,
            """
            \(raw: model.access.memberModifier)override class var _$model: _ObjectModel { _$ownModel }
            """,
        ] + isFinal
    }

    /// By name for the runtime, and by key path for the compiler, which knows whether there are such properties.
    private static func indexes(of model: ModelDescription) -> String {
        guard !model.indexes.isEmpty else { return "" }
        let lines = model.indexes.map { index in
            let names = index.properties.map { "\(StringLiteralExprSyntax(content: $0))" }
            let paths = index.properties.map { "\\\(model.identifier).\(model.identifier(of: $0))" }
            let unique = index.isUnique ? ", unique: true" : ""
            return "        .index([\(names.joined(separator: ", "))], [\(paths.joined(separator: ", "))]\(unique)),\n"
        }
        return ",\n    indexes: [\n\(lines.joined())    ]"
    }

    private static func descriptor(of property: PersistedProperty, in model: ModelDescription) -> String {
        let keyPath = "\\\(model.identifier).\(property.identifier)"
        var arguments = ["\(StringLiteralExprSyntax(content: property.name))", keyPath]
        switch property.role {
        case .inverse(let origin):
            arguments.append("originProperty: \(StringLiteralExprSyntax(content: origin.property))")
            arguments.append("origin: \(origin.keyPath)")
            return ".inverse(\(arguments.joined(separator: ", ")))"
        case .value(let options):
            if options.isPrimaryKey { arguments.append("primaryKey: true") }
            if let index = options.index { arguments.append("indexed: \(index)") }
            if options.isUnique { arguments.append("unique: true") }
            if let rule = options.deleteRule { arguments.append("deleteRule: \(rule)") }
            if let name = property.storedName {
                arguments.append("storedName: \(StringLiteralExprSyntax(content: name))")
            }
            if property.initialValue.isDeclaredDefault { arguments.append("hasDefault: true") }
            return ".\(options.isRequiredLink ? "required" : "property")(\(arguments.joined(separator: ", ")))"
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
