import BanyanCore
import Foundation
import Testing

@Suite("banyan query")
struct QueryCommandTests {
    @Test("Rows in columns, chosen, sorted and limited")
    func text() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 9)
            let answer = try Tool.run(
                "query", path, "Person", "ANY dogs.name BEGINSWITH[c] 'rex' AND id < 7", "--sort", "isMember desc",
                "--sort", "name",
                "--limit", "4", "--columns", "id,name,address.city,bestFriend.id,@id")
            #expect(answer.status == 0, "\(answer.messages)")
            #expect(
                answer.output == """
                    id  name       address.city  bestFriend.id  @id
                     2  Person 2   Oslo                      1  0:1.0
                     6  Renamed 8  nil                       5  0:4.0
                     1  Person 1   Zürich\\n                nil  0:0.0
                     3  Person 3   Zürich\\n                  2  0:2.0

                    """)
        }
    }

    @Test("JSON is one document, an object a line")
    func json() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 9)
            let answer = try Tool.run("query", path, "Dog", "owners.@count > 0", "--sort", "name desc", "--json")
            let json = try answer.json()
            #expect(json["schema"] as? Int == 1)
            #expect(json["sequence"] as? Int == 9)
            let objects = try #require(json["objects"] as? [[String: Any]])
            #expect(json["count"] as? Int == objects.count)
            let names = objects.compactMap { ($0["values"] as? [String: Any])?["name"] as? String }
            #expect(names == ["Rex 7", "Rex 6", "Rex 5", "Rex 3", "Rex 2", "Rex 1"])
            #expect(answer.lines.count == objects.count + 2)
            // With columns the values are those, by their paths.
            let few = try Tool.run("query", path, "Person", "id == 2", "--columns", "name,address.city", "--json")
                .json()
            let values = try #require((few["objects"] as? [[String: Any]])?.first?["values"] as? [String: String])
            #expect(values == ["name": "Person 2", "address.city": "Oslo"])
        }
    }

    @Test("A result of nothing is a result")
    func nothing() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 3)
            let answer = try Tool.run("query", path, "Person", "id > 100")
            #expect(answer.status == 0)
            #expect(answer.output == "")
            let json = try Tool.run("query", path, "Person", "id > 100", "--json").json()
            #expect(json["count"] as? Int == 0)
            #expect((json["objects"] as? [Any])?.isEmpty == true)
        }
    }

    @Test("Counting, leaving out in front, and how it would be found")
    func others() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 9)
            #expect(try Tool.run("query", path, "Person", "--count").output == "6\n")
            #expect(try Tool.run("query", path, "Person", "--count", "--json").json()["count"] as? Int == 6)
            let page = try Tool.run(
                "query", path, "Person", "--sort", "id", "--offset", "1", "--limit", "2", "--columns", "id")
            #expect(page.output == "id\n 2\n 3\n")
            #expect(try Tool.run("query", path, "Person", "id == 3", "--explain").output.contains("primary key"))
            #expect(try Tool.run("query", path, "Person", "name == 'x'", "--explain").output.contains("index"))
        }
    }

    @Test(
        "Mistakes are wrong usage, point at the place, and are found before anything is loaded",
        arguments: [("nme == 1", "Write 'name'"), ("age >", "column"), ("age == 'x'", "column"), ("id = 1)", "column")])
    func mistakes(predicate: String, hint: String) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 3, checkpoints: [3])
            let snapshot = try Damage.oldest(path, ".bsn")
            try Damage.flip(snapshot, at: try Damage.size(snapshot) / 2 + 40)
            let answer = try Tool.run("query", path, "Person", predicate)
            #expect(answer.status == 64)
            #expect(answer.messages.contains(hint), "\(answer.messages)")
        }
    }

    @Test(
        "Columns that are not there, or lead through many, are wrong usage",
        arguments: ["nme", "dogs.name", "name.x", "clubs.title"])
    func columns(columns: String) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 3)
            #expect(try Tool.run("query", path, "Person", "--columns", columns).status == 64)
        }
    }

    @Test(
        "What is to be sorted by is a path, and nothing else that the language knows",
        arguments: ["id) LIMIT(1", "id ASC) OFFSET(3", "id == 3", "", "name, ", "id desc desc"])
    func sortKeys(option: String) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 3)
            let answer = try Tool.run("query", path, "Person", "--sort", option)
            #expect(answer.status == 64)
            #expect(answer.messages.contains("--sort"), "\(answer.messages)")
            #expect(answer.output.isEmpty)
        }
    }

    @Test("Options and clauses of the predicate go together; two limits do not")
    func clauses() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 9)
            func ids(_ arguments: String...) throws -> [Substring] {
                try Tool.run(["query", path, "Person"] + arguments + ["--columns", "id"]).output
                    .split { $0.isWhitespace }.dropFirst().map { $0 }
            }
            #expect(try ids("--sort", "isMember DESC, id desc").count == 6)
            #expect(try ids("TRUEPREDICATE SORT(id DESC)", "--limit", "2") == ids("--sort", "id desc", "--limit", "2"))
            #expect(try ids("--sort", "isMember", "--sort", "id desc") == ids("--sort", "isMember, id desc"))
            let two = try Tool.run("query", path, "Person", "TRUEPREDICATE LIMIT(2)", "--limit", "1")
            #expect(two.status == 64)
            #expect(two.messages.contains("--limit"))
        }
    }
}
