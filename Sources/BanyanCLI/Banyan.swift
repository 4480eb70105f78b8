import ArgumentParser
import BanyanCore

/// The root command. Each subcommand has a file of its own in `Commands`; what they share is how a path is opened
/// (`Opening`), how objects are shown (`Rendering`), how anything is printed (`Output`), and how they fail (`Failure`).
@main
struct Banyan: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "banyan",
        abstract: "Look into, check, query, export and restore Banyan stores.",
        discussion: """
            PATH is the directory of a store or a single snapshot file (.bsn). A store may be in use by a program: \
            it is read as it was a moment ago, and is never written to or locked.

            Data goes to standard output, messages and progress to standard error. Times are RFC 3339 in UTC.

            EXIT CODES
              0  done               5  format too new      13  target is not empty
              1  failed, or no     10  no store there      64  wrong usage
              3  torn tail         11  in use             130  interrupted
              4  damaged           12  key wrong or missing

            EXAMPLES
              banyan info data/app
              banyan verify data/app
              banyan query data/app Person 'age > 30' --sort name --limit 10
              banyan export data/app | head
              banyan restore data/app --at 2026-03-01T12:15:00Z --to data/app-1215
            """,
        version: ToolVersion.text,
        subcommands: [Completions.self],
        groupedSubcommands: [
            CommandGroup(name: "Look", subcommands: [Info.self, List.self, SchemaCommand.self, Log.self]),
            CommandGroup(name: "Read objects", subcommands: [Get.self, QueryCommand.self, Export.self]),
            CommandGroup(name: "Check and recover", subcommands: [Verify.self, Restore.self, Salvage.self]),
        ])

    static func main() {
        Signals.prepare()
        do {
            try checkCommand(CommandLine.arguments.dropFirst().first)
            var command = try parseAsRoot()
            try command.run()
        } catch is ReaderLeft {
            // Whoever read standard output has had enough: `banyan export | head`.
        } catch is Interrupted {
            Process.exit(.interrupted)
        } catch let failure as Failure {
            failure.print()
            Process.exit(failure.exitCode)
        } catch let error as BanyanError {
            Failure(error).print()
            Process.exit(ExitStatus(error.code))
        } catch {
            exit(withError: error)
        }
    }
}

extension Banyan {
    /// A command that does not exist is told apart from arguments that one does not take.
    private static func checkCommand(_ word: String?) throws {
        guard let word, !word.hasPrefix("-") else { return }
        let names = configuration.subcommands.map { $0._commandName } + ["help"]
        guard !names.contains(word) else { return }
        let nearest = names.min { word.distance(to: $0) < word.distance(to: $1) }
        let guess = nearest.flatMap { word.distance(to: $0) <= max(1, $0.count / 3) ? $0 : nil }
        throw Failure(
            .usage, "There is no command '\(word)'",
            remedy: guess.map { "Did you mean '\($0)'? " }.map { $0 + all } ?? all)
    }

    private static var all: String { "`banyan --help` lists all commands" }
}

extension String {
    /// How many letters to put in, take out or change to make the other of it, or to swap with a neighbour.
    fileprivate func distance(to other: String) -> Int {
        let (a, b) = (Array(lowercased()), Array(other))
        var rows = [Array(0...b.count)]
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = Swift.min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = Swift.min(best, rows[i - 1][j - 1] + 1) }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}

enum ToolVersion {
    static let text = "banyan 0.1.0 (reads and writes store format 1)"
}
