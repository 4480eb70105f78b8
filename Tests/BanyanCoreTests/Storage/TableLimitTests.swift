import BanyanCore
import Testing

@Suite struct TableLimitTests {
    /// Objects of types that inherit from one another are numbered together, so each has its part of the numbers.
    private static let inheriting = 4_000
    private static let schema = Schema(
        types: [TypeSchema(name: "Base", properties: [PropertySchema(name: "flag", kind: .bool)])]
            + (1...inheriting).map {
                TypeSchema(
                    name: "Heir\($0)", superclass: "Base", properties: [PropertySchema(name: "flag", kind: .bool)])
            } + [TypeSchema(name: "Alone", properties: [PropertySchema(name: "flag", kind: .bool)])])

    @Test(arguments: [(0, true), (1, true), (inheriting + 1, false)])
    func `a type with more objects than can be numbered fails the transaction`(table: Int, isLimited: Bool) throws {
        let workspace = Workspace(Version.empty(try StoreLayout(Self.schema)))
        let transaction = workspace.begin()
        // The numbers of 32 bits, shared, but for some that are kept back.
        let last = (1 << 32) / (Self.inheriting + 1) * 31 / 32 / 64 * 64 - 1
        try transaction.restore(ObjectID(table: table, slot: last, generation: 1))
        #expect(transaction.fault == nil)
        // A slot in the second page behind it: another one or two fit, as numbers are divided.
        try transaction.restore(ObjectID(table: table, slot: last + 129, generation: 1))
        let fault = transaction.fault
        #expect((fault?.code == .limit) == isLimited)
        #expect(fault?.location.type == (isLimited ? table == 0 ? "Base" : "Heir1" : nil))
    }
}
