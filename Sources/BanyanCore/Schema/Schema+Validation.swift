extension Schema {
    /// Throws for what no table can be made of: names too long or used twice, links to unknown or unsuitable types, more than
    /// one key, an inverse of nothing.
    package func validate() throws(BanyanError) {
        guard types.count < 1 << 16 else {
            throw BanyanError(.invalidSchema, "a graph holds at most 65,535 types, and \(types.count) were given")
        }
        var seen: Set<String> = []
        // Looked up for every link and every superclass; the first of a name counts, as for `table(named:)`.
        let tables = Dictionary(types.indices.map { (types[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
        for type in types {
            guard type.name.utf8.count <= 57, !type.name.isEmpty else {
                throw BanyanError(
                    .invalidSchema, "the type name '\(type.name)' is not 1 to 57 UTF-8 bytes long",
                    remedy: "Rename the class", at: .init(type: type.name))
            }
            guard seen.insert(type.name).inserted else {
                throw BanyanError(
                    .invalidSchema, "two types are named '\(type.name)'", remedy: "Rename one of them",
                    at: .init(type: type.name))
            }
            guard !type.name.hasPrefix("$") || type == NestedValues.type else {
                throw BanyanError(
                    .invalidSchema, "the type name '\(type.name)' is not one that a type can have",
                    at: .init(type: type.name))
            }
            try validate(type, tables)
        }
        try validateInheritance(tables)
    }

    /// A type has the properties of the one it inherits from, in front of its own; and nobody inherits from itself.
    private func validateInheritance(_ tables: [String: Int]) throws(BanyanError) {
        /// Types above which nobody inherits from themselves: each is gone through once, however many inherit from it.
        var isSound = [Bool](repeating: false, count: types.count)
        for (number, type) in types.enumerated() {
            var way = [number]
            var isOnWay: Set<Int> = [number]
            while let last = way.last, !isSound[last], let name = types[last].superclass {
                guard let table = tables[name] else {
                    throw BanyanError(
                        .invalidSchema, "inherits from the type '\(name)', which is not in the schema",
                        remedy: "Add its class to `models`", at: .init(type: types[last].name))
                }
                guard isOnWay.insert(table).inserted else {
                    throw BanyanError(.invalidSchema, "the type inherits from itself", at: .init(type: type.name))
                }
                way.append(table)
            }
            for table in way { isSound[table] = true }
            guard let name = type.superclass, let table = tables[name] else { continue }
            let parent = types[table]
            let inherited = Array(type.properties.prefix(parent.properties.count))
            guard inherited == parent.properties, type.isEmbedded == parent.isEmbedded,
                type.indexes.starts(with: parent.indexes)
            else {
                throw BanyanError(
                    .invalidSchema, "does not begin with the properties of '\(name)', from which it inherits",
                    at: .init(type: type.name))
            }
        }
    }

    private func validate(_ type: TypeSchema, _ tables: [String: Int]) throws(BanyanError) {
        var seen: Set<String> = []
        for property in type.properties {
            let place = BanyanError.Location(type: type.name, property: property.name)
            guard property.name.utf8.count <= 63, !property.name.isEmpty else {
                throw BanyanError(
                    .invalidSchema, "the property name '\(property.name)' is not 1 to 63 UTF-8 bytes long",
                    remedy: "Rename the property, or give it a shorter stored name", at: place)
            }
            guard property.kind != .any || !property.isOptional else {
                throw BanyanError(
                    .invalidSchema, "an AnyValue is never Optional", remedy: "Use AnyValue: its .none stands for nil",
                    at: place)
            }
            guard seen.insert(property.name).inserted else {
                throw BanyanError(.invalidSchema, "two properties are stored under one name", at: place)
            }
            if property.isPrimaryKey, !property.kind.canBeKey || property.shape != .single || type.isEmbedded {
                throw BanyanError(
                    .invalidSchema, "\(property.typeDescription) cannot be a primary key here",
                    remedy: "Use a String, an integer, an ObjectId or a UUID, in a class that is not embedded",
                    at: place)
            }
            let canBeIndexed = (property.index ?? .standard).accepts(property.kind)
            if property.isIndexed || property.isUnique, !canBeIndexed || property.shape != .single {
                throw BanyanError(.invalidSchema, "\(property.typeDescription) cannot be indexed", at: place)
            }
            try validateLink(property, tables, place)
        }
        guard type.properties.count(where: \.isPrimaryKey) <= 1 else {
            throw BanyanError(.invalidSchema, "a type has one primary key at most", at: .init(type: type.name))
        }
        try validateIndexes(of: type)
    }

    private func validateIndexes(of type: TypeSchema) throws(BanyanError) {
        var seen: Set<[String]> = []
        for index in type.indexes {
            let names = index.properties
            func problem(_ what: String, _ name: String? = nil) -> BanyanError {
                BanyanError(
                    .invalidSchema, "the index of \(names.joined(separator: ", ")) \(what)",
                    at: .init(type: type.name, property: name))
            }
            guard names.count > 1, names.count <= Self.maximumIndexed else {
                throw problem("has \(names.count) properties, and may have 2 to \(Self.maximumIndexed)")
            }
            guard Set(names).count == names.count else { throw problem("has a property twice") }
            guard seen.insert(names).inserted else { throw problem("is declared twice") }
            for name in names {
                guard let column = type.property(named: name) else { throw problem("names no property", name) }
                let property = type.properties[column]
                guard IndexKind.compound.accepts(property.kind), property.shape == .single else {
                    throw problem("has a property that cannot be indexed: \(property.typeDescription)", name)
                }
            }
        }
    }

    /// Properties in one index at most.
    private static let maximumIndexed = 8

    private func validateLink(
        _ property: PropertySchema, _ tables: [String: Int], _ place: BanyanError.Location
    ) throws(BanyanError) {
        guard property.deleteRule == .nullify || property.kind == .object && !property.isInverse else {
            throw BanyanError(
                .invalidSchema, "\(property.typeDescription) has the delete rule .\(property.deleteRule)",
                remedy: "Only links to objects that stand on their own have delete rules", at: place)
        }
        guard property.kind.isLink || property.isInverse else { return }
        guard !property.isRequiredLink || property.deleteRule != .nullify else {
            throw BanyanError(
                .invalidSchema, "a required link has the delete rule .nullify, which would clear it",
                remedy: "Make it optional, or give it the delete rule .cascade or .deny", at: place)
        }
        guard let target = property.target, let index = tables[target] else {
            throw BanyanError(
                .invalidSchema, "links to the type '\(property.target ?? "")', which is not in the schema",
                remedy: "Add its class to `models`", at: place)
        }
        if case .inverse(let origin) = property.shape {
            guard let i = types[index].property(named: origin), types[index].properties[i].kind.mayLink else {
                throw BanyanError(
                    .invalidSchema, "is the inverse of '\(target).\(origin)', which is not a link", at: place)
            }
            return
        }
        guard types[index].isEmbedded == (property.kind == .embedded) else {
            throw BanyanError(.invalidSchema, "'\(target)' is stored both as embedded and as top-level", at: place)
        }
        if property.kind == .embedded, property.shape == .set {
            throw BanyanError(
                .invalidSchema, "a set cannot hold embedded objects", remedy: "Use a List or a Map", at: place)
        }
    }
}
