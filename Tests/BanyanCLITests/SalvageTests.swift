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

    @Test("Two histories are told, one is saved, and the answer is 3")
    func twoHistories() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            let segment = "/00000000000000000001.bjl"
            var states: [[String]] = []
            // One process writes on in its segment, of which another has taken over a copy and closed it.
            let first = try SampleStore(path)
            for number in 1...5 { try first.step(number) }
            try FileManager.default.copyItem(atPath: path, toPath: directory + "/other")
            for number in 6...12 { try first.step(number) }
            try first.close()
            let other = try SampleStore(directory + "/other")
            for number in 13...15 {
                try other.step(number)
                states.append(GraphText(other.version.view).lines)
            }
            try other.close()
            try FileManager.default.removeItem(atPath: directory + "/other" + segment)
            try FileManager.default.copyItem(atPath: path + segment, toPath: directory + "/other" + segment)
            #expect(try Tool.run("verify", directory + "/other").status == 4)
            let answer = try Tool.run("salvage", directory + "/other", "--to", directory + "/saved", "--json")
            #expect(answer.status == 3)
            let json = try answer.json()
            #expect(json["sequence"] as? Int == 8 && json["commitsLost"] as? Int == 0)
            let histories = try #require(json["otherHistories"] as? [[String: Any]])
            #expect(histories.count == 1)
            #expect(histories.first?["file"] as? String == directory + "/other" + segment)
            #expect(histories.first?["first"] as? Int == 6 && histories.first?["last"] as? Int == 12)
            let (version, _) = try GraphRecovery.read(try StoreInspection.open(directory + "/saved", on: KernelDisk()))
            #expect(GraphText(version.view).lines == states.last)
            let text = try Tool.run("salvage", directory + "/other", "--dry-run")
            #expect(text.status == 3)
            #expect(text.output.contains("two histories: commits 6 to 12 of \(directory)/other\(segment) differ"))
        }
    }

    @Test("With the manifest of another store, it is the store of the files that is saved", arguments: [0, 3])
    func foreignManifest(commits: Int) throws {
        try TemporaryDirectory.with { directory in
            let (path, stranger) = (directory + "/app", directory + "/stranger")
            try SampleStore.make(path, commits: 9, checkpoints: [4])
            let whole = try Tool.run("export", path, "--bare").output
            try SampleStore.make(stranger, commits: commits) { $0.newStoreID = StoreID(high: 1, low: 2) }
            try FileManager.default.removeItem(atPath: path + "/MANIFEST")
            try FileManager.default.copyItem(atPath: stranger + "/MANIFEST", toPath: path + "/MANIFEST")
            let before = try DirectoryPrint(path)
            let verify = try Tool.run("verify", path)
            #expect(verify.status == 4)
            #expect(verify.output.contains("foreign: The manifest belongs to another store"))
            #expect(verify.output.contains("next: banyan salvage \(path) --to NEW-DIRECTORY"))
            #expect(!verify.output.contains("removes it") && !verify.output.contains("banyan restore"))
            for command in ["info", "export"] { #expect(try Tool.run(command, path).status == 4) }
            let answer = try Tool.run("salvage", path, "--to", directory + "/saved", "--json")
            #expect(answer.status == 3)
            let json = try answer.json()
            #expect(json["sequence"] as? Int == 9 && json["commitsLost"] as? Int == 0)
            #expect((json["problems"] as? [String])?.count == 1)
            #expect(try Tool.run("export", directory + "/saved", "--bare").output == whole)
            #expect(try DirectoryPrint(path) == before)
        }
    }

    @Test("A journal that nobody has closed is said to have an open end")
    func openEnd() throws {
        try TemporaryDirectory.with { directory in
            for closed in [true, false] {
                let path = directory + "/\(closed)"
                try SampleStore.make(path, commits: 5, closed: closed)
                let answer = try Tool.run("salvage", path, "--dry-run", "--json")
                #expect(answer.status == 0)
                #expect(try answer.json()["endIsSealed"] as? Bool == closed)
            }
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
