import Foundation

/// Runs this program again, for what must be measured in a process of its own: memory, and instructions per operation.
enum Child {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Where this program is.
    static var program: String { URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path }

    /// The last line a child printed, as a number.
    static func number(_ arguments: [String]) throws -> Double {
        let output = try run(program, arguments)
        guard let line = output.split(separator: "\n").last, let number = Double(line) else {
            throw Failure(description: "a child of the benchmark printed no number: \(arguments)")
        }
        return number
    }

    @discardableResult
    static func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(
                description: "\(program) \(arguments.joined(separator: " ")) ended with \(process.terminationStatus)")
        }
        return String(decoding: output, as: UTF8.self)
    }
}
