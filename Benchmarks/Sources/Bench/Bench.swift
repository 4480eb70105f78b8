import Foundation

/// `make bench` runs this.
@main
enum Bench {
    static func main() async {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            if let child = options.child { return try runChild(child) }
            try await run(options)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ options: Options) async throws {
        let groups = RowGroup.all.filter { $0.ids.contains(where: options.wants) }
        if options.isList {
            for group in RowGroup.all { print(group.ids.joined(separator: " "), " ", group.title) }
            return
        }
        guard !groups.isEmpty else { throw Options.Mistake(description: "there is no such row\n\(Options.usage)") }
        let directory = "\(options.directory)/.bench-\(getpid())"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer {
            do {
                try FileManager.default.removeItem(atPath: directory)
            } catch {
                FileHandle.standardError.write(Data("could not remove \(directory): \(error)\n".utf8))
            }
        }
        var progress = Progress(of: groups.count + 1)
        progress.begin("limits of the machine")
        let limits = try Limits.measure(directory, isSmoke: options.isSmoke)
        let world = World(options, directory: directory)
        var rows: [Row] = []
        for group in groups {
            progress.begin("\(group.ids[0]): \(group.title)")
            rows += try await group.measure(world).filter { options.wants($0.id) }
        }
        progress.end()
        rows.sort { $0.place.lexicographicallyPrecedes($1.place) }
        print(Table(rows: rows).text())
        print(
            "\nLimits of this machine:",
            limits.sorted { $0.key < $1.key }.map { "\($0.key) \(Row.short($0.value))" }
                .joined(separator: "; "))
        print("\(rows.filter(\.met).count) of \(rows.count) targets met")
        // Only a whole run is a result; a part of one, or a small one, is for looking at.
        if options.rows.isEmpty, !options.isSmoke, options.objects == 1_000_000 {
            let machine = try Results.Machine(objects: 2 * options.objects, limits: limits)
            try Results(machine: machine, rows: rows).write(to: "\(options.directory)/results.json")
        }
    }

    /// Measures one thing in this process and prints a number.
    private static func runChild(_ arguments: [String]) throws {
        guard arguments.count == 3, let count = Int(arguments[2]) else {
            throw Options.Mistake(description: "--child needs what, whom and how many")
        }
        print(try measureMemory(arguments[1], count))
    }
}

extension Row {
    /// For sorting as PEERS.md does: by number, then by the rest.
    fileprivate var place: [String] {
        let digits = id.prefix(while: \.isNumber)
        return [String(repeating: "0", count: max(0, 3 - digits.count)) + digits, String(id.dropFirst(digits.count))]
    }
}
