import Testing

@testable import BenchKit

@Suite struct OptionsTests {
    @Test func `A row is wanted by its id or the beginning of it`() throws {
        #expect(try Options(["--smoke", "--order", "7"]).order == 7)
        let options = try Options(["4", "6b-contains", "1"])
        #expect(["4a", "4a-string", "4c", "6b-contains", "1", "1m"].allSatisfy(options.wants))
        #expect(!["10a", "14a", "6b", "6a", "3", "11b"].contains(where: options.wants))
        #expect(try Options([]).wants("18"))
    }

    @Test func `Only a whole run is kept`() throws {
        #expect(try Options([]).isWhole)
        for arguments in [["3"], ["--smoke"], ["--objects", "1000"], ["--runs", "1"], ["--order", "7"]] {
            #expect(try !Options(arguments).isWhole)
        }
    }

    @Test(arguments: [["--objects"], ["--objects", "none"], ["--runs", "0"], ["--directory"], ["--fast"]])
    func `What is not understood is a mistake`(arguments: [String]) {
        #expect(throws: Options.Mistake.self) { try Options(arguments) }
    }

    @Test func `What a child is to do comes to it as it was given`() throws {
        #expect(try Options(["--child", "memory", "plain", "10"]).child == ["memory", "plain", "10"])
    }
}
