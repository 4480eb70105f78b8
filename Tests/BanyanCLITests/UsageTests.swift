import BanyanCore
import Foundation
import Testing

@Suite("Wrong usage")
struct UsageTests {
    @Test(
        "A command that does not exist is told as that, with the one that was probably meant",
        arguments: [
            ("nope", nil), ("qery", "query"), ("exprot", "export"), ("INFO", "info"), ("slavage", "salvage"),
            ("data/app", nil),
        ])
    func unknownCommand(word: String, meant: String?) throws {
        let answer = try Tool.run(word, "x", "y")
        #expect(answer.status == 64)
        #expect(answer.output == "")
        #expect(answer.messages.hasPrefix("banyan: There is no command '\(word)'\n"))
        #expect(answer.messages.contains("`banyan --help`"))
        #expect(answer.messages.contains("Did you mean") == (meant != nil))
        if let meant { #expect(answer.messages.contains("Did you mean '\(meant)'?")) }
    }

    @Test(
        "Columns are paths: none, or an empty one, is a mistake", arguments: ["", " ", "name,,dogs", ",name", "name,"])
    func noColumns(text: String) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 2)
            let answer = try Tool.run("query", path, "Person", "--columns", text)
            #expect(answer.status == 64)
            #expect(answer.output == "")
            #expect(answer.messages.contains("--columns takes paths"))
        }
    }

    @Test("A column counts what a collection or an inverse has, also behind links")
    func counts() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 4)
            let columns = "id,dogs.@count,tags.@count,notes.@count,clubs.@count,bestFriend.dogs.@count"
            let answer = try Tool.run("query", path, "Person", "--sort", "id", "--columns", columns)
            #expect(
                answer.output == """
                    id  dogs.@count  tags.@count  notes.@count  clubs.@count  bestFriend.dogs.@count
                     1            2            3             2             1                     nil
                     2            2            3             2             1                       2
                     3            2            3             2             1                       2

                    """)
            let json = try Tool.run(
                "query", path, "Person", "id == 2", "--columns", "dogs.@count,clubs.@count", "--json"
            ).json()
            let objects = try #require(json["objects"] as? [[String: Any]])
            #expect(objects.first?["values"] as? [String: Int] == ["dogs.@count": 2, "clubs.@count": 1])
        }
    }

    @Test(
        "A column that leads nowhere says what does",
        arguments: [
            ("dogs.name", "'dogs.@count' shows how many it has"), ("name.@count", "Only links lead on"),
            ("dogs.@sum", "'dogs.@count' shows how many it has"), ("address.nope", "It has: @id, street, city"),
        ])
    func wrongColumn(path column: String, hint: String) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 2)
            let answer = try Tool.run("query", path, "Person", "--columns", column)
            #expect(answer.status == 64)
            #expect(answer.messages.contains(hint), "\(answer.messages)")
        }
    }
}
