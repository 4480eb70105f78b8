import SwiftSyntax
import SwiftSyntaxBuilder

/// How a persisted property reads and writes. The value's type is inferred from the property's.
enum AccessorExpansion {
    static func accessors(of property: PersistedProperty) -> [AccessorDeclSyntax] {
        let getter: AccessorDeclSyntax = "get { _$get(_$Slot.\(raw: property.identifier)) }"
        let setter: AccessorDeclSyntax = "set { _$set(_$Slot.\(raw: property.identifier), newValue) }"
        return property.isInverse ? [getter] : [getter, setter]
    }

    /// For a property that has been reported. Without accessors the compiler would complain about their absence too.
    static var placeholders: [AccessorDeclSyntax] {
        ["get { fatalError() }", "set { fatalError() }"]
    }
}
