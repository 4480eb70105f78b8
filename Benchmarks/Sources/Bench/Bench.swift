import BenchKit
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
        if options.isList {
            for group in RowGroup.all { print(group.ids.joined(separator: " "), " ", group.title) }
            return
        }
        let directory = "\(options.directory)/.bench-\(getpid())"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let outcome: Result<Void, any Error>
        do {
            if options.gates != nil {
                try Gates.run(options, directory: directory)
            } else if options.isGrowth {
                try await grow(options, directory)
            } else {
                try await measure(options, directory)
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        try FileManager.default.removeItem(atPath: directory)
        try outcome.get()
    }

    private static func measure(_ options: Options, _ directory: String) async throws {
        var groups = RowGroup.all.filter { $0.ids.contains(where: options.wants) }
        if let seed = options.order {
            var random = SplitMix64(seed: seed)
            groups.shuffle(using: &random)
        }
        guard !groups.isEmpty else { throw Options.Mistake(description: "there is no such row\n\(Options.usage)") }
        var progress = Progress(of: groups.count + 1)
        progress.begin("limits of the machine")
        let limits = try Limits.measure(directory, isSmoke: options.isSmoke)
        let world = World(options, directory: directory)
        var rows: [Row] = []
        for group in groups {
            progress.begin("\(group.ids[0]): \(group.title)")
            rows += try await group.measure(world).filter { options.wants($0.id) }
            if options.isSmoke { try world.check(after: group.ids[0]) }
        }
        progress.end()
        rows.sort { Row.place($0.id).lexicographicallyPrecedes(Row.place($1.id)) }
        let machine = try Results.Machine(objects: 2 * options.objects, limits: limits)
        print(Table(rows: rows).text())
        print("\n\(rows.filter(\.met).count) of \(rows.count) targets met. \(machine.text)")
        // Only a whole run is a result; a part of one, or a small one, is for looking at.
        guard options.isWhole else { return }
        try Results(machine: machine, rows: rows).write(to: "\(options.directory)/results.json")
        try TargetPlot(rows: rows, machine: machine).svg().write(
            toFile: "\(options.directory)/results.svg", atomically: true, encoding: .utf8)
        if let page = options.page {
            let text = try String(contentsOfFile: page, encoding: .utf8)
            try Table(rows: rows).putting(into: text, machine: machine).write(
                toFile: page, atomically: true, encoding: .utf8)
        }
    }

    private static func grow(_ options: Options, _ directory: String) async throws {
        let growth = try await Growth.measure(options, directory: directory)
        print(growth.text())
        guard options.isWhole else { return }
        try growth.write(to: "\(options.directory)/growth.json")
        try GrowthPlot(growth: growth).svg().write(
            toFile: "\(options.directory)/growth.svg", atomically: true, encoding: .utf8)
    }

    /// Does one thing in this process: prints the memory a graph takes, or runs what is counted.
    private static func runChild(_ arguments: [String]) throws {
        guard arguments.count == 3, let count = Int(arguments[2]) else {
            throw Options.Mistake(description: "--child needs what, whom and how many")
        }
        switch arguments[0] {
        case "gates": try runGatedOperations()
        default: print(try measureMemory(arguments[1], count))
        }
    }
}
