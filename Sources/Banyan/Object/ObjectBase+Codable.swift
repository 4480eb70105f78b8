import BanyanCore

// Codable models: `@Model class Dog: Object, Codable`. Nothing else need be written.

extension Decodable where Self: ObjectBase {
    /// Makes an unmanaged object. What is missing gets its default, what is unknown is ignored; inverses are not coded.
    ///
    /// - Throws: what the decoder throws, and `DecodingError.dataCorrupted` for objects that are nested more than 300 levels
    ///   deep.
    public init(from decoder: any Decoder) throws {
        self.init()
        try decodeProperties(from: decoder)
    }
}

extension Encodable where Self: ObjectBase {
    /// Encodes the stored properties, of a managed object too: to-one links, collections and embedded objects are nested, nil is
    /// encoded as null, and inverses are left out.
    ///
    /// - Throws: `EncodingError.invalidValue` where an object is inside itself, or links go more than 300 levels deep.
    public func encode(to encoder: any Encoder) throws { try encodeProperties(to: encoder) }
}

extension ObjectBase {
    /// By column, what coders call it; nil for what is not coded.
    private static var codingNames: [String?] {
        let model = _$model
        let keys = _$codingKeys
        return model.properties.enumerated().map { column, property in
            guard property.coding != nil else { return nil }
            guard let keys, column < keys.propertyCount else { return property.name }
            return keys.names[property.name]
        }
    }

    fileprivate final func decodeProperties(from decoder: any Decoder) throws {
        let level = DecodingLevel.current + 1
        guard level <= EncodingObjects.deepest else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "objects are nested more than \(EncodingObjects.deepest) levels deep"))
        }
        try DecodingLevel.$current.withValue(level) { try decodeProperties(from: decoder, Self.codingNames) }
    }

    private func decodeProperties(from decoder: any Decoder, _ names: [String?]) throws {
        let container = try decoder.container(keyedBy: ModelKey.self)
        let properties = type(of: self)._$model.properties
        for (column, name) in names.enumerated() {
            guard let name, let coding = properties[column].coding else { continue }
            let key = ModelKey(name)
            if container.contains(key) { try coding.decode(self, column, container, key) }
        }
    }

    fileprivate final func encodeProperties(to encoder: any Encoder) throws {
        let outer = EncodingObjects.current
        if let problem = EncodingObjects.problem(with: self, inside: outer) {
            throw EncodingError.invalidValue(
                self, .init(codingPath: encoder.codingPath, debugDescription: problem(encoder.codingPath)))
        }
        let type = type(of: self)
        let properties = type._$model.properties
        try EncodingObjects.$current.withValue(EncodingObjects(self, inside: outer)) {
            var container = encoder.container(keyedBy: ModelKey.self)
            for (column, name) in type.codingNames.enumerated() {
                guard let name, let coding = properties[column].coding else { continue }
                try coding.encode(self, column, &container, ModelKey(name))
            }
        }
    }
}

/// How many objects are being decoded within each other: decoders recurse, too.
private enum DecodingLevel {
    @TaskLocal static var current = 0
}

/// The objects that are being encoded, from the innermost out.
private final class EncodingObjects: @unchecked Sendable {
    // Sound: encoding is synchronous, so only the task that encodes the objects sees this.
    private let object: ObjectBase
    private let outer: EncodingObjects?
    private let depth: Int

    @TaskLocal static var current: EncodingObjects?

    /// Encoders recurse, and a stack has an end.
    static let deepest = 300

    init(_ object: ObjectBase, inside outer: EncodingObjects?) {
        self.object = object
        self.outer = outer
        depth = (outer?.depth ?? 0) + 1
    }

    /// Why an object cannot be encoded inside others, in words for a path.
    static func problem(
        with object: ObjectBase, inside outer: EncodingObjects?
    ) -> ((_ path: [any CodingKey]) -> String)? {
        if let outer, outer.depth >= deepest {
            return { _ in "links go more than \(deepest) levels deep: encode detached() values, or leave links out" }
        }
        var next = outer
        while let holder = next {
            if holder.object.isSameObject(as: object) {
                let name = type(of: object)._$model.name
                return { path in
                    "the \(name) at '\(text(path))' is inside itself: leave the link out by CodingKeys, or encode"
                        + " its detached() value"
                }
            }
            next = holder.outer
        }
        return nil
    }

    private static func text(_ path: [any CodingKey]) -> String {
        path.reduce("") { text, key in
            if let index = key.intValue { return text + "[\(index)]" }
            return text.isEmpty ? key.stringValue : text + "." + key.stringValue
        }
    }
}
