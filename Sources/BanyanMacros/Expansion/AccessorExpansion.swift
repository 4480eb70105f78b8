import SwiftSyntax
import SwiftSyntaxBuilder

/// How a persisted property reads and writes. The value's type is inferred from the property's.
enum AccessorExpansion {
    static func accessors(of property: PersistedProperty) -> [AccessorDeclSyntax] {
        let getter: AccessorDeclSyntax = "get { _$get(_$Slot.\(raw: property.identifier)) }"
        let setter: AccessorDeclSyntax = "set { _$set(_$Slot.\(raw: property.identifier), newValue) }"
        return property.isInverse ? [getter] : [getter, setter]
    }

    /// For a property that has been reported: without accessors the compiler would report their absence too. It takes
    /// none beside a `let` or beside those of a computed property.
    static func placeholders(for variable: VariableDeclSyntax) -> [AccessorDeclSyntax] {
        let isComputed = variable.bindings.contains { !($0.accessorBlock?.areObservers ?? true) }
        guard variable.bindingSpecifier.tokenKind == .keyword(.var), !isComputed else { return [] }
        return ["get { fatalError() }", "set { fatalError() }"]
    }
}
