import BanyanCore
import BanyanPersistence
import Foundation
import Testing

@Suite("banyan restore")
struct RestoreTests {
    /// The graph of a store, read in this process.
    private func lines(_ path: String) throws -> (sequence: UInt64, lines: [String]) {
        let store = try StoreInspection.open(path, on: KernelDisk())
        let (version, _) = try GraphRecovery.read(store)
        return (version.sequence, GraphText(version.view).lines)
    }

    @Test("Restored at each commit, the store is what it was then")
    func everyCommit() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            var states: [[String]] = [[]]
            try SampleStore.make(
                path, commits: 26, checkpoints: [7, 15],
                {
                    $0.keepSnapshots = 5; $0.segmentSize = 1500
                }
            ) { store in
                states.append(GraphText(store.version.view).lines)
            }
            for sequence in states.indices {
                let target = directory + "/at-\(sequence)"
                let answer = try Tool.run("restore", path, "--at", "\(sequence)", "--to", target)
                #expect(answer.status == 0, "\(answer.messages)")
                let restored = try lines(target)
                #expect(restored.sequence == UInt64(sequence))
                #expect(restored.lines == states[sequence], "at commit \(sequence)")
                #expect(try Tool.run("verify", target).status == 0)
            }
        }
    }

    @Test(
        "A time means the last commit at or before it",
        arguments: [
            ("2026-03-01T12:00:05Z", 5), ("2026-03-01T12:00:05.999999999Z", 5), ("2026-03-01T13:00:06+01:00", 6),
            ("2026-03-01T12:00:04.999999999Z", 4), ("2027-01-01", 9),
        ])
    func time(text: String, sequence: Int) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 9, checkpoints: [5], { $0.keepSnapshots = 3 })
            let json = try Tool.run("restore", path, "--at", text, "--to", directory + "/new", "--json").json()
            #expect(json["sequence"] as? Int == sequence)
            #expect(try lines(directory + "/new").sequence == UInt64(sequence))
        }
    }

    @Test("The new store has an identity of its own, remembers its parent, and can be written")
    func identity() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 6)
            let json = try Tool.run("restore", path, "--to", directory + "/new", "--json").json()
            let old = try Tool.run("info", path, "--json").json()
            let new = try Tool.run("info", directory + "/new", "--json").json()
            #expect(new["store"] as? String == json["store"] as? String)
            #expect(new["store"] as? String != old["store"] as? String)
            let parent = try #require(new["parent"] as? [String: Any])
            #expect(parent["store"] as? String == old["store"] as? String)
            #expect(parent["sequence"] as? Int == 6)
            let store = try SampleStore(directory + "/new")
            #expect(store.version.sequence == 6)
            try store.step(7)
            try store.close()
            #expect(
                try Tool.run("verify", directory + "/new").lines.last == "sound, up to commit 7, 2026-03-01T12:00:07Z")
        }
    }

    @Test("A lone snapshot is restored with the same root hash")
    func snapshot() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 6, checkpoints: [6])
            let snapshot = try Damage.oldest(path, ".bsn")
            let info = try Tool.run("info", snapshot, "--json").json()
            let json = try Tool.run("restore", snapshot, "--to", directory + "/new", "--json").json()
            #expect(json["rootHash"] as? String == info["rootHash"] as? String)
            #expect(try lines(directory + "/new").lines == lines(path).lines)
        }
    }

    @Test("Nothing is written over", arguments: ["store", "files", "a file"])
    func occupied(by what: String) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 3)
            let target = directory + "/target"
            switch what {
            case "store": try SampleStore.make(target, commits: 2)
            case "files":
                try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
                try Data().write(to: URL(fileURLWithPath: target + "/notes.txt"))
            default: try Data().write(to: URL(fileURLWithPath: target))
            }
            let before = try DirectoryPrint(directory)
            for options in [[], ["--dry-run"]] {
                #expect(try Tool.run(["restore", path, "--to", target] + options).status == 13)
            }
            #expect(try DirectoryPrint(directory) == before)
        }
    }

    @Test("A dry run says what would be used, and writes nothing")
    func dryRun() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 9, checkpoints: [4])
            let before = try DirectoryPrint(directory)
            let json = try Tool.run("restore", path, "--at", "7", "--to", directory + "/new", "-n", "--json").json()
            #expect(json["dryRun"] as? Bool == true)
            #expect(json["sequence"] as? Int == 7)
            #expect(json["time"] as? String == "2026-03-01T12:00:07Z")
            #expect(json["snapshot"] as? String == "00000000000000000004.bsn")
            #expect(json["records"] as? Int == 3)
            #expect(try DirectoryPrint(directory) == before)
        }
    }

    @Test("Moments the store does not know are refused, and leave nothing", arguments: ["10", "2020-01-01", "1"])
    func unknownMoment(moment: String) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 9, checkpoints: [4, 8], { $0.keepSnapshots = 2 })
            let answer = try Tool.run("restore", path, "--at", moment, "--to", directory + "/new")
            #expect(answer.status == 1)
            #expect(answer.messages.contains("commit"))
            #expect(!FileManager.default.fileExists(atPath: directory + "/new"))
        }
    }

    /// How far a restore is when it is interrupted.
    enum Step: CaseIterable {
        case reading, writing

        func isReached(_ target: String) -> Bool {
            switch self {
            case .reading: true
            case .writing: FileManager.default.fileExists(atPath: target + "/00000000000000000001.bsn.tmp")
            }
        }
    }

    @Test("Interrupted, it leaves a whole store or nothing", arguments: Step.allCases)
    func interrupted(at step: Step) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try ManyObjects.make(path, 20_000)
            let target = directory + "/new"
            var interruptions = 0
            // A signal may come too late for what is left to do. Then it is done, and another one is sent the next time.
            for _ in 0..<50 where interruptions < 3 {
                let process = Process()
                process.executableURL = Tool.executable
                process.arguments = ["restore", path, "--to", target]
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try process.run()
                while process.isRunning, !step.isReached(target) { sched_yield() }
                process.interrupt()
                process.waitUntilExit()
                if process.terminationReason == .exit, process.terminationStatus == 0 {
                    #expect(try Tool.run("verify", target).status == 0)
                    try FileManager.default.removeItem(atPath: target)
                } else {
                    interruptions += 1
                    #expect(process.terminationStatus == 130 || process.terminationReason == .uncaughtSignal)
                    #expect(!FileManager.default.fileExists(atPath: target))
                }
            }
            #expect(interruptions == 3, "no signal came in time")
        }
    }
}
