import BanyanCore
import Foundation
import Testing

@Suite("banyan get")
struct GetTests {
    @Test("An object by its primary key, for a person")
    func text() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 4)
            let answer = try Tool.run("get", path, "Person", "2")
            #expect(
                answer.output == """
                    Person 2, id 0:1.0
                      id             2
                      name           Person 2
                      age            2
                      height         1.52
                      ratio          nil
                      isMember       true
                      born           2001-01-03T00:00:00.5Z
                      token          00000000-0000-4000-8000-000000000002
                      ticket         000000000000000000000002
                      balance        2.50
                      photo          AgD/
                      address        (street: 2 Main "Street", city: Oslo)
                      bestFriend     1
                      dogs           [Rex 2, Rex 2]
                      tags           {a, b, tag 2}
                      notes          [none: nil, visits: 2]
                      friends        {1}
                      pastAddresses  [(street: Old Road 2, city: nil)]
                      clubs ←        [2:0.0]

                    """)
        }
    }

    @Test("By primary key and by object id it is the same object", arguments: [["Person", "3"], ["0:2.0"]])
    func json(selector: [String]) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 4)
            let json = try Tool.run(["get", path] + selector + ["--json"]).json()
            #expect(json["type"] as? String == "Person")
            #expect(json["id"] as? String == "0:2.0")
            let values = try #require(json["values"] as? [String: Any])
            #expect(values["name"] as? String == "Person 3")
            #expect(values["height"] as? String == "Infinity")
            #expect((values["address"] as? [String: Any])?["city"] as? String == "Zürich\n")
            let inverses = try #require(json["inverses"] as? [String: [[String: String]]])
            #expect(inverses["clubs"] == [["type": "Club", "id": "2:0.0"]])
        }
    }

    @Test(
        "What is not there is answered with 1, on standard error alone",
        arguments: [["Person", "99"], ["0:77.0"], ["0:2.5"]])
    func missing(selector: [String]) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 4)
            let answer = try Tool.run(["get", path] + selector)
            #expect(answer.status == 1)
            #expect(answer.output == "")
            #expect(answer.messages.contains("commit 4"))
        }
    }

    @Test(
        "Wrong questions are wrong usage",
        arguments: [["Person", "two"], ["Club", "1"], ["Address", "1"], ["Nobody", "1"], ["x"]])
    func wrong(selector: [String]) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 4)
            #expect(try Tool.run(["get", path] + selector).status == 64)
        }
    }

    @Test("At an earlier commit it is what it was")
    func earlier() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 8)
            #expect(try Tool.run("get", path, "Person", "6").output.contains("Renamed 8"))
            #expect(try Tool.run("get", path, "Person", "6", "--at", "7").output.contains("Person 6\n"))
            #expect(try Tool.run("get", path, "Person", "6", "--at", "5").status == 1)
        }
    }
}
