import BanyanCore
import BanyanPersistence
import CrashLedger
import Foundation

/// A store whose writers are killed, and what they were told is safe.
struct Victim {
    /// When a child is killed.
    enum Moment: Hashable, CaseIterable {
        /// Starting, opening, recovering.
        case start
        case recovery
        /// After some commits.
        case commits
        /// Whenever.
        case time
        case checkpoint
    }

    let directory: String
    let life: Life
    private var random: SplitMix
    private(set) var kills = 0
    /// How often each moment was met.
    private(set) var moments: [Moment: Int] = [:]
    /// By commit: whose it was, and which of its own.
    private(set) var acknowledged: [UInt64: (writer: Int, count: Int)] = [:]
    /// What recovery gave the last time: nothing of that may go again.
    private var recovered: UInt64 = 0

    init(directory: String, life: Life) {
        self.directory = directory
        self.life = life
        random = SplitMix(seed: life.seed)
    }

    mutating func liveAndDie() throws {
        let moment = Moment.allCases[Int.random(in: 0..<Moment.allCases.count, using: &random)]
        var child = try Child(directory: directory, seed: random.next(), durability: life.durability)
        var said: [Line] = []
        try wait(for: moment, &child) { said.append($0) }
        try child.kill { said.append($0) }
        kills += 1
        moments[moment, default: 0] += 1
        try note(said)
        try check()
    }

    /// Lets the child live until the moment has come.
    private mutating func wait(for moment: Moment, _ child: inout Child, _ hear: (Line) -> Void) throws {
        func draw(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        var left = 1
        let isLast: (Line) -> Bool
        switch moment {
        case .start:
            _ = try child.read(for: draw(0...40)) { line in
                hear(line)
                return true
            }
            return
        case .time:
            _ = try child.read(for: draw(20...150)) { line in
                hear(line)
                return true
            }
            return
        case .recovery: isLast = { $0 == .opening }
        case .checkpoint: isLast = { $0 == .checkpoint }
        case .commits:
            left = draw(1...60)
            isLast = { if case .done = $0 { true } else { false } }
        }
        _ = try child.read(for: nil) { line in
            hear(line)
            if isLast(line) { left -= 1 }
            return left > 0
        }
        // And a little longer.
        _ = try child.read(for: draw(0...6)) { line in
            hear(line)
            return true
        }
    }

    private mutating func note(_ said: [Line]) throws {
        var opened: UInt64?
        var last = [Int](repeating: 0, count: Ledger.writers)
        for line in said {
            switch line {
            case .opening, .checkpoint: break
            case .opened(let sequence):
                guard sequence >= recovered else {
                    throw Problem("opening gives commit \(sequence) after \(recovered)")
                }
                opened = sequence
            case .done(let sequence, let writer, let count):
                guard let opened, sequence > opened, acknowledged[sequence] == nil else {
                    throw Problem("commit \(sequence) is acknowledged twice, or before its store was open")
                }
                guard count > last[writer] else {
                    throw Problem("writer \(writer) says \(count) after \(last[writer])")
                }
                last[writer] = count
                acknowledged[sequence] = (writer, count)
            }
        }
    }

    /// Looks at what is left, as a tool would that reads and as the next process would that writes.
    private mutating func check() throws {
        // Killed before there was anything.
        guard try StoreExists.at(directory) else {
            guard recovered == 0, acknowledged.isEmpty else { throw Problem("the store is gone") }
            return
        }
        let report = try StoreVerification.verify(directory, on: KernelDisk())
        guard report.isSound else { throw Problem("verification finds \(report.findings)") }
        let repairs = Bool.random(using: &random)
        let mode: StoreFiles.Mode = repairs ? .readWrite(createIfMissing: false) : .readOnly
        let files = try StoreFiles.open(
            at: directory, on: KernelDisk(), options: StoreFiles.Options(), mode: mode,
            schema: SchemaCodec.encode(Ledger.schema))
        let version = try GraphRecovery.recover(files, layout: { try StoreLayout($0 ?? Ledger.schema) }).version
        defer { withExtendedLifetime(version) {} }
        let sequence = version.sequence
        guard sequence >= recovered else { throw Problem("recovery gives commit \(sequence) after \(recovered)") }
        recovered = sequence
        let (balance, problems) = Ledger.check(version.view, sequence)
        guard problems.isEmpty else { throw Problem("after commit \(sequence): \(problems.joined(separator: "; "))") }
        try files.close()
        // Whoever keeps commits in memory until the store is closed has promised nothing else than that none is torn.
        guard life.durability != "onClose" else {
            acknowledged = acknowledged.filter { $0.key <= sequence }
            return
        }
        for (commit, by) in acknowledged {
            guard commit <= sequence else {
                throw Problem("commit \(commit) was acknowledged; the last one is \(sequence)")
            }
            guard by.count <= balance.counts[by.writer] else {
                throw Problem("writer \(by.writer) has lost commit \(commit)")
            }
            if let found = balance.transfers[commit], found != by {
                throw Problem("commit \(commit) is of writer \(found.writer), and was acknowledged to \(by.writer)")
            }
        }
    }
}

private enum StoreExists {
    /// Whether a store has come into being here.
    static func at(_ directory: String) throws -> Bool {
        do throws(BanyanError) {
            _ = try StoreInspection.open(directory, on: KernelDisk())
            return true
        } catch  where error.code == .notAStore {
            return false
        }
    }
}
