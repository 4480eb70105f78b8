import SwiftSyntax
import SwiftSyntaxBuilder

/// How a persisted property reads and writes. The value's type is inferred from the property's; but reading what may be a
/// link names the target, so that the compiler chooses the way for links before it knows the types of protocols only.
enum AccessorExpansion {
    static func accessors(of property: PersistedProperty) -> [AccessorDeclSyntax] {
        let slot = "_$Slot.\(property.identifier)"
        if property.isRequiredLink {
            return ["get { _$getRequired(\(raw: slot)) }", "set { _$setRequired(\(raw: slot), newValue) }"]
        }
        let getter: AccessorDeclSyntax =
            if property.isInverse {
                // So that an inverse that is only looked at is made on the stack.
                "@inline(__always) get { _$get(\(raw: slot)) }"
            } else if let target = property.possibleTarget {
                "get { _$getOptional(\(target).self, \(raw: slot)) }"
            } else {
                "get { _$get(\(raw: slot)) }"
            }
        let setter: AccessorDeclSyntax = "set { _$set(\(raw: slot), newValue) }"
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
