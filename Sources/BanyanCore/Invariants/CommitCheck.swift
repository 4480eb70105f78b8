/// Looks at the whole graph after every commit, in debug builds, when the developers ask for `check`: any suite
/// of tests then finds the very transaction that breaks a rule, instead of what comes of it later.
enum CommitCheck {
    #if DEBUG
        private static let isOn = DeveloperOptions.contains("check")
    #endif

    @inline(__always)
    static func run(_ version: Version) {
        #if DEBUG
            guard isOn else { return }
            let problems = version.view._invariantCheck()
            precondition(
                problems.isEmpty, "commit \(version.sequence) broke the graph: \(problems.joined(separator: "; "))")
        #endif
    }
}
