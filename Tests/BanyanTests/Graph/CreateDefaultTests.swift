import Banyan
import Testing

@Model private class Collar: Object {
    @Persisted var text = ""
    convenience init(_ text: String) {
        self.init()
        self.text = text
    }
}

@Model private class Basket: EmbeddedObject {
    @Persisted var collar: Collar? = Collar("basket default")
    @Persisted var inner: Basket?
}

@Model private class Pup: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var collar: Collar? = Collar("default")
    @Persisted(deleteRule: .deny) var tag: Collar = Collar("tag default")
    @Persisted var collars: List<Collar> = [Collar("in list")]
    @Persisted var named: Map<String, Collar?> = ["a": Collar("in map")]
    @Persisted var set: MutableSet<Collar> = [Collar("in set")]
    @Persisted var any: AnyValue = .object(Collar("any default"))
    @Persisted var anys: List<AnyValue> = [.object(Collar("in any list"))]
    @Persisted var basket: Basket? = Basket()
    @Persisted var baskets: List<Basket> = [Basket()]
    @Persisted var friend: Pup?
}

@Suite("Defaults that make objects")
struct CreateDefaultTests {
    enum Way: CaseIterable {
        case create, dynamicCreate, upsert, value, nested

        fileprivate func make(_ value: [String: Any], in graph: Graph) throws -> Pup {
            switch self {
            case .create: return try graph.create(Pup.self, value: value)
            case .upsert: return try graph.create(Pup.self, value: value, update: .modified)
            case .dynamicCreate:
                return try #require(try graph.dynamicCreate("Pup", value: value).object as? Pup)
            case .value:
                let pup = try Pup(value: value)
                try graph.add(pup)
                return pup
            case .nested:
                let bare: [String: Any?] = [
                    "id": 99, "collar": nil, "tag": Collar("holder"), "collars": [Any](), "named": [String: Any](),
                    "set": [Any](), "any": nil, "anys": [Any](), "basket": nil, "baskets": [Any](), "friend": value,
                ]
                return try #require(try graph.create(Pup.self, value: bare).friend)
            }
        }
    }

    private func texts(_ graph: Graph) -> [String] { graph.objects(Collar.self).map(\.text).sorted() }

    @Test("What is given instead of a default leaves nothing of it behind", arguments: Way.allCases)
    func given(_ way: Way) throws {
        let graph = Graph(try Store(.init(models: [Pup.self])))
        let known = try graph.added(Collar("known"))
        let pup = try graph.write {
            let basket: [String: Any] = ["collar": ["text": "b"], "inner": ["collar": known] as [String: Any]]
            return try way.make(
                [
                    "id": 1, "collar": known, "tag": ["text": "t"], "collars": [["text": "l"]],
                    "named": ["b": ["text": "m"]], "set": [known], "any": Collar("a"), "anys": [1, known] as [Any],
                    "basket": basket, "baskets": [["collar": known]],
                ], in: graph)
        }
        let made = ["a", "b", "known", "l", "m", "t"]
        #expect(texts(graph) == (way == .nested ? made + ["holder"] : made).sorted())
        #expect(pup.collar?.text == "known" && pup.tag.text == "t" && pup.collars.map(\.text) == ["l"])
        #expect(pup.named.keys == ["b"] && pup.named["b"]??.text == "m" && pup.set.map(\.text) == ["known"])
        #expect(pup.any.object(Collar.self)?.text == "a" && pup.anys.count == 2 && pup.baskets.count == 1)
        #expect(pup.basket?.collar?.text == "b" && pup.basket?.inner?.collar?.text == "known")
        #expect(pup.baskets.first?.collar?.text == "known")
    }

    @Test(
        "Nil given instead of a default leaves nothing of it behind; what is left out has it", arguments: Way.allCases)
    func nothing(_ way: Way) throws {
        let graph = Graph(try Store(.init(models: [Pup.self])))
        let value: [String: Any?] = ["id": 1, "collar": nil, "any": nil, "basket": nil, "collars": nil]
        let pup = try graph.write { try way.make(value as [String: Any], in: graph) }
        #expect(pup.collar == nil && pup.any.isNone && pup.basket == nil && pup.collars.isEmpty)
        let defaults = ["basket default", "in any list", "in map", "in set", "tag default"]
        #expect(texts(graph) == (way == .nested ? defaults + ["holder"] : defaults).sorted())
    }

    @Test("An update makes no objects that only a default would")
    func update() throws {
        let graph = Graph(try Store(.init(models: [Pup.self])))
        try graph.write { try graph.create(Pup.self, value: ["id": 1]) }
        let before = texts(graph)
        try graph.write {
            try graph.create(Pup.self, value: ["id": 1, "friend": ["id": 1] as [String: Any]], update: .modified)
        }
        #expect(texts(graph) == before && graph.objects(Pup.self).count == 1)
    }
}
