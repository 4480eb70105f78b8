import Foundation

/// What the command line asks for.
struct Options {
    static let usage = """
        usage: Bench [--objects N] [--runs N] [--smoke] [--growth] [--directory PATH] [--list] [ROW …]

          ROW            an id of PEERS.md's table, such as 3, 4a or 6b-contains; 4 stands for 4a, 4b and 4c
          --objects N    persons, and as many dogs (1000000)
          --runs N       runs of each row, of which the median counts (5)
          --smoke        few objects and one run, to see that everything works
          --growth       the rows that must not grow with the store, at 1 k, 10 k, 100 k and 1 M objects
          --gates        count instructions and allocations of the hottest paths with valgrind, and compare them with
                         thresholds.json; --update-gates writes that file
          --directory P  where durable stores are put (a new directory beside the results)
          --list         say which rows there are
        """

    var rows: [String] = []
    var objects = 1_000_000
    var runs = 5
    var isSmoke = false
    var isGrowth = false
    var isList = false
    var gates: GateMode?
    var directory = "."
    /// Arguments of a child process, which measures one thing and prints a number.
    var child: [String]?

    enum GateMode { case check, update }

    /// Whether this is the run whose results are kept: all rows at full size.
    var isWhole: Bool { rows.isEmpty && !isSmoke && objects == 1_000_000 && runs >= 5 }

    struct Mistake: Error, CustomStringConvertible {
        var description: String
    }

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        func number(_ option: String) throws -> Int {
            guard let text = rest.popFirst(), let number = Int(text), number > 0 else {
                throw Mistake(description: "\(option) needs a number")
            }
            return number
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--child":
                child = Array(rest)
                rest = []
            case "--objects": objects = try number(argument)
            case "--runs": runs = try number(argument)
            case "--smoke":
                (isSmoke, objects, runs) = (true, 2_000, 1)
            case "--growth": isGrowth = true
            case "--gates": gates = .check
            case "--update-gates": gates = .update
            case "--list": isList = true
            case "--directory":
                guard let path = rest.popFirst() else { throw Mistake(description: "--directory needs a path") }
                directory = path
            default:
                guard !argument.hasPrefix("-") else {
                    throw Mistake(description: "unknown option \(argument)\n\(Self.usage)")
                }
                rows.append(argument)
            }
        }
    }

    /// Whether a row, or a group of rows, was asked for: by its id, or by the beginning of it.
    func wants(_ id: String) -> Bool {
        rows.isEmpty
            || rows.contains { row in
                guard id.hasPrefix(row) else { return false }
                // Row 1 is not the beginning of row 10.
                guard let next = id.dropFirst(row.count).first else { return true }
                return !(next.isNumber && row.last?.isNumber == true)
            }
    }
}
