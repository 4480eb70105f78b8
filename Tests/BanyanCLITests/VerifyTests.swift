import BanyanCore
import BanyanPersistence
import Foundation
import Testing

@Suite("banyan verify")
struct VerifyTests {
    @Test("A sound store is said to be sound, and says how far it goes", arguments: [[], ["--quick"]])
    func sound(options: [String]) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 12, checkpoints: [4, 8])
            let answer = try Tool.run(["verify", path] + options)
            #expect(answer.status == 0)
            #expect(answer.lines.last == "sound, up to commit 12, 2026-03-01T12:00:12Z")
            let json = try Tool.run(["verify", path, "--json"] + options).json()
            #expect(json["schema"] as? Int == 1)
            #expect(json["status"] as? String == "sound")
            #expect(json["lastSequence"] as? Int == 12)
            #expect(json["snapshots"] as? Int == 2)
            #expect((json["findings"] as? [Any])?.isEmpty == true)
            #expect((json["objects"] is NSNull) == options.contains("--quick"))
            #expect(try Tool.run(["verify", path, "-q"] + options).output == "")
        }
    }

    @Test("It writes nothing, not even where it may not", arguments: ["sound", "torn", "damaged"])
    func writesNothing(state: String) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 9, checkpoints: [4], closed: false)
            let segment = try Damage.newest(path, ".bjl")
            if state == "torn" { try Damage.cut(segment, last: 7) }
            if state == "damaged" { try Damage.flip(segment, at: try Damage.size(segment) / 2 + 100) }
            try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: path)
            defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path) }
            let before = try DirectoryPrint(path)
            let answer = try Tool.run("verify", path)
            #expect(answer.status == ["sound": 0, "torn": 3, "damaged": 4][state])
            #expect(try DirectoryPrint(path) == before)
        }
    }

    @Test("A torn tail ends with 3 and names what is kept")
    func torn() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 9, closed: false)
            let segment = try Damage.newest(path, ".bjl")
            try Damage.cut(segment, last: 7)
            let answer = try Tool.run("verify", path, "--json")
            #expect(answer.status == 3)
            let json = try answer.json()
            #expect(json["status"] as? String == "torn")
            #expect(json["lastSequence"] as? Int == 8)
            let finding = try #require((json["findings"] as? [[String: Any]])?.first)
            #expect(finding["severity"] as? String == "torn")
            #expect(finding["file"] as? String == segment)
            #expect(finding["lastGoodSequence"] as? Int == 8)
            // Everything else still reads, and says what it leaves out.
            let count = try Tool.run("query", path, "Dog", "--count")
            #expect(count.status == 0)
            #expect(count.output == "6\n")
            #expect(count.messages.contains("interrupted write"))
            #expect(try Tool.run("query", path, "Dog", "--count", "-q").messages == "")
        }
    }

    @Test("Damage amid the journal ends with 4, and names file, offset, hashes, last good commit, stake and next step")
    func damaged() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            var offsets: [Int] = []
            try SampleStore.make(
                path, commits: 9, closed: false,
                afterEach: { _ in
                    offsets.append(try Damage.size(Damage.newest(path, ".bjl")))
                })
            let segment = try Damage.newest(path, ".bjl")
            try Damage.flip(segment, at: offsets[4] + 60)
            let json = try Tool.run("verify", path, "--json").json()
            #expect(json["status"] as? String == "damaged")
            let finding = try #require((json["findings"] as? [[String: Any]])?.first)
            #expect(finding["file"] as? String == segment)
            #expect(finding["offset"] as? Int == offsets[4])
            #expect(finding["lastGoodSequence"] as? Int == 5)
            #expect(finding["recordsAtStake"] as? Int == 3)
            #expect((finding["expectedHash"] as? String)?.count == 16)
            #expect(
                json["next"] as? [String] == [
                    "banyan restore \(path) --at 5 --to NEW-DIRECTORY", "banyan salvage \(path) --to NEW-DIRECTORY",
                ])

            let text = try Tool.run("verify", path)
            #expect(text.status == 4)
            for part in [
                "damaged: ", "file       \(segment)", "offset     \(offsets[4])", "commit     6",
                "last good  commit 5, 2026-03-01T12:00:05Z", "at stake   4 commits, 6 to 9; 3 sound records behind",
                "next: banyan restore",
            ] { #expect(text.output.contains(part), "\(part) is not in:\n\(text.output)") }

            // Other commands say the same of it, on standard error.
            let query = try Tool.run("query", path, "Dog")
            #expect(query.status == 4)
            #expect(query.output == "")
            for part in [
                "file       \(segment)", "offset     \(offsets[4])", "last good  commit 5", "banyan verify \(path)",
            ] {
                #expect(query.messages.contains(part), "\(part) is not in:\n\(query.messages)")
            }
            // And what is before it can be had.
            #expect(try Tool.run("query", path, "Dog", "--at", "5", "--count").output == "4\n")
        }
    }

    @Test("One flipped bit anywhere in a snapshot is found", arguments: Array(stride(from: 0.0, through: 1.0, by: 0.1)))
    func snapshot(place: Double) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 6, checkpoints: [6])
            let snapshot = try Damage.oldest(path, ".bsn")
            let size = try Damage.size(snapshot)
            try Damage.flip(snapshot, at: min(size - 1, Int(place * Double(size))))
            // A file whose very beginning is not a snapshot's is no snapshot; in its store it is a damaged one.
            let status = try Tool.run("verify", snapshot).status
            #expect([4, 10].contains(status))
            #expect(try Tool.run("verify", path).status == 4)
        }
    }

    @Test("A store without a manifest is damaged, and salvage is the way out")
    func noManifest() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 6, checkpoints: [4])
            try FileManager.default.removeItem(atPath: path + "/MANIFEST")
            let answer = try Tool.run("verify", path)
            #expect(answer.status == 4)
            #expect(answer.output.contains("banyan salvage \(path)"))
        }
    }

    @Test("A commit in a form of the future ends with 5")
    func future() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            let store = try SampleStore(path)
            try store.step(1)
            store.files.append([2, 0, 0], sequence: 2, time: SampleStore.start)
            try store.close()
            #expect(try Tool.run("verify", path).status == 5)
            #expect(try Tool.run("export", path).status == 5)
        }
    }

    @Test("A store in use is verified too")
    func inUse() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            let store = try SampleStore(path)
            for number in 1...6 { try store.step(number) }
            let answer = try Tool.run("verify", path, "--json")
            #expect(answer.status == 0)
            #expect(try answer.json()["inUse"] as? Bool == true)
            try store.close()
        }
    }

    @Test("Of hundreds of missing segments each is named, with the last commit before it and its time")
    func manyMissing() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            let store = try SampleStore(path) { $0.segmentSize = 300 }
            for number in 1...600 {
                try store.commit { transaction in
                    let club = transaction.create(SampleStore.Table.club)
                    transaction.setValue(club, 0, .string("Club \(number)"))
                }
            }
            try store.close()
            let segments = try Damage.files(path, ".bjl")
            #expect(segments.count > 200)
            let missing = segments.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            for file in missing { try FileManager.default.removeItem(atPath: file) }
            let text = try Tool.run("verify", path)
            #expect(text.status == 4)
            #expect(text.lines.count { $0.hasPrefix("damaged: A journal segment is missing") } == missing.count)
            #expect(
                text.lines.count { $0.contains("last good  commit") && $0.contains(", 2026-03-01T12:") }
                    == missing.count)
        }
    }
}
