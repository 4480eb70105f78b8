import Foundation
import Synchronization

/// How far a long step has come: one line that is drawn again and again on a terminal, a line for every quarter elsewhere. On
/// standard error, so that the output stays the output.
public final class ProgressBar: Sendable {
    private struct State {
        var percent = -1
        var nextDraw = ContinuousClock.now
    }

    private let title: String
    private let total: Int
    private let state = Mutex(State())

    public init(_ title: String, of total: Int) {
        self.title = title
        self.total = max(total, 1)
        show(0)
    }

    /// Cheap enough to call for every object.
    public func show(_ done: Int) {
        let percent = min(100, done * 100 / total)
        let line: String? = state.withLock { state in
            guard percent != state.percent else { return nil }
            if Terminal.isErrors {
                guard percent == 100 || ContinuousClock.now >= state.nextDraw else { return nil }
                state.nextDraw = .now + .milliseconds(50)
                state.percent = percent
                let full = percent * 30 / 100
                let bar = String(repeating: "█", count: full) + String(repeating: "░", count: 30 - full)
                return "\r  \(title) \(bar) \(percent) %"
            }
            guard percent / 25 > state.percent / 25 || state.percent < 0 else { return nil }
            state.percent = percent
            return "  \(title): \(percent) %\n"
        }
        if let line { FileHandle.standardError.write(Data(line.utf8)) }
    }

    /// Takes the line away.
    public func finish() {
        show(total)
        if Terminal.isErrors { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    }
}
