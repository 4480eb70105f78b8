import SwiftDiagnostics

/// Every mistake the plugin reports: what is wrong, and what to write instead.
enum Problem: DiagnosticMessage, Equatable {
    // The class
    case notAClass(kind: String)
    case generic(name: String)
    case insideGeneric(name: String)
    case noSuperclass(name: String)
    case classNameTooLong(name: String, bytes: Int)
    case secondPrimaryKey(name: String, first: String)
    case duplicateStoredName(name: String, first: String)
    case embeddedPrimaryKey
    case ignoredWithoutDefault(name: String)
    case indexOfOne(name: String, isUnique: Bool)
    case indexTooWide(count: Int)
    case secondIndex
    case indexedTwice(name: String)
    case unknownIndexed(name: String, model: String)
    case indexedType(name: String, type: String)
    case undecidedCondition
    case isolated(attribute: String)
    case setBeforeObject(name: String)

    // Where @Persisted stands
    case outsideModel
    case missingModel(className: String)
    case constant
    case modifier(String)
    case computed
    case observers

    // Its type and default
    case array(element: String)
    case dictionary(key: String, value: String)
    case set(element: String)
    case optionalCollection(String)
    case tuple
    case function
    case abstract(String)
    case foundationClass(String, replacement: String)
    case nestedCollection(outer: String)
    case twiceOptional(String)

    // Its arguments
    case notLiteral(argument: String, expected: String)
    case primaryKeyType(String)
    case indexType(String, argument: String)
    case deleteRuleType(String)
    case nullifiedLink(String)
    case metatypeName(String)
    case reservedName(String)
    case emptyName
    case nameTooLong(name: String, bytes: Int)

    // Inverses
    case inverseWithoutOrigin(element: String)
    case originOfOtherType(argument: String)
    case inverseWithDefault
    case originNotAName(String)
    case originPathWithoutRoot

    var severity: DiagnosticSeverity { .error }

    var diagnosticID: MessageID {
        let label = Mirror(reflecting: self).children.first?.label ?? "\(self)"
        return MessageID(domain: "BanyanMacros", id: label)
    }
}

extension Problem {
    var message: String {
        switch self {
        case .notAClass(let kind):
            "'@Model' belongs on a class; \(kind) cannot be a model"
        case .generic(let name):
            "'\(name)' is generic; a model is one type of the graph and cannot have generic parameters"
        case .insideGeneric(let name):
            "'\(name)' is declared inside something generic; a model is one type of the graph and has to be declared"
                + " outside of it"
        case .noSuperclass(let name):
            "'\(name)' has no superclass; a model derives from 'Object', 'EmbeddedObject' or another model"
        case .classNameTooLong(let name, let bytes):
            "the class name '\(name)' takes \(bytes) bytes; the name of a model has at most"
                + " \(Limits.classNameBytes)"
        case .secondPrimaryKey(let name, let first):
            "'\(name)' is a second primary key; '\(first)' already is the key, and a class has one"
        case .duplicateStoredName(let name, let first):
            "'\(name)' is already the stored name of the property '\(first)'"
        case .embeddedPrimaryKey:
            "an embedded object has no primary key; it is found through its owner"
        case .ignoredWithoutDefault(let name):
            "'\(name)' is not persisted and needs a default, because live objects are made without calling"
                + " your initialisers"
        case .indexOfOne(let name, let isUnique):
            "an index here is of two properties or more; write '@Persisted(\(isUnique ? "unique: true" : "indexed: .ordered"))'"
                + " on '\(name)' for one"
        case .indexTooWide(let count):
            "an index of \(count) properties; \(Limits.indexedProperties) are the most"
        case .secondIndex:
            "there is an index of these properties already"
        case .indexedTwice(let name):
            "'\(name)' is in the index already"
        case .unknownIndexed(let name, let model):
            "'\(model)' has no persisted property '\(name)'"
        case .indexedType(let name, let type):
            "'\(name)' cannot be in an index: '\(type)' has no order of values"
        case .undecidedCondition:
            "a macro cannot evaluate this condition, and so cannot place the persisted properties inside;"
                + " 'canImport' is not known to it, platforms and custom flags are"
        case .isolated(let attribute):
            "a model cannot be isolated by '\(attribute)': its objects live in the isolation domain of their graph"
        case .setBeforeObject(let name):
            "'\(name)' is stored in the object, which is there once 'super.init()' was called: call it first"
        case .outsideModel:
            "'@Persisted' belongs on a property declared in the body of a '@Model' class"
        case .missingModel(let className):
            "'@Persisted' needs '@Model' in front of 'class \(className)'"
        case .constant:
            "a persisted property is a 'var'"
        case .modifier(let modifier):
            "a persisted property cannot be '\(modifier)'"
        case .computed:
            "a computed property is not stored; '@Persisted' does not belong on it"
        case .observers:
            "a persisted property cannot have observers; use 'observe' on the object instead, which sees changes"
                + " from everywhere"
        case .array(let element):
            "an array is not stored; use 'List<\(element)>'"
        case .dictionary(let key, let value):
            "a dictionary is not stored; use 'Map<\(key), \(value)>'"
        case .set(let element):
            "a Swift set is not stored; use 'MutableSet<\(element)>'"
        case .optionalCollection(let type):
            "'\(type)' is never nil, only empty; remove the optionality"
        case .tuple:
            "a tuple is not stored; use an 'EmbeddedObject' with a property for each part"
        case .function:
            "a function is not stored; leave out '@Persisted' for what belongs to the instance alone"
        case .abstract(let type):
            "'\(type)' is not stored; use 'AnyValue' for values of changing types"
        case .foundationClass(let type, let replacement):
            "'\(type)' is not stored; use '\(replacement)'"
        case .nestedCollection(let outer):
            "a '\(outer)' holds no collections; make its elements an 'EmbeddedObject' that has the inner one, or use 'AnyValue'"
        case .twiceOptional(let type):
            "a stored value is nil or not, once; use '\(type)?'"
        case .notLiteral(let argument, let expected):
            "'\(argument)' is read at compile time; write \(expected)"
        case .primaryKeyType(let type):
            "'\(type)' cannot be a primary key; use String, an Int, ObjectId or UUID"
        case .indexType(let type, let argument):
            "'\(type)' cannot be '\(argument)'; String, the Ints, Bool, Date, UUID, ObjectId and AnyValue can, and with"
                + " 'indexed: .ordered' Double and Float"
        case .deleteRuleType(let type):
            "'deleteRule' is for links and collections of links; '\(type)' holds none"
        case .nullifiedLink(let type):
            "a link that is never nil cannot be cleared when its target is deleted; use '\(type)?', or"
                + " 'deleteRule: .cascade' or '.deny'"
        case .metatypeName(let name):
            "no property can be read by the name '\(name)', which means a metatype; use another, and"
                + " 'name: \"\(name)\"' to store it under this one"
        case .reservedName(let name):
            "every object has '\(name)' already; name the property otherwise, and write 'name: \"\(name)\"' to store it"
                + " under this name"
        case .emptyName:
            "the stored name is empty"
        case .nameTooLong(let name, let bytes):
            "the name '\(name)' takes \(bytes) bytes; a property's has at most \(Limits.propertyNameBytes)"
        case .inverseWithoutOrigin(let element):
            "'LinkingObjects' needs the property of '\(element)' that links here: 'originProperty:' or 'inverseOf:'"
        case .originOfOtherType(let argument):
            "'\(argument)' declares an inverse; its type is 'LinkingObjects<…>'"
        case .inverseWithDefault:
            "an inverse has no default; the graph keeps it"
        case .originNotAName(let text):
            "'\(text)' is not the name of a property"
        case .originPathWithoutRoot:
            "write the key path with its type, as in '\\DogClub.members'"
        }
    }
}

/// What names in files are limited to, in UTF-8 bytes.
enum Limits {
    static let classNameBytes = 57
    static let propertyNameBytes = 63
    /// Properties in one index at most.
    static let indexedProperties = 8
}
