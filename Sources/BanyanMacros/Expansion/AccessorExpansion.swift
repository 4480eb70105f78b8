import SwiftSyntax

/// How a persisted property reads and writes. The value's type is inferred from the property's.
///
/// Where nothing is known of the type the functions that are called have a fallback for types that are not stored. That of reading
/// says what is wrong, at the property; that of writing is silent, so that there is one error.
enum AccessorExpansion {
    static func accessors(of property: PersistedProperty, at place: SourcePlace?) -> [AccessorDeclSyntax] {
        let slot = "_$Slot.\(property.identifier)"
        let access = Access(property)
        var arguments = slot
        if case .inverse(let origin) = property.role {
            // The key path is not evaluated: it is for the compiler, which knows whether there is such a link.
            arguments += ", of: self, \(origin.keyPath)"
        }
        let reading = "\(access.getter)(\(arguments))"
        let getter = access.isChecked ? "\n\(place.code(reading))    " : " \(reading) "
        // So that an inverse that is only looked at is made on the stack.
        let attribute = property.isInverse ? "@inline(__always) " : ""
        var accessors = [AccessorDeclSyntax(text: "    \(attribute)get {\(getter)}")]
        if let setter = access.setter {
            accessors.append(AccessorDeclSyntax(text: "    set { \(setter)(\(slot), newValue) }"))
        }
        return accessors
    }

    /// For a property that has been reported: without accessors the compiler would report their absence too. It takes
    /// none beside a `let` or beside those of a computed property.
    static func placeholders(for variable: VariableDeclSyntax) -> [AccessorDeclSyntax] {
        let isComputed = variable.bindings.contains { !($0.accessorBlock?.areObservers ?? true) }
        guard variable.bindingSpecifier.tokenKind == .keyword(.var), !isComputed else { return [] }
        return [AccessorDeclSyntax(text: "get { fatalError() }"), AccessorDeclSyntax(text: "set { fatalError() }")]
    }
}

/// The functions of the runtime that read and write a property.
private struct Access {
    var getter: String
    var setter: String?
    /// Whether reading may be an error, which has to be reported at the property.
    var isChecked = true

    /// What kind of link the compiler is to look for, where that is seen: then there is nothing else for it to say of a type that
    /// is not there.
    private static func form(of property: PersistedProperty) -> String {
        switch property.knownType {
        case .list?: "List"
        case .mutableSet?: "Set"
        case .map?: "Map"
        default: property.possibleTarget == nil ? "" : "Link"
        }
    }

    init(_ property: PersistedProperty) {
        switch property.role {
        case .inverse:
            getter = "_$getInverse"
        case .value(let options) where options.isRequiredLink:
            getter = "_$getRequired"
            setter = "_$setRequired"
        case .value(let options):
            switch property.knownType {
            case .list?, .map?, .mutableSet?:
                getter = "_$get"
                setter = "_$set"
                isChecked = false
                if property.knownType == .mutableSet, property.type?.holdsUnknown == true {
                    getter = "_$getSet"
                    isChecked = true
                }
            case nil:
                getter = property.possibleTarget == nil ? "_$getStored" : "_$getOptional"
                setter = property.possibleTarget == nil ? "_$setStored" : "_$setOptional"
            case .anyValue? where property.type?.isOptional == true:
                getter = "_$getOptional"
                setter = "_$setOptional"
            case _?:
                getter = "_$get"
                setter = "_$set"
                isChecked = false
            }
            if options.deleteRule != nil {
                getter = "_$getRuled" + Self.form(of: property)
                isChecked = true
            }
        }
    }
}
