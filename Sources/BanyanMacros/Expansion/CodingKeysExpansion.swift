import SwiftSyntax
import SwiftSyntaxBuilder

/// What coders call the properties, where the class has `CodingKeys` of its own: those it does not name are not coded.
enum CodingKeysExpansion {
    static func members(of model: ModelDescription) -> [DeclSyntax] {
        guard let keys = model.codingKeys else { return [] }
        let pairs = keys.map { "(\(StringLiteralExprSyntax(content: $0.withoutBackticks)), CodingKeys.\($0))" }
        return [
            DeclSyntax(
                text: """
                    \(model.access.memberModifier)override class var _$codingKeys: _CodingKeys? {
                        _CodingKeys(\(model.identifier).self, [\(pairs.joined(separator: ", "))])
                    }
                    """)
        ]
    }
}
