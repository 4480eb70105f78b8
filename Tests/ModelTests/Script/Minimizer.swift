import Foundation

/// Makes a failing script shorter: leaves out halves, quarters, … single steps, for as long as what is left still
/// fails.
struct Minimizer {
    let period: Int
    /// Seconds after which the shortest script so far has to do.
    let patience: Double

    func shorten(_ script: [Step], failingWith error: any Error) -> (steps: [Step], failure: any Error) {
        let deadline = Date(timeIntervalSinceNow: patience)
        guard var failure = fails(script) else { return (script.suffix(60), error) }
        var steps = script
        var chunk = max(1, steps.count / 2)
        while true {
            var end = steps.count
            while end > 0 {
                if Date() > deadline { return (steps, failure) }
                let start = max(0, end - chunk)
                var fewer = steps
                fewer.removeSubrange(start..<end)
                if let found = fails(fewer) {
                    steps = fewer
                    failure = found
                }
                end = start
            }
            if chunk == 1 { return (steps, failure) }
            chunk = max(1, chunk / 2)
        }
    }

    /// How a script fails in a new world; nil when it does not.
    private func fails(_ script: [Step]) -> (any Error)? {
        do {
            let world = try World(period: period)
            for step in script { try world.run(step) }
            try world.finish()
            return nil
        } catch {
            return error
        }
    }
}
