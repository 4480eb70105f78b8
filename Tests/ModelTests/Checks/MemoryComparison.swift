import BanyanCore

/// Holds what a lineage's arena has given out against what its living versions can reach: nothing leaks, nothing is
/// given back too early.
struct MemoryComparison {
    let branch: Branch

    let forks: [Branch]

    init(_ branch: Branch, of branches: [Branch]) {
        self.branch = branch
        forks = branches
    }

    func compare() throws {
        let newest = branch.version
        let holders =
            [newest]
            + forks.flatMap { fork in
                fork.origins + fork.held.map(\.version) + fork.kept.map(\.changes.before)
            }
        let own = holders.filter { $0.lineage === newest.lineage }
        guard let oldest = own.min(by: { $0.sequence < $1.sequence }) else { return }
        // Who holds a version holds every later one.
        let versions = [oldest] + oldest.changeSets(to: newest).map(\.after)
        if let problem = newest.lineage._memoryCheck(versions) {
            throw Failure("memory: \(problem), in \(versions.count) versions")
        }
    }
}
