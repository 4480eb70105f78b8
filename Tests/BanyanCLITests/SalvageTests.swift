import BanyanCore
import BanyanPersistence
import Foundation
import Testing

@Suite("banyan salvage")
struct SalvageTests {
    @Test("Everything before the damage is saved, and what is lost is counted")
    func prefix() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            var offsets: [Int] = []
            var states: [[String]] = []
            try SampleStore.make(
                path, commits: 9, closed: false,
                afterEach: { store in
                    offsets.append(try Damage.size(Damage.newest(path, ".bjl")))
                    states.append(GraphText(store.version.view).lines)
                })
            let segment = try Damage.newest(path, ".bjl")
            try Damage.flip(segment, at: offsets[4] + 60)
            let before = try DirectoryPrint(path)
            let answer = try Tool.run("salvage", path, "--to", directory + "/saved", "--json")
            #expect(answer.status == 3)
            let json = try answer.json()
            #expect(json["sequence"] as? Int == 5)
            #expect(json["commitsLost"] as? Int == 4)
            #expect(try DirectoryPrint(path) == before)
            let (version, _) = try GraphRecovery.read(try StoreInspection.open(directory + "/saved", on: KernelDisk()))
            #expect(GraphText(version.view).lines == states[4])
        }
    }

    @Test("Without a manifest nothing need be lost")
    func noManifest() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 9, checkpoints: [4])
            let whole = try Tool.run("export", path, "--bare").output
            try FileManager.default.removeItem(atPath: path + "/MANIFEST")
            #expect(try Tool.run("salvage", path, "--dry-run").output.contains("could save  commit 9"))
            let answer = try Tool.run("salvage", path, "--to", directory + "/saved")
            #expect(answer.status == 0, "\(answer.output)")
            #expect(try Tool.run("export", directory + "/saved", "--bare").output == whole)
            #expect(try Tool.run("verify", directory + "/saved").status == 0)
        }
    }

    @Test("A damaged newest snapshot is replaced by an older one and the journal")
    func olderSnapshot() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 9, checkpoints: [3, 6])
            let whole = try Tool.run("export", path, "--bare").output
            let newest = try Damage.newest(path, ".bsn")
            try Damage.flip(newest, at: try Damage.size(newest) / 2)
            // Reading does the same by itself, and says so.
            let export = try Tool.run("export", path, "--bare")
            #expect(export.status == 0)
            #expect(export.output == whole)
            #expect(export.messages.contains("warning"))
            // It is damage all the same, and the first thing to do about it works.
            let verify = try Tool.run("verify", path, "--json")
            #expect(verify.status == 4)
            let json = try verify.json()
            let next = try #require(json["next"] as? [String])
            #expect(next.first == "banyan restore \(path) --to NEW-DIRECTORY")
            #expect(try Tool.run("restore", path, "--to", directory + "/restored").status == 0)
            #expect(try Tool.run("export", directory + "/restored", "--bare").output == whole)
            let answer = try Tool.run("salvage", path, "--to", directory + "/saved")
            #expect(answer.output.contains("commit 9"))
            #expect(try Tool.run("export", directory + "/saved", "--bare").output == whole)
        }
    }

    @Test("A store in use is left alone, and says so with 11")
    func inUse() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            let store = try SampleStore(path)
            try store.step(1)
            let answer = try Tool.run("salvage", path, "--to", directory + "/saved")
            #expect(answer.status == 11)
            #expect(answer.messages.contains("in use by pid"))
            try store.close()
        }
    }
}
