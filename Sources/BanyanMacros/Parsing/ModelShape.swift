import SwiftDiagnostics
import SwiftSyntax

/// Whether a declaration can be a model at all, whatever it contains. `@Model` reports what stands against it;
/// `@Persisted` asks the same of the class around it, to stay silent where `@Model` has already spoken.
enum ModelShape {
    /// The superclass of `declaration`, or the reasons why it is no model.
    /// - Parameter enclosing: The contexts around the class, innermost first.
    static func check(
        _ declaration: ClassDeclSyntax, enclosing: [Syntax]
    ) -> (superclass: TypeSyntax?, diagnostics: [Diagnostic]) {
        let name = declaration.name.text.withoutBackticks
        if let parameters = declaration.genericParameterClause {
            return (nil, [Diagnostic(parameters, .generic(name: name))])
        }
        if enclosing.contains(where: \.isGeneric) {
            return (nil, [Diagnostic(declaration.name, .insideGeneric(name: name))])
        }
        guard let superclass = declaration.inheritanceClause?.inheritedTypes.first?.type, !superclass.isProtocol else {
            let fixIt: FixIt
            if let first = declaration.inheritanceClause?.inheritedTypes.first {
                fixIt = .insert("derive from 'Object'", "Object, ", before: first)
            } else {
                fixIt = .insert("derive from 'Object'", ": Object", after: declaration.name)
            }
            return (nil, [Diagnostic(declaration.name, .noSuperclass(name: name), fixIt: fixIt)])
        }
        if let attribute = declaration.attributes.attribute(named: "MainActor") {
            let spelled = attribute.trimmedDescription
            return (nil, [Diagnostic(attribute, .isolated(attribute: spelled), fixIt: .remove(attribute))])
        }
        return (superclass, [])
    }
}

extension Syntax {
    fileprivate var isGeneric: Bool {
        if let parameters = asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause {
            return !parameters.parameters.isEmpty
        }
        return false
    }
}

extension TypeSyntax {
    /// Whether this is certainly not a class: an attributed type or one of the standard library's protocols.
    fileprivate var isProtocol: Bool {
        guard let name = lastComponent else { return true }
        return Self.wellKnownProtocols.contains(name)
    }

    private static let wellKnownProtocols: Set = [
        "AnyObject", "CaseIterable", "Codable", "CodingKeyRepresentable", "Comparable", "CustomDebugStringConvertible",
        "CustomReflectable", "CustomStringConvertible", "Decodable", "Encodable", "Equatable", "Error", "Hashable",
        "Identifiable", "LocalizedError", "Observable", "Sendable", "Sequence",
    ]
}
