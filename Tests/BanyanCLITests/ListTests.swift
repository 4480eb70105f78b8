import BanyanCore
import BanyanPersistence
import Foundation
import Testing

@Suite("banyan ls")
struct ListTests {
    @Test("Types with their counts, and files with what they cover")
    func text() throws {
        try TemporaryDirectory.with { directory in
            try SampleStore.make(directory + "/app", commits: 6, checkpoints: [4])
            let answer = try Tool.run(["ls", "app"], in: directory)
            #expect(answer.status == 0)
            let lines = answer.output.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(
                lines.prefix(5).joined(separator: "\n") == """
                    TYPE     OBJECTS  PRIMARY KEY   PROPERTIES
                    Person         5  id: Int               19
                    Dog            5  name: String           2
                    Club           1  –                      2
                    Address       10  (embedded)             2
                    """)
            #expect(lines[6].hasPrefix("SNAPSHOT"))
            #expect(lines[7].hasPrefix("00000000000000000004.bsn       4  2026-03-01T12:00:04Z"))
            #expect(
                lines[10].hasPrefix("00000000000000000001.bjl      1     4  2026-03-01T12:00:01Z  2026-03-01T12:00:04Z")
            )
            #expect(
                lines[11].hasPrefix("00000000000000000005.bjl      5     6  2026-03-01T12:00:05Z  2026-03-01T12:00:06Z")
            )
        }
    }

    @Test("As JSON, of a store and of a snapshot alike")
    func json() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 6, checkpoints: [6])
            let snapshot = try Damage.oldest(path, ".bsn")
            let ofStore = try Tool.run("ls", path, "--json").json()
            let ofSnapshot = try Tool.run("ls", snapshot, "--json").json()
            for json in [ofStore, ofSnapshot] {
                #expect(json["schema"] as? Int == 1)
                #expect(json["sequence"] as? Int == 6)
                let types = try #require(json["types"] as? [[String: Any]])
                #expect(types.map { $0["name"] as? String } == ["Person", "Dog", "Club", "Address"])
                #expect(types.map { $0["objects"] as? Int } == [5, 5, 1, 10])
                #expect((json["snapshots"] as? [Any])?.count == 1)
            }
            #expect((ofSnapshot["segments"] as? [Any])?.isEmpty == true)
        }
    }

    @Test("One half alone")
    func halves() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 6, checkpoints: [6])
            #expect(try Tool.run("ls", path, "--types", "--json").json()["snapshots"] == nil)
            #expect(try Tool.run("ls", path, "--files", "--json").json()["types"] == nil)
            #expect(try Tool.run("ls", path, "--files", "--types").status == 64)
        }
    }
}
