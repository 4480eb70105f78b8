import DebianPackages
import Testing

@Suite struct DebianVersionTests {
    @Test(
        arguments: [
            ("1.0", 0, "1.0", ""), ("1:2.3-4", 1, "2.3", "4"), ("2.3-4-5", 0, "2.3-4", "5"),
            ("2:1:0-1", 2, "1:0", "1"), ("20230311", 0, "20230311", ""), ("3.0pl1-162~x+b1", 0, "3.0pl1", "162~x+b1"),
        ] as [(String, UInt32, String, String)])
    func `takes versions apart and puts them together`(
        _ text: String, _ epoch: UInt32, _ upstream: String, _ revision: String
    ) throws {
        let version = try #require(DebianVersion(text))
        #expect(version.epoch == epoch)
        #expect(version.upstream == upstream)
        #expect(version.revision == revision)
        #expect(version.description == text)
    }

    @Test(arguments: ["", "-1", "x:1", "-1:2", ":1", "4294967296:1", "1 2", "1:"])
    func `refuses what is no version`(_ text: String) {
        #expect(DebianVersion(text) == nil)
    }

    /// Each comes before all that follow it; those on one line are equal.
    private static let order = [
        ["~~"], ["~~a"], ["~"], ["~1"], ["0", "00", "0-0", "0:0"], ["0-1"], ["0a"], ["0.1"], ["1.0~~"], ["1.0~rc1-1"],
        ["1.0~rc1-2"],
        ["1.0~rc2"], ["1.0", "1.00", "1.0-0"], ["1.0-0.1"], ["1.0-1~bpo1"], ["1.0-1"], ["1.0-1+b1"], ["1.0-1+deb12u1"],
        ["1.0-2"], ["1.0-10"], ["1.0a"], ["1.0+dfsg-1"], ["1.0.1"], ["1.2"], ["1.10", "1.010"], ["9"], ["10"],
        ["99999999999999999999998"], ["99999999999999999999999"], ["1:0.1"], ["2:0~"],
    ]

    @Test func `orders as dpkg does`() throws {
        for (i, equals) in Self.order.enumerated() {
            for a in equals {
                for (j, others) in Self.order.enumerated() {
                    for b in others {
                        let x = try #require(DebianVersion(a))
                        let y = try #require(DebianVersion(b))
                        #expect((x < y) == (i < j), "\(a) < \(b)")
                        #expect((x == y) == (i == j), "\(a) == \(b)")
                    }
                }
            }
        }
    }
}
