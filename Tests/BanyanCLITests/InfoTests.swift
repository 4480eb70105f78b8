import BanyanCore
import BanyanPersistence
import Foundation
import Testing

@Suite("banyan info")
struct InfoTests {
    @Test("What a store says about itself")
    func store() throws {
        try TemporaryDirectory.with { directory in
            try SampleStore.make(directory + "/app", commits: 6, checkpoints: [4])
            let answer = try Tool.run(["info", "app"], in: directory)
            #expect(answer.status == 0)
            #expect(
                Masked.sizes(answer.output) == """
                    store            app
                    identity         01234567-89AB-4DEF-8123-456789ABCDEF
                    in use           no
                    opened           1 time
                    schema           version 3, 4 types
                    size             SIZE
                    snapshots        1, the newest of commit 4, 2026-03-01T12:00:04Z, SIZE
                    journal          2 segments from commit 1, SIZE
                    reaches back to  the empty store, before commit 1

                    """)
        }
    }

    @Test("The same as JSON, with sizes that add up")
    func json() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 6, checkpoints: [4])
            let json = try Tool.run("info", path, "--json").json()
            #expect(json["schema"] as? Int == 1)
            #expect(json["kind"] as? String == "store")
            #expect(json["types"] as? Int == 4)
            #expect(json["owner"] is NSNull)
            let files = try (Damage.files(path, ".bsn") + Damage.files(path, ".bjl")).map(Damage.size)
            #expect(json["bytes"] as? Int == files.reduce(0, +))
            let segments = try #require(json["segments"] as? [[String: Any]])
            #expect(segments.map { $0["firstSequence"] as? Int } == [1, 5])
            #expect(segments.map { $0["lastSequence"] as? Int } == [4, 6])
        }
    }

    @Test("Who has it open is told while it is open")
    func inUse() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            let store = try SampleStore(path)
            try store.step(1)
            let json = try Tool.run("info", path, "--json").json()
            #expect(
                (json["owner"] as? String)?.hasPrefix("pid \(ProcessInfo.processInfo.processIdentifier) on ") == true)
            try store.close()
            #expect(try Tool.run("info", path, "--json").json()["owner"] is NSNull)
        }
    }

    @Test("A snapshot file says of which commit it is, and counts its objects without loading them")
    func snapshot() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 6, checkpoints: [6])
            let snapshot = try Damage.oldest(path, ".bsn")
            let json = try Tool.run("info", snapshot, "--json").json()
            #expect(json["kind"] as? String == "snapshot")
            #expect(json["sequence"] as? Int == 6)
            #expect(json["time"] as? String == "2026-03-01T12:00:06Z")
            // Five people, their dogs and two addresses each, and a club.
            #expect(json["objects"] as? Int == 5 * 4 + 1)
            let size = try Damage.size(snapshot)
            #expect(json["bytes"] as? Int == size)
            // It is not a check: content may be damaged, headers may not.
            try Damage.flip(snapshot, at: try Damage.size(snapshot) / 2)
            let status = try Tool.run("info", snapshot).status
            #expect([0, 4].contains(status))
        }
    }
}

enum Masked {
    /// Sizes depend on how well things compress; everything else does not.
    static func sizes(_ text: String) -> String {
        text.replacing(#/[0-9][0-9.,]* (B|kB|MB)\b/#, with: "SIZE")
    }
}
