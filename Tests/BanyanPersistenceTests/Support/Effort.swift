import BanyanCore

/// How much the exhaustive tests do. By default they fit into a minute; with `BANYAN_DEV=thorough` they take theirs.
enum Effort {
    static let isThorough = DeveloperOptions.contains("thorough")
}
