import BanyanCore
import BanyanPersistence
import Foundation
import Testing

@Suite("banyan log")
struct LogTests {
    @Test("A line a commit: when, what, who, why")
    func text() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 8)
            let answer = try Tool.run("log", path, "--from", "3", "--to", "8")
            #expect(answer.status == 0)
            #expect(
                answer.output == """
                           3  2026-03-01T12:00:03Z         Person +1, Dog +1, Address +2  by ada
                           4  2026-03-01T12:00:04Z         Club +1  “step 4”
                           5  2026-03-01T12:00:05Z         Person +1, Dog +1, Address +2
                           6  2026-03-01T12:00:06Z         Person +1, Dog +1, Address +2  by ada  “step 6”
                           7  2026-03-01T12:00:07Z         Person +1, Dog +1, Address +2
                           8  2026-03-01T12:00:08Z         Person ~1, Address -1  “step 8”

                    """)
        }
    }

    @Test(
        "Ranges by number, by time, from the end",
        arguments: [
            ([], 1...9), (["--from", "4"], 4...9), (["--to", "4"], 1...4), (["--last", "2"], 8...9),
            (["--from", "2026-03-01T12:00:06.5Z"], 7...9), (["--from", "2026-03-01T12:00:06Z"], 6...9),
            (["--to", "2026-03-01T12:00:02Z"], 1...2), (["--to", "7", "--last", "3"], 5...7),
        ])
    func ranges(options: [String], expected: ClosedRange<Int>) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 9, checkpoints: [5], { $0.segmentSize = 900 })
            let lines = try Tool.run(["log", path, "--json"] + options).jsonLines()
            #expect(lines.compactMap { $0["sequence"] as? Int } == Array(expected))
            #expect(lines.allSatisfy { $0["schema"] as? Int == 1 })
        }
    }

    @Test("Every change with old and new value")
    func changes() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 8)
            let commits = try Tool.run("log", path, "--last", "1", "--changes", "--json").jsonLines()
            let commit = try #require(commits.first)
            #expect(commit["modified"] as? Int == 1)
            #expect(commit["deleted"] as? Int == 1)
            let changes = try #require(commit["changes"] as? [[String: Any]])
            let modified = changes.first { $0["change"] as? String == "modified" }
            let person = try #require(modified)
            #expect(person["type"] as? String == "Person")
            let properties = try #require(person["properties"] as? [String: [String: Any]])
            #expect(properties["name"]?["old"] as? String == "Person 6")
            #expect(properties["name"]?["new"] as? String == "Renamed 8")
            #expect(properties["age"]?["old"] as? Int == 6)
            #expect(properties["age"]?["new"] is NSNull)
            #expect(properties["tags"]?["removed"] as? [String] == ["a"])
            let notes = try #require(properties["notes"]?["changed"] as? [String: [String: Int]])
            #expect(notes == ["visits": ["old": 6, "new": -1]])
            let edits = try #require(properties["dogs"]?["edits"] as? [[String: Any]])
            #expect((edits.first?["remove"] as? [Any])?.count == 1)

            let text = try Tool.run("log", path, "--last", "1", "--changes").output
            #expect(text.contains("name: Person 6 → Renamed 8"))
        }
    }

    @Test("Of a store in use, it shows what is there")
    func inUse() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            let store = try SampleStore(path)
            for number in 1...3 { try store.step(number) }
            #expect(try Tool.run("log", path).lines.count == 3)
            try store.close()
        }
    }

    @Test("A snapshot has no journal")
    func snapshot() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 2, checkpoints: [2])
            let snapshot = try Damage.oldest(path, ".bsn")
            #expect(try Tool.run("log", snapshot).status == 64)
        }
    }
}
