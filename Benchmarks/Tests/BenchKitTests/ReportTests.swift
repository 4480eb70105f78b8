import Foundation
import Testing

@testable import BenchKit

@Suite struct ReportTests {
    private let rows = [
        Row(
            "3", "key lookup", .nanoseconds, seconds: [Peer.banyan: 80e-9, Peer.plain: 100e-9], [.of(0.8, Peer.plain)]),
        Row("17", "fork", .microseconds, seconds: [Peer.banyan: 50e-6], [.limit(10)]),
    ]
    private let machine = Results.Machine(
        processor: "a <fast> one", cores: 2, date: "2026-01-01T00:00:00Z", objects: 2_000_000, limits: ["memcpy": 18])

    @Test func `Results are rows with what the target asked and whether it was met`() throws {
        let data = try Results(machine: machine, rows: rows).encoded()
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let first = try #require((json["rows"] as? [[String: Any]])?.first)
        #expect(first["id"] as? String == "3")
        #expect(first["operation"] as? String == "key lookup")
        #expect(first["unit"] as? String == "ns")
        #expect(first["met"] as? Bool == true)
        #expect((first["peers"] as? [String: Double])?.keys.sorted() == ["plain"])
        #expect(first["target"] as? String == "≤ 0.8 plain")
        #expect((json["machine"] as? [String: Any])?["cores"] as? Int == 2)
    }

    @Test func `The table has a line for each row, in columns`() throws {
        let lines = Table(rows: rows).text().split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1].hasSuffix("yes") && lines[2].hasSuffix("NO"))
        let column = try #require(lines[0].firstRange(of: "operation")?.lowerBound)
        let start = lines[0].distance(from: lines[0].startIndex, to: column)
        #expect(lines[2].dropFirst(start).hasPrefix("fork"))
    }

    @Test func `The table of the documentation is replaced between its marks`() throws {
        let page = "before\n\(Table.begin)\nold\n\(Table.end)\nafter\n"
        let text = try Table(rows: rows).putting(into: page, machine: machine)
        #expect(text.hasPrefix("before\n") && text.hasSuffix("after\n"))
        #expect(!text.contains("old"))
        #expect(text.contains("| 17 | fork |"))
        #expect(throws: Table.NoMarks.self) { try Table(rows: rows).putting(into: "nothing", machine: machine) }
    }

    @Test func `The plot shows every row and is well-formed`() throws {
        let svg = TargetPlot(rows: rows, machine: machine).svg()
        #expect(rows.allSatisfy { svg.contains(">\($0.operation)<") })
        #expect(svg.contains("a &lt;fast&gt; one") || svg.contains("a &lt;fast> one"))
        #expect(svg.hasPrefix("<svg") && svg.contains("</svg>"))
    }

    @Test func `Growth keeps nanoseconds by size, of rates too`() {
        var growth = Growth(sizes: [10, 100])
        for seconds in [1e-6, 2e-6] {
            growth.add(
                Row(
                    "2-full", "insert", .perSecond, seconds: [Peer.banyan: seconds, Peer.grdb: 4e-6],
                    [.of(6, Peer.grdb)]))
        }
        #expect(growth.lines.count == 1)
        #expect(growth.lines[0].nanoseconds[Peer.banyan]?.map { $0.rounded() } == [1_000, 2_000])
        #expect(growth.text().contains("2×"))
        #expect(GrowthPlot(growth: growth).svg().contains("polyline"))
    }
}
