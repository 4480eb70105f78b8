import BanyanCore
import BanyanPersistence
import Foundation
import Testing

/// What holds for every command.
@Suite("The command line")
struct ContractTests {
    static let commands = ["info", "ls", "schema", "log", "get", "query", "export", "verify", "restore", "salvage"]

    @Test("Every command explains itself, with examples", arguments: commands)
    func help(command: String) throws {
        let answer = try Tool.run(command, "--help")
        #expect(answer.status == 0)
        #expect(answer.messages == "")
        #expect(answer.output.contains("EXAMPLES"))
        #expect(answer.output.contains("banyan \(command) "))
    }

    @Test("Every example of every command is accepted", arguments: commands)
    func examples(command: String) throws {
        try TemporaryDirectory.with { directory in
            try FileManager.default.createDirectory(atPath: directory + "/data", withIntermediateDirectories: false)
            try FileManager.default.createDirectory(atPath: directory + "/backups", withIntermediateDirectories: false)
            // So large that 1000 is a commit, as the examples say.
            let store = try SampleStore(directory + "/data/app")
            for number in 1...1010 {
                try store.commit(flush: false) { transaction in
                    guard number > 60 else { return try SampleStore.addPerson(number, to: transaction) }
                    let club = transaction.create(SampleStore.Table.club)
                    transaction.setValue(club, 0, .string("Club \(number)"))
                }
            }
            try store.files.sync()
            try store.checkpoint()
            try store.close()
            let snapshot = try Damage.oldest(directory + "/data/app", ".bsn")
            try FileManager.default.copyItem(atPath: snapshot, toPath: directory + "/backups/app.bsn")
            let help = try Tool.run(command, "--help").output
            let lines = help.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { $0.hasPrefix("banyan \(command) ") }
            #expect(lines.count >= 2)
            for line in lines {
                // jq may not be installed; everything else an example uses is.
                let text = line.split(separator: " | jq").first.map(String.init) ?? line
                let answer = try Shell.run(text, in: directory)
                #expect(answer.status == 0, "\(text): \(answer.messages)")
            }
        }
    }

    @Test(
        "Wrong usage ends with 64, and says so on standard error",
        arguments: [
            [], ["bogus"], ["info"], ["query", "x"], ["restore", "x"], ["log", "x", "--from", "yesterday"],
            ["export", "x", "--at", "2026-13-01"], ["salvage", "x"], ["ls", "x", "--progress", "loud"],
        ])
    func usage(arguments: [String]) throws {
        let answer = try Tool.run(arguments)
        if arguments.isEmpty {
            // The bare name is a request for help.
            #expect(answer.output.contains("USAGE") || answer.messages.contains("USAGE"))
        } else {
            #expect(answer.status == 64)
            #expect(answer.output == "")
            #expect(!answer.messages.isEmpty)
        }
    }

    @Test("Where there is no store it ends with 10", arguments: commands)
    func noStore(command: String) throws {
        try TemporaryDirectory.with { directory in
            let plain = directory + "/notes.txt"
            try Data("not a store".utf8).write(to: URL(fileURLWithPath: plain))
            let empty = directory + "/empty"
            try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
            let rest =
                [
                    "get": ["T", "1"], "query": ["T"], "restore": ["--to", directory + "/new"],
                    "salvage": ["--to", directory + "/new"],
                ][command] ?? []
            for path in [directory + "/missing", plain, empty] {
                let answer = try Tool.run([command, path] + rest)
                #expect(answer.status == 10, "\(command) \(path): \(answer.messages)")
                #expect(answer.messages.contains(path))
            }
            #expect(!FileManager.default.fileExists(atPath: directory + "/new"))
        }
    }

    @Test("Damage ends with 4 whatever is asked", arguments: ["ls", "get", "query", "export", "verify", "restore"])
    func damage(command: String) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 6, closed: true)
            let segment = try Damage.oldest(path, ".bjl")
            try Damage.flip(segment, at: try Damage.size(segment) - 200)
            let rest =
                ["get": ["Person", "1"], "query": ["Person"], "restore": ["--to", directory + "/new"]][command] ?? []
            let answer = try Tool.run([command, path] + rest)
            #expect(answer.status == 4, "\(answer.messages)")
            #expect((answer.messages + answer.output).contains(segment))
            #expect(!FileManager.default.fileExists(atPath: directory + "/new"))
        }
    }

    @Test("A store in use can be read", arguments: ["info", "ls", "schema", "log", "export", "verify"])
    func inUse(command: String) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            let store = try SampleStore(path)
            for number in 1...4 { try store.step(number) }
            let answer = try Tool.run(command, path)
            #expect(answer.status == 0, "\(answer.messages)")
            #expect(answer.messages == "")
            try store.step(5)
            try store.close()
        }
    }

    @Test("Control-C ends it with 130")
    func interrupted() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try ManyObjects.make(path, 3000)
            let pipe = Pipe()
            let process = Process()
            process.executableURL = Tool.executable
            process.arguments = ["export", path]
            process.standardOutput = pipe
            process.standardError = FileHandle.nullDevice
            try process.run()
            // It is at work once something arrives, and cannot finish while nobody takes the rest.
            #expect(try pipe.fileHandleForReading.read(upToCount: 1)?.count == 1)
            process.interrupt()
            process.waitUntilExit()
            #expect(process.terminationReason == .exit)
            #expect(process.terminationStatus == 130)
        }
    }

    @Test("Nothing but data and errors is written where no terminal is")
    func silence() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try ManyObjects.make(path, 500)
            for arguments in [["verify", path], ["export", path], ["query", path, "Person"], ["ls", path]] {
                let answer = try Tool.run(arguments)
                #expect(answer.messages == "")
                #expect(!answer.output.contains("\u{1B}"))
            }
        }
    }

    @Test("Text from a store cannot play tricks on a terminal")
    func controls() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            let store = try SampleStore(path)
            try store.commit(CommitMetadata(author: "\u{1B}[31m", reason: "\u{9B}2J")) { transaction in
                _ = try transaction.create(SampleStore.Table.dog, key: .string("\u{1B}]0;owned\u{7}\u{202E}"))
            }
            try store.close()
            for arguments in [["query", path, "Dog"], ["log", path], ["log", path, "--changes"]] {
                let output = try Tool.run(arguments).output
                #expect(
                    output.unicodeScalars.allSatisfy {
                        $0 == "\n" || $0.value >= 0x20 && $0 != "\u{9B}" && $0 != "\u{202E}"
                    })
            }
        }
    }

    @Test("Each shell gets its completions", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) throws {
        let answer = try Tool.run("completions", shell)
        #expect(answer.status == 0)
        #expect(answer.output.contains("salvage"))
        #expect(try Tool.run("completions", "ed").status == 64)
    }

    @Test("The version names the format")
    func version() throws {
        #expect(try Tool.run("--version").output.hasPrefix("banyan "))
    }
}
