package import BanyanCore

// What separates the schema a file was written with from the program's, in words.

extension Schema {
    /// Every difference, as sentences without a full stop, in the order of the stored schema; empty when the two are the
    /// same but for their version and the order of types and properties.
    package func differences(fromStored stored: Schema) -> [String] {
        var result: [String] = []
        for old in stored.types where !old.isInternal {
            guard let table = table(named: old.name) else {
                result.append("'\(old.name)' is in the file, not in the program")
                continue
            }
            result += types[table].differences(fromStored: old)
        }
        for type in types where !type.isInternal && stored.table(named: type.name) == nil {
            result.append("'\(type.name)' is in the program, not in the file")
        }
        return result
    }

    /// The error for a file that was written with other types, whatever the versions are.
    package func mismatch(withStored stored: Schema, file: String? = nil) -> BanyanError {
        let differences = differences(fromStored: stored)
        let listed =
            differences.isEmpty ? "types or properties are in another order" : differences.joined(separator: "; ")
        return BanyanError(
            .schemaMismatch,
            "the stored schema (version \(stored.version)) is not the program's (version \(version)): \(listed)",
            remedy:
                "This version of Banyan converts no stored objects, whatever `schemaVersion` says: open the store with the"
                + " models it was written with, or fill a new store from what `banyan export` prints of this one",
            at: .init(file: file))
    }

    /// The error for a file of a newer program: it was written with the same types under a higher version.
    package func isOlder(thanStored stored: Schema, file: String? = nil) -> BanyanError {
        BanyanError(
            .schemaMismatch,
            "the stored schema has version \(stored.version), and the program's has the lower version \(version)",
            remedy:
                "Open it with the newer program, or with `schemaVersion` \(stored.version) if that is what this one's"
                + " models are",
            at: .init(file: file))
    }
}

extension TypeSchema {
    fileprivate func differences(fromStored stored: TypeSchema) -> [String] {
        var result: [String] = []
        if isEmbedded != stored.isEmbedded {
            func form(_ type: TypeSchema) -> String { type.isEmbedded ? "embedded" : "top-level" }
            result.append("'\(name)' is \(form(stored)) in the file, \(form(self)) in the program")
        }
        if superclass != stored.superclass {
            func form(_ type: TypeSchema) -> String {
                type.superclass.map { "inherits from '\($0)'" } ?? "inherits from nothing"
            }
            result.append("'\(name)' \(form(stored)) in the file, and \(form(self)) in the program")
        }
        for old in stored.properties {
            guard let index = property(named: old.name) else {
                result.append("'\(name).\(old.name)' (\(old.typeDescription)) is in the file, not in the program")
                continue
            }
            result += properties[index].differences(fromStored: old, in: name)
        }
        for index in stored.indexes where !indexes.contains(index) {
            result.append("'\(name)' has \(index.inWords) in the file, not in the program")
        }
        for index in indexes where !stored.indexes.contains(index) {
            result.append("'\(name)' has \(index.inWords) in the program, not in the file")
        }
        for property in properties where stored.property(named: property.name) == nil {
            result.append("'\(name).\(property.name)' (\(property.typeDescription)) is in the program, not in the file")
        }
        return result
    }
}

extension CompoundIndex {
    fileprivate var inWords: String {
        "\(isUnique ? "a unique" : "an") index of \(properties.map { "'\($0)'" }.joined(separator: ", "))"
    }
}

extension PropertySchema {
    fileprivate func differences(fromStored stored: PropertySchema, in type: String) -> [String] {
        var result: [String] = []
        let place = "'\(type).\(name)'"
        if typeDescription != stored.typeDescription {
            result.append("\(place) is \(stored.typeDescription) in the file, \(typeDescription) in the program")
        } else if kind != stored.kind || shape != stored.shape {
            // Alike as Swift types: embedded or not, or the inverse of something else.
            result.append("\(place) is \(stored.storage) in the file, \(storage) in the program")
        }
        func compare(_ what: String, _ mine: Bool, _ theirs: Bool) {
            guard mine != theirs else { return }
            result.append(
                "\(place) is \(theirs ? "" : "not ")\(what) in the file, \(mine ? "" : "not ")\(what) in the program")
        }
        compare("the primary key", isPrimaryKey, stored.isPrimaryKey)
        compare("indexed", isIndexed, stored.isIndexed)
        if let index, let other = stored.index {
            compare("indexed in order", index.capabilities.contains(.order), other.capabilities.contains(.order))
        }
        compare("unique", isUnique, stored.isUnique)
        if deleteRule != stored.deleteRule {
            result.append(
                "\(place) has the delete rule .\(stored.deleteRule) in the file, .\(deleteRule) in the program")
        }
        return result
    }

    private var storage: String {
        if case .inverse(let origin) = shape { return "the inverse of '\(target ?? "").\(origin)'" }
        return "\(typeDescription) stored as \(kind.name)"
    }
}
