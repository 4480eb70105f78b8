import SwiftSyntax

/// What can be told of a property's type from how it is spelled. A type alias, an enum and a model all look alike, so
/// a name that is not known here is never judged: the type checker knows better.
struct SpelledType {
    enum Shape {
        /// A name that means what it means in the standard library, Foundation or Banyan, with its generic arguments.
        case known(Known, [TypeSyntax])
        case unknown
        case array(element: TypeSyntax)
        case dictionary(key: TypeSyntax, value: TypeSyntax)
        case set(element: TypeSyntax)
        case tuple
        case function
        /// `Any`, `AnyObject`, `any P`, `some P`, `P & Q`, metatypes.
        case abstract
        /// A class of Foundation that has a value type beside it, and what is stored instead.
        case foundationClass(replacement: String)
    }

    enum Known: String {
        case bool = "Bool"
        case int = "Int"
        case int8 = "Int8"
        case int16 = "Int16"
        case int32 = "Int32"
        case int64 = "Int64"
        case float = "Float"
        case double = "Double"
        case string = "String"
        case data = "Data"
        case date = "Date"
        case uuid = "UUID"
        case objectId = "ObjectId"
        case decimal128 = "Decimal128"
        case duration = "Duration"
        case anyValue = "AnyValue"
        case list = "List"
        case mutableSet = "MutableSet"
        case map = "Map"
        case linkingObjects = "LinkingObjects"
    }

    /// The type as spelled.
    let syntax: TypeSyntax
    /// The type without its optionality.
    let unwrapped: TypeSyntax
    let isOptional: Bool
    /// How many layers of optionality it has.
    let optionals: Int
    let shape: Shape

    init(_ type: TypeSyntax) {
        syntax = type
        var current = type
        var optionals = 0
        while let wrapped = current.wrappedType {
            if wrapped.isOptional { optionals += 1 }
            current = wrapped.type
        }
        unwrapped = current
        isOptional = optionals > 0
        self.optionals = optionals
        shape = Shape(current)
    }

    var known: Known? {
        if case .known(let known, _) = shape { known } else { nil }
    }

    /// The type without its optionality, where it has one and may be a model.
    var possibleTarget: TypeSyntax? {
        if isOptional, case .unknown = shape { unwrapped.trimmed } else { nil }
    }

    /// Whether this is a collection whose elements may be of any type, models among others.
    var holdsUnknown: Bool {
        guard let element else { return false }
        if case .unknown = SpelledType(element).shape { return true } else { return false }
    }

    /// What the collection holds, or for a map its values.
    var element: TypeSyntax? {
        guard case .known(let known, let arguments) = shape, known.isCollection else { return nil }
        return arguments.last
    }
}

/// What a property of a known type may be. The runtime says the same of each kind, in `Scalars`.
private struct KnownTraits {
    var isCollection = false
    var canBePrimaryKey = false
    var canBeIndexed = false
    var canBeOrdered = false
    /// Whether the zero literals `0`, `""` and `false` are what fresh storage of this type holds.
    var isPlain = false

    static let collection = KnownTraits(isCollection: true)
    static let none = KnownTraits()
    static func key(isPlain: Bool) -> KnownTraits {
        KnownTraits(canBePrimaryKey: true, canBeIndexed: true, canBeOrdered: true, isPlain: isPlain)
    }
}

extension SpelledType.Known {
    private var traits: KnownTraits {
        switch self {
        case .int, .int8, .int16, .int32, .int64, .string: .key(isPlain: true)
        case .uuid, .objectId, .duration: .key(isPlain: false)
        case .bool: KnownTraits(canBeIndexed: true, canBeOrdered: true, isPlain: true)
        case .float, .double: KnownTraits(canBeOrdered: true, isPlain: true)
        case .date: KnownTraits(canBeIndexed: true, canBeOrdered: true)
        // The runtime has the last word on an ordered index of AnyValues.
        case .anyValue: KnownTraits(canBeIndexed: true, canBeOrdered: true)
        case .data, .decimal128: .none
        case .list, .mutableSet, .map, .linkingObjects: .collection
        }
    }

    var isCollection: Bool { traits.isCollection }
    var canBePrimaryKey: Bool { traits.canBePrimaryKey }
    var canBeIndexed: Bool { traits.canBeIndexed }
    /// Whether an ordered index may have values of this type.
    var canBeOrdered: Bool { traits.canBeOrdered }
    /// Whether the zero literals `0`, `""` and `false` are what fresh storage of this type holds.
    var isPlain: Bool { traits.isPlain }
}

extension SpelledType.Shape {
    init(_ type: TypeSyntax) {
        switch type.as(TypeSyntaxEnum.self) {
        case .arrayType(let array):
            self = .array(element: array.element)
        case .dictionaryType(let dictionary):
            self = .dictionary(key: dictionary.key, value: dictionary.value)
        case .tupleType:
            self = .tuple
        case .functionType:
            self = .function
        case .someOrAnyType, .compositionType, .metatypeType, .classRestrictionType, .suppressedType:
            self = .abstract
        case .identifierType(let identifier):
            self = Self(name: identifier.name.text, arguments: identifier.genericArgumentClause)
        case .memberType(let member) where member.baseType.isModule:
            self = Self(name: member.name.text, arguments: member.genericArgumentClause)
        default:
            self = .unknown
        }
    }

    private init(name: String, arguments clause: GenericArgumentClauseSyntax?) {
        let arguments = clause?.arguments.compactMap { argument -> TypeSyntax? in
            if case .type(let type) = argument.argument { type } else { nil }
        }
        switch (name.withoutBackticks, arguments ?? []) {
        case ("Array", let arguments) where arguments.count == 1:
            self = .array(element: arguments[0])
        case ("ContiguousArray", let arguments) where arguments.count == 1:
            self = .array(element: arguments[0])
        case ("Dictionary", let arguments) where arguments.count == 2:
            self = .dictionary(key: arguments[0], value: arguments[1])
        case ("Set", let arguments) where arguments.count == 1:
            self = .set(element: arguments[0])
        case ("Any", _), ("AnyObject", _), ("AnyHashable", _):
            self = .abstract
        case (let name, let arguments):
            self =
                SpelledType.Known(rawValue: name).map { .known($0, arguments) }
                ?? Self.foundationClasses[name].map { .foundationClass(replacement: $0) } ?? .unknown
        }
    }

    /// Nothing can make these storable: a class gets no `init(persistedValue:)` by an extension.
    private static let foundationClasses = [
        "NSString": "String", "NSMutableString": "String", "NSAttributedString": "String", "NSDate": "Date",
        "NSData": "Data", "NSMutableData": "Data", "NSUUID": "UUID", "NSURL": "String", "NSNumber": "Double",
        "NSDecimalNumber": "Decimal128", "NSArray": "List<AnyValue>", "NSMutableArray": "List<AnyValue>",
        "NSSet": "MutableSet<AnyValue>", "NSMutableSet": "MutableSet<AnyValue>",
        "NSDictionary": "Map<String, AnyValue>", "NSMutableDictionary": "Map<String, AnyValue>",
    ]
}

extension TypeSyntax {
    fileprivate var isModule: Bool {
        guard let identifier = self.as(IdentifierTypeSyntax.self) else { return false }
        return ["Swift", "Foundation", "FoundationEssentials", "Banyan"].contains(identifier.name.text)
    }

    /// One layer of `T?`, `T!`, `Optional<T>`, `@attributes T` or `(T)` less.
    fileprivate var wrappedType: (type: TypeSyntax, isOptional: Bool)? {
        if let optional = self.as(OptionalTypeSyntax.self) { return (optional.wrappedType, true) }
        if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return (optional.wrappedType, true) }
        if let attributed = self.as(AttributedTypeSyntax.self) { return (attributed.baseType, false) }
        if let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first,
            only.firstName == nil, only.ellipsis == nil
        {
            return (only.type, false)
        }
        if let identifier = self.as(IdentifierTypeSyntax.self), identifier.name.text == "Optional",
            case .type(let type)? = identifier.genericArgumentClause?.arguments.first?.argument
        {
            return (type, true)
        }
        return nil
    }
}
