import ArgumentParser
import BanyanPersistence

enum ProgressMode: String, ExpressibleByArgument, CaseIterable {
    case auto, none
}

/// One line on a terminal's standard error that says how far a long step has come, and is gone when it is over. It appears
/// only for steps that take long enough to make one wonder.
final class ProgressLine {
    private static let patience = Duration.milliseconds(400)
    private static let interval = Duration.milliseconds(100)
    private static let barWidth = 24

    private let isEnabled: Bool
    private let clock = ContinuousClock()
    private var next: ContinuousClock.Instant
    private var isShown = false

    init(_ mode: ProgressMode, quiet: Bool) {
        isEnabled = mode == .auto && !quiet && Messages.isTerminal
        next = clock.now + Self.patience
    }

    deinit { clear() }

    func show(_ what: String, _ done: UInt64, _ total: UInt64, of unit: String? = nil) {
        guard isEnabled, clock.now >= next else { return }
        next = clock.now + Self.interval
        isShown = true
        let share = total == 0 ? 0 : min(1, Double(done) / Double(total))
        let filled = Int(share * Double(Self.barWidth))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.barWidth - filled)
        let percent = "\(Int(share * 100))%"
        let all = unit.map { "\(Shown.grouped(total)) \($0)" } ?? Shown.bytes(total)
        Messages.put("\r\u{1B}[K\(what.padded(to: 18)) \(bar) \(percent.padded(to: 4, alignRight: true)) of \(all)")
    }

    /// Takes the line away, before anything else is said.
    func clear() {
        guard isShown else { return }
        isShown = false
        Messages.put("\r\u{1B}[K")
    }

    /// For what reads the journal.
    var journal: (StoreProgress) -> Void {
        { self.show("Reading journal", $0.done, $0.total) }
    }

    /// For what makes a graph of files.
    var recovery: GraphRecovery.Progress {
        { phase, done, total in self.show(phase == .snapshot ? "Loading snapshot" : "Replaying journal", done, total) }
    }
}
