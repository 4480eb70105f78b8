/// Somebody who takes part in a row: Banyan, or a peer.
struct Entrant {
    let name: String
    /// How many operations one run makes.
    let operations: Int
    /// One run; returns its seconds.
    let run: () async throws -> Double

    /// A run that keeps its own time, because parts of it do not count.
    init(_ name: String, _ operations: Int, timing run: @escaping () async throws -> Double) {
        (self.name, self.operations, self.run) = (name, operations, run)
    }

    init(_ name: String, _ operations: Int, clock: Clock = .processor, _ body: @escaping () throws -> Void) {
        self.init(name, operations, timing: { try clock.seconds(body) })
    }
}

/// The names of those who take part.
enum Peer {
    static let banyan = "Banyan"
    static let plain = "plain"
    static let grdb = "GRDB"
    static let columns = "columns"
    static let raw = "raw"
}

/// Runs the entrants in turn, so that a disturbance of the machine meets all of them, and takes the median of each.
///
/// A run that is over at once is repeated until it has taken `atLeast` seconds.
///
/// - Returns: seconds per operation, by name.
func contest(_ entrants: [Entrant], runs: Int, atLeast: Double = 0.02) async throws -> [String: Double] {
    var times: [String: [Double]] = [:]
    for run in 0..<runs {
        // Who comes first changes from run to run: nobody always has the caches the same neighbour left.
        for i in entrants.indices {
            let entrant = entrants[(i + run) % entrants.count]
            var (seconds, repetitions) = (0.0, 0)
            repeat {
                seconds += try await entrant.run()
                repetitions += 1
            } while seconds < atLeast && repetitions < 1_000
            times[entrant.name, default: []].append(seconds / Double(repetitions * entrant.operations))
        }
    }
    return times.mapValues(median)
}
