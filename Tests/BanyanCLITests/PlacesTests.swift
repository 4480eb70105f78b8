import BanyanCore
import BanyanPersistence
import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What stands where a store, a file of one or a new one should be.
@Suite("Places")
struct PlacesTests {
    enum Occupant: String, CaseIterable { case pipe, directory, link }

    private func put(_ occupant: Occupant, at path: String) throws {
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        switch occupant {
        case .pipe: #expect(mkfifo(path, 0o600) == 0)
        case .directory: #expect(mkdir(path, 0o700) == 0)
        case .link: #expect(symlink("/dev/zero", path) == 0)
        }
    }

    @Test(
        "What stands in place of a store's file is named, with a way out, and nothing waits for it",
        arguments: ["LOCK", "MANIFEST", ".bjl", ".bsn"], Occupant.allCases)
    func occupied(file: String, by occupant: Occupant) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 6, checkpoints: [4])
            let place = file.hasPrefix(".") ? try Damage.newest(path, file) : path + "/" + file
            try put(occupant, at: place)
            for arguments in [["query", path, "Dog", "--at", "5"], ["verify", path], ["info", path]] {
                let answer = try Tool.run(arguments)
                let said = answer.messages + answer.output
                #expect([4, 10].contains(answer.status) || file == ".bsn", "\(arguments): \(answer.status)")
                if answer.status != 0 {
                    #expect(said.contains(place), "\(said)")
                    #expect(said.contains("stands where the store keeps a file"), "\(said)")
                    #expect(said.contains("hint  ") || said.contains("next"), "\(said)")
                }
            }
            // To write, all of them must be there, but for a snapshot that the journal makes up for.
            let error = Result { try SampleStore(path).close() }
            if case .failure(let error as BanyanError) = error {
                #expect(error.remedy != nil, "\(error)")
                #expect(error.location.file == place)
            } else {
                #expect(file == ".bsn")
            }
        }
    }

    @Test("A directory in place of the manifest's second name keeps a store from opening, and says what to do")
    func previousManifest() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 6, checkpoints: [4])
            for occupant in [Occupant.pipe, .link] {
                // Nobody needs what stands there.
                try put(occupant, at: path + "/MANIFEST.prev")
                try SampleStore(path).close()
            }
            try put(.directory, at: path + "/MANIFEST.prev")
            let error = try #require(throws: BanyanError.self) { try SampleStore(path).close() }
            #expect(error.message.contains("A directory stands where"))
            #expect(error.remedy?.contains("Move it away") == true)
            #expect(error.location.file == path + "/MANIFEST.prev")
        }
    }

    @Test("What is no store is said to be none, with what to name in its place")
    func noStore() throws {
        try TemporaryDirectory.with { directory in
            try FileManager.default.createDirectory(atPath: directory + "/empty", withIntermediateDirectories: false)
            try FileManager.default.createDirectory(atPath: directory + "/other", withIntermediateDirectories: false)
            for name in ["other/notes.txt", "empty.bsn", "text.txt"] {
                try Data("text".utf8).write(to: URL(fileURLWithPath: directory + "/" + name))
            }
            #expect(mkfifo(directory + "/pipe", 0o600) == 0)
            for name in ["empty", "other", "missing", "empty.bsn", "text.txt", "pipe"] {
                for command in ["info", "verify", "ls"] {
                    let answer = try Tool.run([command, name], in: directory)
                    #expect(answer.status == 10, "\(command) \(name): \(answer.messages)")
                    #expect(answer.messages.contains("hint  "), "\(answer.messages)")
                    #expect(!answer.messages.contains("hint       Choose"), "\(answer.messages)")
                }
            }
        }
    }

    @Test("No new store lies inside another", arguments: [".", "inner", "deep/../inner", "link/inner"])
    func insideItself(place: String) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 6, checkpoints: [6])
            let snapshot = try Damage.oldest(path, ".bsn")
            #expect(symlink(path, directory + "/link") == 0)
            try FileManager.default.createDirectory(atPath: path + "/deep", withIntermediateDirectories: false)
            let to = place.hasPrefix("link") ? directory + "/" + place : path + "/" + place
            let before = try DirectoryPrint(directory)
            for arguments in [
                ["restore", path], ["restore", path, "-n"], ["restore", snapshot], ["salvage", path],
                ["restore", directory + "/link/"],
            ] {
                let answer = try Tool.run(arguments + ["--to", to])
                #expect([13, 64].contains(answer.status), "\(arguments): \(answer.messages)")
                #expect(answer.messages.contains("hint  "))
            }
            #expect(try DirectoryPrint(directory) == before)
            // Without its manifest it is no less a store.
            try FileManager.default.removeItem(atPath: path + "/MANIFEST")
            #expect(try Tool.run("salvage", path, "--to", path + "/deep/new").status == 64)
            #expect(try Tool.run("salvage", path, "--to", directory + "/beside").status == 0)
        }
    }

    @Test(
        "A directory that others may write into is closed to them before anything is written",
        arguments: [0o777, 0o775])
    func openToOthers(mode: Int) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 3)
            let to = directory + "/new"
            try FileManager.default.createDirectory(atPath: to, withIntermediateDirectories: false)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: to)
            func modeNow() throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: to)[.posixPermissions] as? Int
            }
            #expect(try Tool.run("restore", path, "--to", to, "-n").status == 0)
            #expect(try modeNow() == mode)
            let answer = try Tool.run("restore", path, "--to", to)
            #expect(answer.status == 0)
            #expect(answer.messages.contains("others could write into \(to)"))
            #expect(try modeNow() == 0o700)
            #expect(try Tool.run("verify", to).status == 0)
        }
    }

    @Test(
        "A directory of another user that others may write into is refused",
        .enabled(if: getuid() == 0, "only root can make one"))
    func ofAnother() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 3)
            let to = directory + "/new"
            #expect(mkdir(to, 0o777) == 0 && chmod(to, 0o777) == 0 && chown(to, 12_345, 12_345) == 0)
            let answer = try Tool.run("restore", path, "--to", to)
            #expect(answer.status == 1)
            #expect(answer.messages.contains("Choose a directory of your own"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: to) == [])
        }
    }
}
