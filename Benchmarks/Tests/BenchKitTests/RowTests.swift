import Testing

@testable import BenchKit

@Suite struct RowTests {
    @Test func `A cost meets its target at most at the share of the peer`() {
        let met = Row(
            "3", "lookup", .nanoseconds, seconds: [Peer.banyan: 80e-9, Peer.plain: 100e-9], [.of(0.8, Peer.plain)])
        #expect(met.met)
        #expect(abs(met.ratio - 0.8) < 1e-9)
        #expect(abs(met.banyan - 80) < 1e-9)
        let missed = Row(
            "3", "lookup", .nanoseconds, seconds: [Peer.banyan: 81e-9, Peer.plain: 100e-9], [.of(0.8, Peer.plain)])
        #expect(!missed.met)
        #expect(missed.target == "≤ 0.8 plain")
    }

    @Test func `A rate meets its target at least at the share of the peer`() {
        let times = [Peer.banyan: 1e-6, Peer.grdb: 7e-6]
        #expect(Row("2", "inserts", .perSecond, seconds: times, [.of(6, Peer.grdb)]).met)
        let missed = Row("2", "inserts", .perSecond, seconds: times, [.of(8, Peer.grdb)])
        #expect(!missed.met)
        #expect(abs(missed.ratio - 7) < 1e-9)
        #expect(abs((missed.ahead[Peer.grdb] ?? 0) - 7) < 1e-9)
        #expect(missed.target == "≥ 8 GRDB")
    }

    @Test func `All conditions must hold, and the margin is that of the tightest`() {
        let figures = [Peer.banyan: 60.0, Peer.plain: 100.0]
        let row = Row("1m", "memory", .bytes, figures: figures, [.limit(75), .of(0.45, Peer.plain)])
        #expect(!row.met)
        #expect(abs(row.margin - 0.75) < 1e-9)
        #expect(row.target == "≤ 75 bytes, ≤ 0.45 plain")
        #expect(Row("1m", "memory", .bytes, figures: figures, [.limit(75), .of(0.7, Peer.plain)]).met)
    }

    @Test func `A target that names a peer who did not take part is missed`() {
        #expect(!Row("3", "lookup", .nanoseconds, seconds: [Peer.banyan: 1e-9], [.of(0.8, Peer.plain)]).met)
    }

    @Test func `A recorded figure is a limit`() {
        let row = Row("4a", "read", .nanoseconds, seconds: [Peer.banyan: 12e-9], [.recorded(0.8, "realm", 16)])
        #expect(row.met)
        #expect(row.target == "≤ 0.8 realm's 16")
    }

    @Test(arguments: [
        (0.0123, "0.012"), (0.5, "0.5"), (3.14159, "3.14"), (42.5, "42.5"), (9_876, "9876"), (12_345, "12.3 k"),
        (123_456, "123 k"), (2_770_000, "2.77 M"), (.nan, "?"),
    ])
    func `Numbers show what counts of them`(value: Double, text: String) { #expect(Row.short(value) == text) }

    @Test func `A unit turns seconds into figures and back`() {
        for unit in [Unit.nanoseconds, .microseconds, .milliseconds, .seconds, .perSecond, .objectsPerSecond] {
            #expect(abs(unit.seconds(unit.figure(0.25)) - 0.25) < 1e-12)
        }
    }

    @Test func `Rows stand by number and then by the rest`() {
        let ids = ["10a", "2", "1m", "4b-string", "4b", "1"]
        let sorted = ids.sorted { Row.place($0).lexicographicallyPrecedes(Row.place($1)) }
        #expect(sorted == ["1", "1m", "2", "4b", "4b-string", "10a"])
    }
}
