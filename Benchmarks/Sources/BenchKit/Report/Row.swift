import Foundation

/// One line of the table: an operation, what it costs with Banyan and with each peer of the same run, and the target.
package struct Row: Codable, Sendable {
    package var id: String
    package var operation: String
    package var unit: String
    package var banyan: Double
    package var peers: [String: Double]
    /// Banyan's figure over that of the peer (or the limit) that the target names first.
    package var ratio: Double
    package var target: String
    package var met: Bool
    /// How many times better than each peer Banyan is; below 1 it is behind.
    package var ahead: [String: Double]
    /// How many times better than the target, at its tightest condition; below 1 the target is missed.
    package var margin: Double
}

/// What a figure counts, and which way is better.
package enum Unit: String {
    case nanoseconds = "ns"
    case microseconds = "µs"
    case milliseconds = "ms"
    case seconds = "s"
    case perSecond = "/s"
    case objectsPerSecond = "objects/s"
    case bytes
    case kilobytes = "KiB"
    case megabytes = "MB"
    case times = "×"

    package var moreIsBetter: Bool { self == .perSecond || self == .objectsPerSecond || self == .times }

    /// Turns seconds per operation into the unit.
    package func figure(_ seconds: Double) -> Double {
        switch self {
        case .nanoseconds: seconds * 1e9
        case .microseconds: seconds * 1e6
        case .milliseconds: seconds * 1e3
        case .perSecond, .objectsPerSecond: 1 / seconds
        case .seconds, .bytes, .kilobytes, .megabytes, .times: seconds
        }
    }

    /// The way back.
    package func seconds(_ figure: Double) -> Double {
        switch self {
        case .perSecond, .objectsPerSecond: 1 / figure
        case .nanoseconds, .microseconds, .milliseconds: figure / self.figure(1)
        case .seconds, .bytes, .kilobytes, .megabytes, .times: figure
        }
    }
}

/// A condition of a target. A row meets its target when all of them hold.
package enum Condition {
    /// At most (for rates: at least) this many times the peer's figure.
    case of(Double, String)
    /// At most (for rates: at least) this figure, in the row's unit.
    case limit(Double)
    /// The same, where the limit is a share of what somebody took on a machine like this one who cannot run beside us.
    case recorded(Double, String, Double)
}

extension Row {
    /// A row of figures in `unit`.
    package init(
        _ id: String, _ operation: String, _ unit: Unit, figures: [String: Double], _ conditions: [Condition]
    ) {
        let banyan = figures[Peer.banyan] ?? .nan
        let peers = figures.filter { $0.key != Peer.banyan }
        let better = unit.moreIsBetter
        let judged = conditions.map { condition -> (ratio: Double, margin: Double, text: String) in
            let sign = better ? "≥" : "≤"
            let (limit, base, text): (Double, Double, String) =
                switch condition {
                case .of(let factor, let peer):
                    (factor * (peers[peer] ?? .nan), peers[peer] ?? .nan, "\(sign) \(Row.short(factor)) \(peer)")
                case .limit(let limit): (limit, limit, "\(sign) \(Row.short(limit)) \(unit.rawValue)")
                case .recorded(let factor, let whom, let figure):
                    (factor * figure, figure, "\(sign) \(Row.short(factor)) \(whom)'s \(Row.short(figure))")
                }
            return (banyan / base, better ? banyan / limit : limit / banyan, text)
        }
        self.init(
            id: id, operation: operation, unit: unit.rawValue, banyan: banyan, peers: peers,
            ratio: judged.first?.ratio ?? .nan, target: judged.map(\.text).joined(separator: ", "),
            met: judged.allSatisfy { $0.margin >= 1 }, ahead: peers.mapValues { better ? banyan / $0 : $0 / banyan },
            margin: judged.map(\.margin).min() ?? .nan)
    }

    /// A row of times, in seconds per operation.
    package init(
        _ id: String, _ operation: String, _ unit: Unit, seconds times: [String: Double], _ conditions: [Condition]
    ) {
        self.init(id, operation, unit, figures: times.mapValues(unit.figure), conditions)
    }

    /// A number with three digits that count, and thousands apart.
    package static func short(_ value: Double) -> String {
        guard value.isFinite else { return "?" }
        let size = abs(value)
        if size >= 1e6 { return trimmed(value / 1e6, size < 1e7 ? 2 : size < 1e8 ? 1 : 0) + " M" }
        if size >= 1e4 { return trimmed(value / 1e3, size < 1e5 ? 1 : 0) + " k" }
        return trimmed(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3)
    }

    private static func trimmed(_ value: Double, _ digits: Int) -> String {
        var text = String(format: "%.\(digits)f", value)
        if text.contains(".") {
            while text.hasSuffix("0") { text.removeLast() }
            if text.hasSuffix(".") { text.removeLast() }
        }
        return text
    }

    /// Where a row stands in the table: by number, then by the rest.
    package static func place(_ id: String) -> [String] {
        let digits = id.prefix(while: \.isNumber)
        return [String(repeating: "0", count: max(0, 3 - digits.count)) + digits, String(id.dropFirst(digits.count))]
    }
}
