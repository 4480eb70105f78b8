import Banyan
import Foundation
import Testing

@Model class Lap: Object {
    @Persisted(primaryKey: true) var limit = Duration.zero
    @Persisted(indexed: true) var time: Duration = .zero
    @Persisted(indexed: .ordered) var best: Duration?
    @Persisted var splits: List<Duration>
    @Persisted var pauses: MutableSet<Duration>
    @Persisted var stations: Map<String, Duration>
    @Persisted var extra: AnyValue
}

@Suite("Durations") struct DurationTests {
    private static let attosecond = Duration(attoseconds: 1)

    /// Laps of 0, 1, 2 and 3 seconds, each an attosecond longer; the first has no best time.
    private func laps() throws -> Graph {
        let graph = Graph(try Store(.init(models: [Lap.self])))
        try graph.write {
            for seconds in 0..<4 {
                let lap = Lap()
                lap.limit = .seconds(seconds)
                lap.time = .seconds(seconds) + Self.attosecond
                lap.best = seconds == 0 ? nil : .milliseconds(-1500 * seconds)
                lap.splits.append(objectsIn: [.seconds(seconds), .milliseconds(500), .seconds(-1)])
                lap.pauses.insert(.seconds(seconds))
                lap.pauses.insert(.seconds(seconds))
                lap.stations["start"] = .seconds(seconds)
                lap.extra = .duration(lap.time)
                try graph.add(lap)
            }
        }
        return graph
    }

    @Test("Every place for a value holds a duration, exactly")
    func places() throws {
        let graph = try laps()
        let lap = try #require(graph.object(ofType: Lap.self, forPrimaryKey: Duration.seconds(2)))
        #expect(lap.time == .seconds(2) + Self.attosecond)
        #expect(lap.best == .seconds(-3))
        #expect(Array(lap.splits) == [.seconds(2), .milliseconds(500), .seconds(-1)])
        #expect(Array(lap.pauses) == [.seconds(2)])
        #expect(lap.stations["start"] == .seconds(2))
        #expect(lap.extra == .duration(.seconds(2) + Self.attosecond))
        #expect(lap.extra.durationValue == lap.time)
        #expect(lap.extra != .int(2))
        try graph.write {
            lap.time = Duration(attoseconds: .min)
            lap.extra = .duration(.seconds(9))
            lap.splits.sort()
        }
        #expect(lap.time.attoseconds == .min)
        #expect(Array(lap.splits) == [.seconds(-1), .milliseconds(500), .seconds(2)])
        #expect("\(lap.extra)" == "PT9S")
    }

    @Test(
        "Typed queries and texts compare durations",
        arguments: [
            ("time > 'PT1S'", 3), ("time == T\"PT1.000000000000000001S\"", 1), ("time <= \"PT1S\"", 1),
            ("best < 'PT0S'", 3), ("best == nil", 1), ("best BETWEEN {'-PT3S', '-PT1.5S'}", 2),
            ("time IN {T\"PT2.000000000000000001S\", 'PT5S'}", 1), ("ANY splits == 'PT0.5S'", 4),
            ("splits.@sum > 'PT1S'", 2), ("splits.@min == '-PT1S'", 4), ("extra > T\"PT2S\"", 2),
            ("extra.@type == 'duration'", 4), ("stations['start'] >= 'PT2S'", 2), ("limit == 'PT3S'", 1),
        ])
    func texts(_ text: String, _ count: Int) throws {
        #expect(try laps().objects(Lap.self).filter(text).count == count)
    }

    @Test("Typed queries, sums, means and sorting")
    func typed() throws {
        let graph = try laps()
        let all = graph.objects(Lap.self)
        #expect(all.where { $0.time > .seconds(1) }.count == 3)
        #expect(all.where { $0.best == .milliseconds(-1500) }.count == 1)
        #expect(all.where { $0.splits.contains(.milliseconds(500)) }.count == 4)
        #expect(all.where { $0.splits.sum > .seconds(1) }.count == 2)
        #expect(all.where { $0.splits.avg == .milliseconds(500) }.count == 1)
        #expect(all.where { $0.splits.max >= .seconds(2) }.count == 2)
        #expect(all.where { $0.extra > .duration(.seconds(2)) }.count == 2)
        #expect(all.sum(of: \.time) == .seconds(6) + Duration(attoseconds: 4))
        #expect(all.average(of: \.time) == .milliseconds(1500) + Self.attosecond)
        #expect(all.min(of: \.time) == Self.attosecond)
        #expect(all.max(of: \.best) == .milliseconds(-1500))
        #expect(all.sum(of: \.best) == .seconds(-9))
        #expect(all.median(of: \.time) == .milliseconds(1500) + Self.attosecond)
        #expect(all.median(of: \.best) == .seconds(-3))
        #expect(all.where { $0.splits.median == .milliseconds(500) }.count == 3)
        #expect(try all.filter("splits.@median == 'PT0S'").count == 1)
        let last = try #require(all.sorted(byKeyPath: "time", ascending: false).first)
        #expect(last.limit == .seconds(3))
        #expect(last.splits.sum() == .milliseconds(2500))
    }

    @Test("A sum beyond what a duration holds is the nearest one within; a mean is exact")
    func extremes() throws {
        let (most, least) = (Duration(attoseconds: .max), Duration(attoseconds: -.max))
        let list = List<Duration>([most, most, least, most])
        #expect(list.sum() == most)
        #expect(list.average() == Duration(attoseconds: Int128.max / 2 + 1))
        #expect(List<Duration>([most, most, least, least]).sum() == .zero)
    }

    @Test("Detached values are JSON with ISO 8601, and come back")
    func detached() throws {
        let lap = try #require(try laps().object(ofType: Lap.self, forPrimaryKey: Duration.seconds(1)))
        let value = lap.detached()
        let data = try JSONEncoder().encode(value)
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(json["time"] as? String == "PT1.000000000000000001S")
        #expect(json["best"] as? String == "-PT1.5S")
        #expect(json["splits"] as? [String] == ["PT1S", "PT0.5S", "-PT1S"])
        #expect(json["pauses"] as? [String] == ["PT1S"])
        #expect(json["stations"] as? [String: String] == ["start": "PT1S"])
        #expect(try JSONDecoder().decode(Lap.Detached.self, from: data) == value)
        #expect(String(decoding: data, as: UTF8.self).contains(#"{"duration":{"_0":"PT1.000000000000000001S"}}"#))
        #expect(
            String(decoding: try JSONEncoder().encode([lap.extra]), as: UTF8.self) == #"["PT1.000000000000000001S"]"#)
    }

    @Test("Objects without their class, and values from outside")
    func dynamic() throws {
        let graph = try laps()
        let lap = try #require(try graph.dynamicObjects("Lap").filter("limit == 'PT1S'").first)
        #expect(lap["time"] as? Duration == .seconds(1) + Self.attosecond)
        try graph.write {
            let made = try graph.create(
                Lap.self, value: ["limit": "PT10S", "time": Duration.seconds(4), "splits": ["PT1S"]])
            #expect(made.limit == .seconds(10))
            #expect(made.time == .seconds(4))
            #expect(Array(made.splits) == [.seconds(1)])
        }
        #expect(throws: BanyanError.self) {
            try graph.write { _ = try graph.create(Lap.self, value: ["limit": "ten"]) }
        }
        #expect("\(lap)".contains("PT1.000000000000000001S"))
    }
}
