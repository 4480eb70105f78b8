import Foundation

/// What the command line asks for.
package struct Options {
    package static let usage = """
        usage: Bench [--objects N] [--runs N] [--smoke] [--order N] [--growth] [--directory PATH] [--list] [ROW …]

          ROW            an id of the table, such as 3, 4a or 6b-contains; 4 stands for 4a, 4b and 4c
          --objects N    persons, and as many dogs (1000000)
          --runs N       runs of each row, of which the median counts (5)
          --smoke        few objects and one run, to see that everything works, and that rows leave nothing behind
          --order N      the rows in an order drawn from this number, to see that none needs another
          --growth       the rows that must not grow with the store, at 1 k, 10 k, 100 k and 1 M objects
          --gates        count instructions and allocations of the hottest paths with valgrind, and compare them with
                         thresholds.json; --update-gates writes that file
          --directory P  where durable stores are put (a new directory beside the results)
          --page P       the page of the documentation that a whole run puts its table into
          --list         say which rows there are
        """

    package var rows: [String] = []
    package var objects = 1_000_000
    package var runs = 5
    package var isSmoke = false
    /// What the order of the rows is drawn from; nil for the one they have.
    package var order: UInt64?
    package var isGrowth = false
    package var isList = false
    package var gates: GateMode?
    package var directory = "."
    /// A page of the documentation that a whole run puts its table into.
    package var page: String?
    /// Arguments of a child process, which measures one thing and prints a number.
    package var child: [String]?

    package enum GateMode { case check, update }

    /// Whether this is the run whose results are kept: all rows at full size.
    package var isWhole: Bool { rows.isEmpty && !isSmoke && order == nil && objects == 1_000_000 && runs >= 5 }

    package struct Mistake: Error, CustomStringConvertible {
        package var description: String

        package init(description: String) { self.description = description }
    }

    package init(_ arguments: [String]) throws {
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
            case "--order": order = UInt64(try number(argument))
            case "--growth": isGrowth = true
            case "--page":
                guard let path = rest.popFirst() else { throw Mistake(description: "--page needs a path") }
                page = path
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
    package func wants(_ id: String) -> Bool {
        rows.isEmpty
            || rows.contains { row in
                guard id.hasPrefix(row) else { return false }
                // Row 1 is not the beginning of row 10.
                guard let next = id.dropFirst(row.count).first else { return true }
                return !(next.isNumber && row.last?.isNumber == true)
            }
    }
}
