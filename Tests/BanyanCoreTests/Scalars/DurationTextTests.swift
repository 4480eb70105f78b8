import BanyanCore
import Testing

@Suite("Durations as ISO 8601") struct DurationTextTests {
    @Test(
        "A duration is written exactly, and read again",
        arguments: [
            (Duration.zero, "PT0S"), (.milliseconds(1500), "PT1.5S"), (.milliseconds(-1500), "-PT1.5S"),
            (.seconds(9000), "PT2H30M"), (.seconds(3661), "PT1H1M1S"), (.seconds(86_400 * 400), "PT9600H"),
            (Duration(attoseconds: 1), "PT0.000000000000000001S"),
            (Duration(attoseconds: -1), "-PT0.000000000000000001S"),
            (Duration(attoseconds: .max), "PT47261439850130342H8M51.687303715884105727S"),
            (Duration(attoseconds: .min), "-PT47261439850130342H8M51.687303715884105728S"),
        ])
    func roundTrip(_ duration: Duration, _ text: String) {
        #expect(duration.iso8601 == text)
        #expect(Duration(iso8601: text) == duration)
    }

    @Test(
        "Weeks, days and what may be left out are read",
        arguments: [
            ("P1W", 604_800), ("P1D", 86_400), ("P1DT1S", 86_401), ("+PT90S", 90), ("PT1,0S", 1),
            ("P2W1DT1M", 1_296_060),
        ])
    func read(_ text: String, _ seconds: Int64) {
        #expect(Duration(iso8601: text) == .seconds(seconds))
    }

    @Test(
        "What is no duration, or not one that can be held, is none",
        arguments: [
            "", "P", "PT", "P1", "PT1", "1S", "P1Y", "P1M", "PT1S1M", "PT1S1S", "PT1.S", "PT.5S", "PT1.5M", "P1DT",
            "PTT1S",
            "PT1STPT1S", "PT-1S", "--PT1S", "PT1.0000000000000000001S", "PT47261439850130342H8M51.687303715884105728S",
            "P99999999999999999999999999999999999999999W", "PT1s", " PT1S",
        ])
    func none(_ text: String) {
        #expect(Duration(iso8601: text) == nil)
    }
}
