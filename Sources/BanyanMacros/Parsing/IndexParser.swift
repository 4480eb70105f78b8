import SwiftDiagnostics
import SwiftSyntax

/// Reads the indexes of several properties out of `@Model(indexes: [["lastName", "firstName"]])`.
///
/// Names of properties that a superclass declares are not known here; the expansion names every one by key path, so that one
/// which does not exist does not compile.
struct IndexParser {
    private let model: ModelDescription
    private var diagnostics: [Diagnostic] = []
    private var indexes: [CompoundIndex] = []

    /// The labels of the attribute, and whether what they list is unique.
    private static let labels = [("indexes", false), ("unique", true)]

    static func parse(
        _ attribute: AttributeSyntax, in model: ModelDescription
    ) -> (indexes: [CompoundIndex], diagnostics: [Diagnostic]) {
        var parser = IndexParser(model)
        let arguments = attribute.arguments?.as(LabeledExprListSyntax.self).map(Array.init) ?? []
        for (label, isUnique) in labels {
            for argument in arguments where argument.label?.text == label {
                parser.readAll(argument.expression, label, isUnique: isUnique)
            }
        }
        return (parser.indexes, parser.diagnostics)
    }

    private init(_ model: ModelDescription) { self.model = model }

    private mutating func report(_ node: some SyntaxProtocol, _ problem: Problem) {
        diagnostics.append(Diagnostic(node, problem))
    }

    private mutating func readAll(_ expression: ExprSyntax, _ label: String, isUnique: Bool) {
        guard let list = expression.as(ArrayExprSyntax.self) else { return reportForm(expression, label) }
        for element in list.elements {
            guard let names = element.expression.as(ArrayExprSyntax.self) else {
                reportForm(element.expression, label)
                continue
            }
            if let properties = read(names, label) { add(properties, isUnique: isUnique, at: names) }
        }
    }

    private mutating func reportForm(_ node: ExprSyntax, _ label: String) {
        report(
            node,
            .notLiteral(argument: label, expected: "a list for each index, as in '[[\"lastName\", \"firstName\"]]'"))
    }

    private mutating func add(_ properties: [String], isUnique: Bool, at node: ArrayExprSyntax) {
        guard properties.count > 1 else {
            let name = properties.first ?? ""
            return report(node, .indexOfOne(name: name, isUnique: isUnique))
        }
        guard properties.count <= Limits.indexedProperties else {
            return report(node, .indexTooWide(count: properties.count))
        }
        guard !indexes.contains(where: { $0.properties == properties }) else { return report(node, .secondIndex) }
        indexes.append(CompoundIndex(properties: properties, isUnique: isUnique, node: node))
    }

    /// Returns nil after reporting a mistake.
    private mutating func read(_ list: ArrayExprSyntax, _ label: String) -> [String]? {
        var names: [String] = []
        let before = diagnostics.count
        for element in list.elements {
            guard let name = element.expression.literalString else {
                reportForm(element.expression, label)
                continue
            }
            check(name, after: names, at: element.expression)
            names.append(name)
        }
        return diagnostics.count == before ? names : nil
    }

    private mutating func check(_ name: String, after others: [String], at node: ExprSyntax) {
        if others.contains(name) { return report(node, .indexedTwice(name: name)) }
        guard let property = model.properties.first(where: { $0.name == name }) else {
            // Not declared here; perhaps in a superclass, under a condition, or with a mistake that is reported.
            if model.base != .model, model.unplaced.isEmpty, !model.mistaken.contains(name) {
                report(node, .unknownIndexed(name: name, model: model.name))
            }
            return
        }
        if property.isInverse || property.knownType.map({ !$0.canBeOrdered }) ?? false {
            report(node, .indexedType(name: name, type: property.spelledType ?? "LinkingObjects"))
        }
    }
}
