/// What went wrong because of data or the world: a code to switch on, a message that names the thing, and what to do.
///
/// Misuse inside a write (an invalidated object, a changed primary key, a value over its limit) *fails the transaction*:
/// the first such fault is recorded, and `write` rolls back and throws it as one of these.
public struct BanyanError: Error, Sendable, Hashable {
    /// What kind of failure this is. New codes may be added in minor releases.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        // Data
        public static let duplicateKey = Code(rawValue: "duplicateKey")
        public static let conflict = Code(rawValue: "conflict")
        public static let constraint = Code(rawValue: "constraint")
        public static let valueTooLong = Code(rawValue: "valueTooLong")
        public static let invalidValue = Code(rawValue: "invalidValue")
        public static let unknownProperty = Code(rawValue: "unknownProperty")
        public static let unknownType = Code(rawValue: "unknownType")
        public static let invalidQuery = Code(rawValue: "invalidQuery")
        // Misuse
        public static let invalidatedObject = Code(rawValue: "invalidatedObject")
        public static let primaryKeyChanged = Code(rawValue: "primaryKeyChanged")
        public static let secondOwner = Code(rawValue: "secondOwner")
        public static let foreignObject = Code(rawValue: "foreignObject")
        public static let outOfBounds = Code(rawValue: "outOfBounds")
        public static let nestedWrite = Code(rawValue: "nestedWrite")
        public static let insideWrite = Code(rawValue: "insideWrite")
        public static let notInWrite = Code(rawValue: "notInWrite")
        public static let frozen = Code(rawValue: "frozen")
        // Schema
        public static let invalidSchema = Code(rawValue: "invalidSchema")
        public static let schemaMismatch = Code(rawValue: "schemaMismatch")
        // World
        public static let damaged = Code(rawValue: "damaged")
        public static let notAStore = Code(rawValue: "notAStore")
        public static let unsupportedFormat = Code(rawValue: "unsupportedFormat")
        public static let foreignFile = Code(rawValue: "foreignFile")
        public static let inUse = Code(rawValue: "inUse")
        public static let targetNotEmpty = Code(rawValue: "targetNotEmpty")
        public static let io = Code(rawValue: "io")
        public static let diskFull = Code(rawValue: "diskFull")
        public static let permission = Code(rawValue: "permission")
        public static let poisoned = Code(rawValue: "poisoned")
        public static let closed = Code(rawValue: "closed")
        public static let limit = Code(rawValue: "limit")
        public static let readOnly = Code(rawValue: "readOnly")
    }

    /// Where it happened, as far as is known.
    public struct Location: Sendable, Hashable {
        /// The stored name of the type.
        public var type: String?
        /// The object, as its primary key or object id prints.
        public var object: String?
        public var property: String?
        public var file: String?
        /// Bytes from the start of `file`.
        public var offset: UInt64?
        /// The commit concerned.
        public var sequence: UInt64?

        public init(
            type: String? = nil, object: String? = nil, property: String? = nil, file: String? = nil,
            offset: UInt64? = nil, sequence: UInt64? = nil
        ) {
            self.type = type
            self.object = object
            self.property = property
            self.file = file
            self.offset = offset
            self.sequence = sequence
        }
    }

    public var code: Code
    /// What happened, in a sentence without its final full stop.
    public var message: String
    /// What to do about it, in a sentence without its final full stop.
    public var remedy: String?
    public var location: Location
    /// What the layer below said: an errno's text, or another error's description.
    public var cause: String?

    public init(
        _ code: Code, _ message: String, remedy: String? = nil, at location: Location = Location(),
        cause: String? = nil
    ) {
        self.code = code
        self.message = message
        self.remedy = remedy
        self.location = location
        self.cause = cause
    }
}

extension BanyanError: CustomStringConvertible {
    public var description: String { remedy.map { "\(whatHappened) \($0)." } ?? whatHappened }

    /// The message, the place and the cause, as a sentence.
    var whatHappened: String {
        var text = message
        let place = location.description
        if !place.isEmpty { text += " (\(place))" }
        if let cause { text += ": \(cause)" }
        return text + "."
    }
}

extension BanyanError.Location: CustomStringConvertible {
    public var description: String {
        var parts: [String] = []
        if let type {
            parts.append(property.map { "\(type).\($0)" } ?? type)
        } else if let property {
            parts.append(property)
        }
        if let object { parts.append("object \(object)") }
        if let file { parts.append(offset.map { "\(file) at byte \($0)" } ?? file) }
        if let sequence { parts.append("commit \(sequence)") }
        return parts.joined(separator: ", ")
    }
}
