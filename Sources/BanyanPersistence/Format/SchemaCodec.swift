package import BanyanCore

/// A schema as bytes: what headers of journal segments and snapshots carry, so that a tool can read the file without the
/// program that wrote it.
///
/// Types and properties stand in the order of their numbers; equal schemas have equal bytes. The last eight bytes are the
/// XXH3-64 of those before.
///
/// The first byte is the form. Form 1 knows hash indexes alone; a schema that has no others is written in it, so that programs
/// from before the others read it. Form 2 has ordered and unique indexes and those of several properties, form 3 types that
/// inherit from others, delete rules, required links and AnyValues.
package enum SchemaCodec {
    static let simpleForm: UInt8 = 1
    static let indexForm: UInt8 = 2
    static let newestForm: UInt8 = 3

    package static func encode(_ schema: Schema) -> [UInt8] {
        var out = PayloadWriter(capacity: 256)
        out.put(byte: form(of: schema))
        out.put(varint: schema.version)
        out.put(count: schema.types.count)
        for type in schema.types {
            out.put(text: type.name)
            out.put(
                byte: (type.isEmbedded ? TypeFlags.embedded : 0) | (type.indexes.isEmpty ? 0 : TypeFlags.hasIndexes)
                    | (type.superclass == nil ? 0 : TypeFlags.hasSuperclass))
            if let superclass = type.superclass { out.put(text: superclass) }
            out.put(count: type.properties.count)
            for property in type.properties { encode(property, to: &out) }
            if !type.indexes.isEmpty { encodeIndexes(of: type, to: &out) }
        }
        out.put(u64: Checksum.hash(out.bytes))
        return out.bytes
    }

    /// - Throws: `damaged` for bytes that are no schema, `unsupportedFormat` for a form that this program does not know.
    ///   Whether the schema holds together is for `StoreLayout` to say.
    package static func decode(_ bytes: [UInt8]) throws(BanyanError) -> Schema {
        let result: Result<Schema, BanyanError> = bytes.withUnsafeBytes { raw in
            do throws(PayloadFault) {
                guard raw.count > 9 else { throw PayloadReader.short() }
                let body = UnsafeRawBufferPointer(rebasing: raw.dropLast(8))
                var trailer = PayloadReader(UnsafeRawBufferPointer(rebasing: raw.suffix(8)))
                guard try trailer.u64() == Checksum.hash(body.bytes) else {
                    throw PayloadFault("its checksum is wrong")
                }
                var reader = PayloadReader(body)
                let form = try reader.byte()
                guard form >= simpleForm, form <= newestForm else {
                    return .failure(
                        BanyanError(
                            .unsupportedFormat,
                            "the schema is stored in form \(form), and this program reads forms 1 to \(newestForm)",
                            remedy: "Use a newer Banyan"))
                }
                let schema = try decode(&reader, form: form)
                try reader.finish()
                return .success(schema)
            } catch {
                return .failure(BanyanError(.damaged, "the stored schema cannot be read", cause: error.reason))
            }
        }
        return try result.get()
    }

    // MARK: - Parts

    private enum TypeFlags {
        static let embedded: UInt8 = 1
        static let hasIndexes: UInt8 = 2
        static let hasSuperclass: UInt8 = 4

        static func all(_ form: UInt8) -> UInt8 { form == simpleForm ? 1 : form == indexForm ? 3 : 7 }
    }

    private enum PropertyFlags {
        static let optional: UInt8 = 1
        static let primaryKey: UInt8 = 2
        static let indexed: UInt8 = 4
        static let hasTarget: UInt8 = 8
        /// The code of the index's kind.
        static let indexKind: UInt8 = 16
        static let unique: UInt8 = 32
        static let cascade: UInt8 = 64
        static let deny: UInt8 = 128

        static func all(_ form: UInt8) -> UInt8 { form == simpleForm ? 15 : form == indexForm ? 63 : 255 }
    }

    private enum IndexFlags {
        static let unique: UInt8 = 1
    }

    private static func form(of schema: Schema) -> UInt8 {
        let isNewest = schema.types.contains { type in
            type.superclass != nil
                || type.properties.contains { $0.deleteRule != .nullify || $0.isRequiredLink || $0.kind == .any }
        }
        if isNewest { return newestForm }
        let isSimple = schema.types.allSatisfy { type in
            type.indexes.isEmpty && type.properties.allSatisfy { $0.index ?? .standard == .standard && !$0.isUnique }
        }
        return isSimple ? simpleForm : indexForm
    }

    private enum ShapeTag {
        static let single: UInt8 = 0
        static let list: UInt8 = 1
        static let set: UInt8 = 2
        static let map: UInt8 = 3
        static let inverse: UInt8 = 4
    }

    private static func encode(_ property: PropertySchema, to out: inout PayloadWriter) {
        out.put(text: property.name)
        out.put(byte: property.kind.rawValue)
        var flags: UInt8 = 0
        if property.isOptional { flags |= PropertyFlags.optional }
        if property.isPrimaryKey { flags |= PropertyFlags.primaryKey }
        if let index = property.index { flags |= PropertyFlags.indexed | PropertyFlags.indexKind * index.code }
        if property.isUnique { flags |= PropertyFlags.unique }
        if property.target != nil { flags |= PropertyFlags.hasTarget }
        if property.deleteRule == .cascade { flags |= PropertyFlags.cascade }
        if property.deleteRule == .deny { flags |= PropertyFlags.deny }
        out.put(byte: flags)
        switch property.shape {
        case .single: out.put(byte: ShapeTag.single)
        case .list: out.put(byte: ShapeTag.list)
        case .set: out.put(byte: ShapeTag.set)
        case .map(let key):
            out.put(byte: ShapeTag.map)
            out.put(byte: key.rawValue)
        case .inverse(let origin):
            out.put(byte: ShapeTag.inverse)
            out.put(text: origin)
        }
        if let target = property.target { out.put(text: target) }
    }

    /// Properties by their numbers.
    private static func encodeIndexes(of type: TypeSchema, to out: inout PayloadWriter) {
        out.put(count: type.indexes.count)
        for index in type.indexes {
            out.put(byte: index.isUnique ? IndexFlags.unique : 0)
            let numbers = index.properties.compactMap(type.property(named:))
            out.put(count: numbers.count)
            for number in numbers { out.put(count: number) }
        }
    }

    private static func decode(_ reader: inout PayloadReader, form: UInt8) throws(PayloadFault) -> Schema {
        var schema = Schema(types: [], version: try reader.varint())
        for _ in 0..<(try reader.count(ofItemsOf: 3)) {
            let name = try reader.string()
            let flags = try reader.byte()
            guard flags & ~TypeFlags.all(form) == 0 else { throw PayloadFault("the type '\(name)' has unknown flags") }
            var type = TypeSchema(name: name, isEmbedded: flags & TypeFlags.embedded != 0, properties: [])
            if flags & TypeFlags.hasSuperclass != 0 { type.superclass = try reader.string() }
            for _ in 0..<(try reader.count(ofItemsOf: 4)) {
                type.properties.append(try property(&reader, form: form))
            }
            if flags & TypeFlags.hasIndexes != 0 { type.indexes = try indexes(&reader, of: type) }
            schema.types.append(type)
        }
        return schema
    }

    private static func indexes(
        _ reader: inout PayloadReader, of type: TypeSchema
    ) throws(PayloadFault) -> [CompoundIndex] {
        var indexes: [CompoundIndex] = []
        for _ in 0..<(try reader.count(ofItemsOf: 4)) {
            let flags = try reader.byte()
            guard flags & ~IndexFlags.unique == 0 else {
                throw PayloadFault("an index of '\(type.name)' has unknown flags")
            }
            var index = CompoundIndex([], isUnique: flags & IndexFlags.unique != 0)
            for _ in 0..<(try reader.count(ofItemsOf: 1)) {
                let number = try reader.number(below: type.properties.count, "the property of an index")
                index.properties.append(type.properties[number].name)
            }
            indexes.append(index)
        }
        return indexes
    }

    private static func property(
        _ reader: inout PayloadReader, form: UInt8
    ) throws(PayloadFault) -> PropertySchema {
        let name = try reader.string()
        let kind = try kind(&reader, of: name, form: form)
        let flags = try reader.byte()
        guard flags & ~PropertyFlags.all(form) == 0 else {
            throw PayloadFault("the property '\(name)' has unknown flags")
        }
        let tag = try reader.byte()
        let shape: PropertySchema.Shape
        switch tag {
        case ShapeTag.single: shape = .single
        case ShapeTag.list: shape = .list
        case ShapeTag.set: shape = .set
        case ShapeTag.map: shape = .map(key: try self.kind(&reader, of: name, form: form))
        case ShapeTag.inverse: shape = .inverse(of: try reader.string())
        default: throw PayloadFault("the property '\(name)' is of the unknown shape \(tag)")
        }
        let target = flags & PropertyFlags.hasTarget != 0 ? try reader.string() : nil
        let isIndexed = flags & PropertyFlags.indexed != 0
        guard isIndexed || flags & (PropertyFlags.indexKind | PropertyFlags.unique) == 0 else {
            throw PayloadFault("the property '\(name)' says how it is indexed, and is not")
        }
        let rules = flags & (PropertyFlags.cascade | PropertyFlags.deny)
        guard rules != PropertyFlags.cascade | PropertyFlags.deny else {
            throw PayloadFault("the property '\(name)' has two delete rules")
        }
        return PropertySchema(
            name: name, kind: kind, isOptional: flags & PropertyFlags.optional != 0, shape: shape, target: target,
            isPrimaryKey: flags & PropertyFlags.primaryKey != 0,
            index: isIndexed ? IndexKind(code: flags / PropertyFlags.indexKind & 1) : nil,
            isUnique: flags & PropertyFlags.unique != 0,
            deleteRule: rules == PropertyFlags.cascade ? .cascade : rules == PropertyFlags.deny ? .deny : .nullify)
    }

    private static func kind(
        _ reader: inout PayloadReader, of name: String, form: UInt8
    ) throws(PayloadFault) -> ValueKind {
        let tag = try reader.byte()
        guard let kind = ValueKind(rawValue: tag), kind != .any || form >= newestForm else {
            throw PayloadFault("the property '\(name)' is of the unknown kind \(tag)")
        }
        return kind
    }
}
