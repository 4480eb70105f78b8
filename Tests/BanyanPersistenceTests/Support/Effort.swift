import Foundation

/// How much the exhaustive tests do. By default they fit into a minute; with BANYAN_THOROUGH=1 they take theirs.
enum Effort {
    static let isThorough = ProcessInfo.processInfo.environment["BANYAN_THOROUGH"] == "1"
}
