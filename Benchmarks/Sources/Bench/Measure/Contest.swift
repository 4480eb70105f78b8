import BenchKit

/// Somebody who takes part in a row: Banyan, or a peer.
struct Entrant {
    /// What a run took, and what it found, if it found something: everybody who does the same must find the same.
    struct Outcome {
        var seconds: Double
        var found: Int?
    }

    let name: String
    /// How many operations one run makes.
    let operations: Int
    let run: () async throws -> Outcome

    /// A run that keeps its own time, because parts of it do not count.
    init(_ name: String, _ operations: Int, timing run: @escaping () async throws -> Double) {
        (self.name, self.operations) = (name, operations)
        self.run = { Outcome(seconds: try await run()) }
    }

    /// A run that finds nothing, but changes something.
    static func changing(
        _ name: String, _ operations: Int, clock: Clock = .processor, _ body: @escaping () throws -> Void
    ) -> Entrant {
        Entrant(name, operations, timing: { try clock.seconds(body) })
    }

    /// A run that finds a number, such as a sum.
    init(_ name: String, _ operations: Int, clock: Clock = .processor, _ body: @escaping () throws -> Int?) {
        (self.name, self.operations) = (name, operations)
        run = {
            let start = clock.now
            let found = try body()
            return Outcome(seconds: clock.now - start, found: found)
        }
    }
}

/// Two who were given the same task found different things: one of them does not do what the row says.
struct Disagreement: Error, CustomStringConvertible {
    var description: String
}

/// Runs the entrants in turn, so that a disturbance of the machine meets all of them, and takes the median of each. A run that
/// is over at once is repeated until it has taken `atLeast` seconds.
///
/// - Returns: seconds per operation, by name.
/// - Throws: `Disagreement` when those who do the same number of operations do not find the same.
func contest(_ entrants: [Entrant], runs: Int, atLeast: Double = 0.02) async throws -> [String: Double] {
    var times: [String: [Double]] = [:]
    var found: [Int: (name: String, value: Int)] = [:]
    for run in 0..<runs {
        // Who comes first changes from run to run: nobody always has the caches the same neighbour left.
        for i in entrants.indices {
            let entrant = entrants[(i + run) % entrants.count]
            var (seconds, repetitions) = (0.0, 0)
            repeat {
                let outcome = try await entrant.run()
                seconds += outcome.seconds
                repetitions += 1
                guard let value = outcome.found else { continue }
                let other = found[entrant.operations, default: (entrant.name, value)]
                guard value == other.value else {
                    throw Disagreement(
                        description: "\(entrant.name) found \(value), but \(other.name) \(other.value)")
                }
                found[entrant.operations] = other
            } while seconds < atLeast && repetitions < 1_000
            times[entrant.name, default: []].append(seconds / Double(repetitions * entrant.operations))
        }
    }
    return times.mapValues(median)
}
