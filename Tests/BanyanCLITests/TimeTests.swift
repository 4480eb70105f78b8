import BanyanCore
import BanyanPersistence
import Foundation
import Testing

/// Clocks jump: times of commits need not rise with their numbers.
@Suite("Times of commits")
struct TimeTests {
    private static let start = SampleStore.start
    private static let second = SampleStore.second
    /// Of commits 1 to 8: the third was made a lifetime ahead, the sixth in 1970.
    private static let times: [Int64] = [
        start + second, start + 2 * second, 4_354_819_200 * second, start + 4 * second, start + 5 * second, second,
        start + 7 * second, start + 8 * second,
    ]

    private func make(
        _ path: String, times: [Int64] = Self.times, checkpoints: Set<Int> = [], segmentSize: UInt64 = 300
    ) throws {
        let store = try SampleStore(path) {
            $0.keepSnapshots = 9; $0.segmentSize = segmentSize
        }
        for (index, time) in times.enumerated() {
            try store.commit(at: time) { transaction in
                let club = transaction.create(SampleStore.Table.club)
                transaction.setValue(club, 0, .string("Club \(index + 1)"))
            }
            if checkpoints.contains(index + 1) { try store.checkpoint() }
        }
        try store.close()
    }

    @Test(
        "A time means the last commit at or before it, also behind one whose clock was ahead",
        arguments: [
            // A time, the commit that it means, and how many commits before that carry a later time.
            ("2026-03-01T12:00:02Z", 6, 3), ("2026-03-01T12:00:04.5Z", 6, 2), ("2026-03-01T12:00:07Z", 7, 1),
            ("2026-03-01T12:00:30Z", 8, 1), ("2108-01-01", 8, 0), ("1970-01-01T00:00:01Z", 6, 5),
        ], [[], [3], [2, 6], [8]] as [Set<Int>])
    func jumps(_ example: (time: String, sequence: Int, later: Int), checkpoints: Set<Int>) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try make(path, checkpoints: checkpoints)
            let answer = try Tool.run("query", path, "Club", "--at", example.time, "--json")
            let json = try answer.json()
            #expect(json["sequence"] as? Int == example.sequence)
            #expect(json["count"] as? Int == example.sequence)
            #expect(json["commitsWithLaterTime"] as? Int == example.later)
            #expect(answer.messages.contains("warning: the clock was set back") == (example.later > 0))
            for options in [["--dry-run"], []] {
                let to = directory + "/new"
                let restored = try Tool.run(["restore", path, "--at", example.time, "--to", to, "--json"] + options)
                #expect(try restored.json()["sequence"] as? Int == example.sequence)
                #expect(try restored.json()["commitsWithLaterTime"] as? Int == example.later)
                #expect(restored.messages == answer.messages)
            }
            let log = try Tool.run("log", path, "--to", example.time, "--json").jsonLines()
            #expect(log.compactMap { $0["sequence"] as? Int } == Array(1...example.sequence))
        }
    }

    @Test(
        "From a time on means from the first commit that carries it or a later one",
        arguments: [("2026-03-01T12:00:04Z", 3), ("2200-01-01", nil), ("1970-01-01", 1), ("2026-03-01T12:00:02Z", 2)])
    func from(time: String, first: Int?) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            // Snapshots that carry an earlier time are no reason to begin behind them.
            try make(path, checkpoints: [2, 6, 7])
            let log = try Tool.run("log", path, "--from", time, "--json").jsonLines()
            #expect(log.compactMap { $0["sequence"] as? Int } == first.map { Array($0...8) } ?? [])
            let last = try Tool.run("log", path, "--from", time, "--last", "2", "--json").jsonLines()
            #expect(last.compactMap { $0["sequence"] as? Int } == (first == nil ? [] : [7, 8]))
        }
    }

    @Test("Verification names the time of the last commit, not the latest of all")
    func verify() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try make(path, checkpoints: [3])
            #expect(try Tool.run("verify", path).lines.last == "sound, up to commit 8, 2026-03-01T12:00:08Z")
        }
    }

    @Test("Where damage may hide the commit that a time means, it is an error; behind a later one it is a warning")
    func damage() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try make(path, times: (1...12).map { Self.start + $0 * Self.second }, segmentSize: 1 << 20)
            let segment = try Damage.newest(path, ".bjl")
            try Damage.flip(segment, at: 200 + (try Damage.size(segment) - 200) / 2)
            let verified = try Tool.run("verify", path, "--json").json()
            let finding = try #require((verified["findings"] as? [[String: Any]])?.first)
            let last = try #require(finding["lastGoodSequence"] as? Int)
            // The commit that is damaged may be the one that is meant.
            let hidden = try Tool.run("query", path, "Club", "--count", "--at", "2027-01-01")
            #expect(hidden.status == 4 && hidden.output == "")
            // A commit that comes later stands between.
            let answer = try Tool.run(
                "query", path, "Club", "--count", "--at", Moment.text(Self.start + Int64(last - 1) * Self.second))
            #expect(answer.status == 0 && answer.output == "\(last - 1)\n")
            #expect(answer.messages.contains("not all commits behind commit \(last - 1) can be read"))
        }
    }

    /// Times as a tool prints them.
    private enum Moment {
        static func text(_ nanoseconds: Int64) -> String {
            ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(nanoseconds / 1_000_000_000)))
        }
    }

    @Test(
        "No time is too early or too late to be shown, and what is shown finds the commit again",
        arguments: [Int64.min, .min + 1, .min + 999_999_999, -1, 0, 1, .max - 1, .max])
    func extremes(time: Int64) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try make(path, times: [time], checkpoints: [1])
            let snapshot = try Damage.oldest(path, ".bsn")
            let log = try Tool.run("log", path, "--json")
            let text = try #require(try log.jsonLines().first?["time"] as? String)
            for arguments in [
                ["info", path], ["info", snapshot], ["ls", path], ["log", path], ["verify", path], ["export", path],
                ["info", snapshot, "--json"], ["query", path, "Club", "--at", text, "--json"],
            ] {
                let answer = try Tool.run(arguments)
                #expect(answer.status == 0, "\(arguments): \(answer.messages)")
            }
            #expect(try Tool.run("query", path, "Club", "--at", text, "--count").output == "1\n")
            #expect(try Tool.run("info", snapshot).output.contains(text))
        }
    }
}
