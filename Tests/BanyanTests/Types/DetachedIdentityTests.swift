import Banyan
import Foundation
import Testing

@Model class Membership: Object {
    @Persisted(primaryKey: true) var login = ""
    @Persisted var name: String? = "nobody"
    @Persisted var limit = 10
    @Persisted private var password = "hunter2"
    @Persisted fileprivate var pin: Int? = 1234
    @Persisted(detached: true) private var hint = "a hint"
    @Persisted(indexed: .ordered, detached: false) var hash = "abc"
    @Persisted var token: MembershipToken?
    @Persisted var friend: Membership?
    @Persisted var friends: List<Membership>
    @Persisted var mood: Weather = .foggy
    @Persisted var settings: MembershipSettings?
    @Persisted var byDay: Map<Int, Membership?>
    @Persisted(deleteRule: .deny) var bank: Bank

    /// What the class itself may see of its detached value.
    static func hint(of value: Detached) -> String { value.hint }
    func know(_ word: String) { password = word }
}

@Model class MembershipToken: Object {
    @Persisted var text = "token"
    @Persisted(primaryKey: true) private var serial = 7
}

@Model class MembershipSettings: EmbeddedObject {
    @Persisted var theme = "dark"
    @Persisted var favourite: Membership?
}

@Model class Bank: Object {
    @Persisted(primaryKey: true) var number: Int?
    @Persisted var id = "an id of its own"
}

@Model class Vault: Membership {
    @Persisted var depth = 3
    @Persisted private var code = "0000"
}

@Model class Pebble: Object {
    @Persisted var weight = 1
}

@Model class Shell: Object, Identifiable {
    @Persisted var weight = 1
}

@Model class NumberedShell: Object, Identifiable {
    @Persisted(primaryKey: true) var id = 0
}

@Suite("What detached values are known by, hide and fill in")
struct DetachedIdentityTests {
    private let models: [ObjectBase.Type] = [Membership.self, Vault.self, Pebble.self, Shell.self, NumberedShell.self]

    @discardableResult
    private func fill(_ account: Membership) -> Membership {
        account.login = "ada"
        account.bank = Bank()
        account.bank.number = 9
        account.token = MembershipToken()
        account.friend = account
        account.friends.append(account)
        account.byDay[1] = account
        account.settings = MembershipSettings()
        account.settings?.favourite = account
        return account
    }

    private func json(_ value: some Encodable) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? [String: Any])
    }

    @Test(
        "Private properties stay out, unless they are asked for; others can be kept out", arguments: Situation.allCases)
    func hidden(_ situation: Situation) async throws {
        try await situation.show(Membership.self, models, make: { fill(Membership()) }, spoil: { $0.name = "x" }) {
            account in
            let value = account.detached()
            let json = try json(value)
            let expected: Set = [
                "login", "name", "limit", "hint", "token", "friend", "friends", "mood", "settings", "byDay", "bank",
            ]
            #expect(Set(json.keys) == (account.objectID == nil ? expected : expected.union(["objectID"])))
            #expect(json["hint"] as? String == "a hint" && Membership.hint(of: value) == "a hint")
            for text in [try String(decoding: JSONEncoder().encode(value), as: UTF8.self), "\(value)", "\(account)"] {
                #expect(!text.contains("hunter2") && !text.contains("1234") && !text.contains("abc"), "\(text)")
                #expect(text.contains("a hint"))
            }
        }
    }

    @Test("Links are primary keys, or identities as text, or values as deep as they are followed")
    func links() throws {
        let graph = Graph(try Store(.init(models: models)))
        let account = try graph.added(fill(Membership()))
        let value = account.detached()
        #expect(value.friend == .key("ada") && value.friends == [.key("ada")] && value.byDay[1] == .some(.key("ada")))
        #expect(value.friend?.key == "ada" && value.bank == .key(9) && value.settings?.favourite == .key("ada"))
        let token = try #require(account.token?.objectID)
        // Its key is private.
        #expect(value.token == .id(token) && value.token?.objectID == token)
        let json = try json(value)
        #expect(json["friend"] as? String == "ada" && json["friends"] as? [String] == ["ada"])
        #expect(json["bank"] as? Int == 9 && json["token"] as? String == "\(token)")
        #expect(json["objectID"] as? String == account.objectID.map { "\($0)" })
        #expect((json["settings"] as? [String: Any])?["favourite"] as? String == "ada")
        let deep = account.detached(depth: 1)
        #expect(deep.friend?.value?.friend == .key("ada") && deep.bank.value?.id == "an id of its own")
        #expect((try self.json(deep)["friend"] as? [String: Any])?["friend"] as? String == "ada")
        for value in [value, deep, fill(Membership()).detached(), fill(Membership()).detached(depth: 2)] {
            #expect(try JSONDecoder().decode(Membership.Detached.self, from: JSONEncoder().encode(value)) == value)
        }
        // Of an object whose key is nil only the identity is known.
        try graph.write { try graph.create(Bank.self, value: [String: Any]()) }
        let other = try #require(graph.objects(Bank.self).where { $0.number == nil }.first)
        #expect(Bank._$detach(other, _Detaching(depth: 0)) == other.objectID.map { .id($0) })
        let link = Bank._$detach(other, _Detaching(depth: 0))
        #expect(try JSONDecoder().decode(DetachedLink<Bank.Detached>.self, from: JSONEncoder().encode(link)) == link)
        let unmanaged = Pebble._$detach(Pebble(), _Detaching(depth: 0))
        #expect(unmanaged == .unmanaged)
        let data = try JSONEncoder().encode([unmanaged])
        #expect(try JSONDecoder().decode([DetachedLink<Pebble.Detached>].self, from: data) == [.unmanaged])
    }

    @Test("Decoding gives what is missing its declared default, and takes null for nil")
    func defaults() throws {
        func decoded<D: Decodable>(_ type: D.Type, _ json: String) throws -> D {
            try JSONDecoder().decode(type, from: Data(json.utf8))
        }
        let some = try decoded(Membership.Detached.self, #"{"login": "ada", "bank": 3, "nonsense": 1}"#)
        #expect(some.login == "ada" && some.bank == .key(3) && some.name == "nobody" && some.limit == 10)
        #expect(some.mood == .foggy && some.friends.isEmpty && some.token == nil && some.objectID == nil)
        let null = try decoded(Membership.Detached.self, #"{"name": null, "bank": {"id": "x"}, "settings": {}}"#)
        #expect(null.name == nil && null.bank.value?.id == "x" && null.settings?.theme == "dark")
        let vault = try decoded(Vault.Detached.self, #"{"login": "v", "depth": 5, "bank": 1}"#)
        #expect(vault.login == "v" && vault.depth == 5 && vault.limit == 10 && vault.mood == .foggy)
        let error = #expect(throws: DecodingError.self) { try decoded(Membership.Detached.self, "{}") }
        guard case .keyNotFound(let key, _)? = error else {
            Issue.record("no such error: \(String(describing: error))")
            return
        }
        #expect(key.stringValue == "bank")
        #expect(throws: DecodingError.self) { try decoded(Membership.Detached.self, #"{"bank": 1, "limit": null}"#) }
        #expect(throws: DecodingError.self) { try decoded(Membership.Detached.self, #"{"bank": "x"}"#) }
        #expect(throws: DecodingError.self) { try decoded(Pebble.Detached.self, #"{"objectID": "12"}"#) }
    }

    @Test("A value is identified by its id, or else its key, or else its identity")
    func identifiable() throws {
        func id<T: Identifiable>(_ value: T) -> T.ID { value.id }
        let graph = Graph(try Store(.init(models: models)))
        let account = try graph.added(fill(Membership()))
        let vault = try graph.added(Vault()) {
            fill($0)
            ($0.login, $0.token, $0.bank) = ("vault", nil, account.bank)
        }
        let pebble = try graph.added(Pebble())
        #expect(id(account.detached()) == "ada" && id(vault.detached()) == "vault")
        #expect(id(account.bank.detached()) == "an id of its own")
        #expect(id(pebble.detached()) == pebble.objectID && id(NumberedShell().detached()) == 0)
        #expect(id(account.token!.detached()) == account.token?.objectID)
    }

    @Test("Models may be identifiable: by their own id, or by what they are, in every graph and version")
    func identity() throws {
        func id<T: Identifiable>(_ object: T) -> T.ID { object.id }
        let store = try Store(.init(models: models))
        let graph = Graph(store)
        let (shell, other) = (try graph.added(Shell()), try graph.added(Shell()))
        #expect(id(shell) != id(other))
        let again = try #require(Graph(store).object(Shell.self, shell.objectID!))
        #expect(again !== shell && id(again) == id(shell) && shell.freeze().id == shell.id)
        let unmanaged = [Shell(), Shell()]
        #expect(unmanaged[0].id != unmanaged[1].id && id(NumberedShell()) == 0)
        try graph.write { graph.delete(other) }
        #expect(id(other) != id(shell))
    }

    @Test("A value prints as its class and its properties, without addresses")
    func description() throws {
        @Model class Inner: Object {
            @Persisted(primaryKey: true) var id = 5
            @Persisted var next: Inner?
            @Persisted var moods: List<Weather>
            @Persisted var scores: Map<String, Int?>
            @Persisted var data = Data([1, 2, 3])
            @Persisted var pebble: Pebble?
            @Persisted var extra: AnyValue
        }
        let inner = Inner()
        inner.next = inner
        inner.moods.append(.foggy)
        inner.scores["x"] = .some(nil)
        inner.pebble = Pebble()
        let text =
            #"Inner(objectID: nil, id: 5, next: Inner(5), moods: [foggy], scores: ["x": nil], data: 3 bytes, "#
            + "pebble: Pebble(unmanaged), extra: null)"
        #expect("\(inner.detached())" == text && String(reflecting: inner.detached()) == text)
        #expect("\([inner.detached()])" == "[\(text)]")
        #expect("\(inner.detached(depth: 1))".contains("next: Inner(objectID: nil, id: 5, next: Inner(5)"))
        let graph = Graph(try Store(.init(models: models)))
        let vault = try graph.added(Vault()) { fill($0) }
        let value = "\(vault.detached())"
        #expect(value.hasPrefix("Vault(objectID: \(vault.objectID!), login: \"ada\", name: \"nobody\", limit: 10, "))
        #expect(value.hasSuffix(", bank: Bank(9), depth: 3)") && !value.contains("0x") && !value.contains("0000"))
    }

    @Test("The text of an object id gives it back, and it is coded as its text")
    func objectIDs() throws {
        let graph = Graph(try Store(.init(models: models)))
        for _ in 0..<3 {
            let id = try #require(try graph.added(Pebble()).objectID)
            #expect(ObjectID("\(id)") == id)
            let data = try JSONEncoder().encode([id])
            #expect(String(decoding: data, as: UTF8.self) == "[\"\(id)\"]")
            #expect(try JSONDecoder().decode([ObjectID].self, from: data) == [id])
        }
        for text in ["", "1", "1:2", "1:2.", ":2.3", "1:2.3.4", "a:b.c", "70000:1.1", "1:-2.3", "1:2.3 "] {
            #expect(ObjectID(text) == nil, "\(text)")
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([ObjectID].self, from: JSONEncoder().encode([text]))
            }
        }
    }
}
