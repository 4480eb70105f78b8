import Banyan

@Model class Crate: Object {
    @Persisted var name = ""
    @Persisted var value: AnyValue
    @Persisted var list: List<AnyValue>
    @Persisted var map: Map<String, AnyValue>
    @Persisted var part: CratePart?

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }
}

@Model class CratePart: EmbeddedObject {
    @Persisted var value: AnyValue
}

/// What crates hold, which knows of it by one inverse for each way.
@Model class Ware: Object {
    @Persisted var name = ""
    @Persisted(inverseOf: \Crate.value) var inValues: LinkingObjects<Crate>
    @Persisted(inverseOf: \Crate.list) var inLists: LinkingObjects<Crate>
    @Persisted(originProperty: "map") var inMaps: LinkingObjects<Crate>
    @Persisted(originProperty: "value") var inParts: LinkingObjects<CratePart>

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }

    /// How often it is held, and by whom.
    var held: String {
        func names(_ crates: LinkingObjects<Crate>) -> String { crates.map(\.name).sorted().joined(separator: " ") }
        return "value: \(names(inValues)), list: \(names(inLists)), map: \(names(inMaps)), parts: \(inParts.count)"
    }
}

let crateModels: [ObjectBase.Type] = [Crate.self, CratePart.self, Ware.self]
