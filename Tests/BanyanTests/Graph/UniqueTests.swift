import Banyan
import Foundation
import Testing

@Model class Account: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(unique: true) var code = ""
    @Persisted(indexed: .ordered, unique: true) var number: Int?
    @Persisted(unique: true) var token: String?

    convenience init(_ id: Int, _ code: String, number: Int? = nil) {
        self.init()
        self.id = id
        self.code = code
        self.number = number
    }
}

@Suite("Unique properties")
struct UniqueTests {
    private func bank() throws -> Graph {
        let graph = Graph(try Store(.init(models: [Account.self])))
        try graph.write {
            for i in 0..<5 { try graph.add(Account(i, "code \(i)", number: i * 10)) }
        }
        return graph
    }

    private func account(_ graph: Graph, _ id: Int) throws -> Account {
        try #require(graph.object(ofType: Account.self, forPrimaryKey: id))
    }

    private func codes(_ graph: Graph) -> [String] { graph.objects(Account.self).sorted(by: \.id).map(\.code) }

    @Test("A second object with a value fails the transaction, which names both objects and the property")
    func secondObject() throws {
        let graph = try bank()
        let first = try #require(try account(graph, 3).objectID)
        let error = #expect(throws: BanyanError.self) {
            try graph.write { try graph.add(Account(9, "code 3")) }
        }
        #expect(error?.code == .constraint)
        #expect(error?.location.type == "Account")
        #expect(error?.location.property == "code")
        #expect(error?.location.object != nil)
        #expect(error?.message.contains("code 3") == true)
        #expect(error?.message.contains("\(first)") == true)
        #expect(graph.objects(Account.self).count == 5)
        #expect(graph.object(ofType: Account.self, forPrimaryKey: 9) == nil)
        // What was refused is not in the way of what comes next.
        try graph.write { try graph.add(Account(9, "code 9", number: 90)) }
        #expect(graph.objects(Account.self).where { $0.number == 90 }.first?.id == 9)
    }

    @Test("So does setting a value that is taken, and adding two of one value in one write")
    func settingAndAdding() throws {
        let graph = try bank()
        let account = try account(graph, 2)
        for change in [{ account.code = "code 1" }, { account.number = 40 }] {
            let error = #expect(throws: BanyanError.self) { try graph.write { change() } }
            #expect(error?.code == .constraint)
            #expect(account.code == "code 2" && account.number == 20)
        }
        #expect(throws: BanyanError.self) {
            try graph.write {
                try graph.add(Account(10, "twin"))
                try graph.add(Account(11, "twin"))
            }
        }
        #expect(graph.objects(Account.self).count == 5)
    }

    @Test("Values may be swapped, and passed on, within one write: what counts is how it ends")
    func swapping() throws {
        let graph = try bank()
        let (a, b) = (try account(graph, 0), try account(graph, 1))
        try graph.write {
            (a.code, b.code) = (b.code, a.code)
            (a.number, b.number) = (b.number, a.number)
        }
        #expect(a.code == "code 1" && b.code == "code 0" && a.number == 10 && b.number == 0)
        #expect(graph.objects(Account.self).where { $0.code == "code 0" }.map(\.id) == [1])
        #expect(graph.objects(Account.self).where { $0.number == 10 }.map(\.id) == [0])
        try graph.write {
            // The value of one that goes, given to another before it is gone.
            a.code = "code 4"
            graph.delete(try account(graph, 4))
            // And one that was given by mistake and taken back.
            b.code = "code 2"
            b.code = "code 0"
        }
        #expect(codes(graph) == ["code 4", "code 0", "code 2", "code 3"])
    }

    @Test("Several objects may have nil")
    func nilValues() throws {
        let graph = try bank()
        try graph.write {
            for i in 10..<14 { try graph.add(Account(i, "more \(i)")) }
            try account(graph, 1).number = nil
        }
        #expect(graph.objects(Account.self).where { $0.number == nil }.count == 5)
        #expect(graph.objects(Account.self).where { $0.token == nil }.count == 9)
        try graph.write { try account(graph, 1).token = "a token that is longer than fifteen bytes" }
        #expect(throws: BanyanError.self) {
            try graph.write { try account(graph, 2).token = "a token that is longer than fifteen bytes" }
        }
    }

    @Test("Updating by the primary key keeps the rule", arguments: [UpdatePolicy.modified, .all])
    func upsert(_ policy: UpdatePolicy) throws {
        let graph = try bank()
        try graph.write { try graph.add(Account(2, "code 2", number: 20), update: policy) }
        try graph.write { try graph.add(Account(2, "new", number: 21), update: policy) }
        #expect(codes(graph)[2] == "new")
        let error = #expect(throws: BanyanError.self) {
            try graph.write { try graph.add(Account(2, "code 4", number: 22), update: policy) }
        }
        #expect(error?.code == .constraint)
        #expect(codes(graph)[2] == "new")
        #expect(graph.objects(Account.self).where { $0.number == 21 }.count == 1)
    }

    @Test("A fault that came first is the one that is thrown")
    func faultsFirst() throws {
        let graph = try bank()
        let account = try account(graph, 2)
        let error = #expect(throws: BanyanError.self) {
            try graph.write {
                account.code = "code 1"
                account.id = 77
            }
        }
        #expect(error?.code == .primaryKeyChanged)
    }

    @Test("The rule holds after reopening, from the journal and from a snapshot", arguments: [false, true])
    func reopening(_ withCheckpoint: Bool) async throws {
        let directory = ScratchDirectory()
        let configuration = Store.Configuration(directory: directory.path, models: [Account.self])
        var store = try await Store.open(configuration)
        try await store.write { graph in
            for i in 0..<100 { try graph.add(Account(i, "code \(i)", number: i % 7 == 0 ? nil : i)) }
        }
        try await store.write { graph in
            // Swapped in one commit: replay sees both values twice for a moment.
            let (a, b) = (try account(graph, 1), try account(graph, 2))
            (a.code, b.code) = (b.code, a.code)
        }
        if withCheckpoint { try await store.checkpoint() }
        try await store.close()
        store = try await Store.open(configuration)
        for code in ["code 1", "code 99"] {
            await #expect(throws: BanyanError.self) {
                try await store.write { try $0.add(Account(1000, code)) }
            }
        }
        store.read { graph in
            #expect(graph.objects(Account.self).where { $0.code == "code 1" }.map(\.id) == [2])
            #expect(graph.objects(Account.self).where { $0.number > 90 }.count == 7)
        }
        try await store.close()
    }

    @Test("Random writes end well exactly when no value is there twice", arguments: [UInt64(1), 2, 3])
    func randomWrites(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let graph = Graph(try Store(.init(models: [Account.self])))
        var expected: [Int: (code: String, number: Int?)] = [:]
        var refused = 0
        for _ in 0..<300 {
            var next = expected
            var threw = false
            do {
                try graph.write {
                    for _ in 0..<Int.random(in: 1...4, using: &random) {
                        let id = Int.random(in: 0..<20, using: &random)
                        let code = "\(Int.random(in: 0..<30, using: &random))"
                        let number =
                            Int.random(in: 0..<4, using: &random) == 0 ? nil : Int.random(in: 0..<40, using: &random)
                        if let account = graph.object(ofType: Account.self, forPrimaryKey: id) {
                            if Int.random(in: 0..<4, using: &random) == 0 {
                                graph.delete(account)
                                next[id] = nil
                            } else {
                                (account.code, account.number) = (code, number)
                                next[id] = (code, number)
                            }
                        } else {
                            try graph.add(Account(id, code, number: number))
                            next[id] = (code, number)
                        }
                    }
                }
            } catch let error as BanyanError {
                #expect(error.code == .constraint)
                threw = true
            }
            let numbers = next.values.compactMap(\.number)
            let isRefused = Set(next.values.map(\.code)).count < next.count || Set(numbers).count < numbers.count
            #expect(threw == isRefused)
            if isRefused { refused += 1 } else { expected = next }
            #expect(codes(graph) == expected.sorted { $0.key < $1.key }.map(\.value.code))
        }
        #expect((50...250).contains(refused))
    }
}
