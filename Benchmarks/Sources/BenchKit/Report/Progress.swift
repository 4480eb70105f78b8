import Foundation

/// Says on standard error what is being measured: on a terminal in one line that changes, elsewhere a line for each step.
package struct Progress {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let start = ContinuousClock.now
    private let total: Int
    private var done = 0

    package init(of total: Int) { self.total = total }

    package mutating func begin(_ step: String) {
        done += 1
        let text = "[\(done)/\(total)] \((ContinuousClock.now - start).components.seconds) s  \(step)"
        write(isTerminal ? "\r\u{1B}[K\(text)" : "\(text)\n")
    }

    package func end() { if isTerminal { write("\r\u{1B}[K") } }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
