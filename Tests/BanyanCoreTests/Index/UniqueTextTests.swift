import BanyanCore
import Testing

@Suite struct UniqueTextTests {
    private static let schema = Schema(types: [
        TypeSchema(
            name: "Seat",
            properties: [
                PropertySchema(name: "label", kind: .string, index: .ordered, isUnique: true),
                PropertySchema(name: "row", kind: .int8),
                PropertySchema(name: "seat", kind: .string, isOptional: true),
            ], indexes: [CompoundIndex(["row", "seat"], isUnique: true)])
    ])

    /// Texts of more than 15 bytes are told apart by their objects, not by what the index has of them.
    @Test(arguments: [1, 2, 14, 15, 16, 17, 40, 2_000], [[0], [1, 2]])
    func `a text that another object has, alone or with other values, is found, however long it is`(
        length: Int, columns: [Int]
    ) throws {
        let workspace = Workspace(Version.empty(try StoreLayout(Self.schema)))
        let transaction = workspace.begin()
        let text = Value.string(String(repeating: "y", count: length))
        var seats: [ObjectID] = []
        for number in 0..<3 {
            let seat = transaction.create(0)
            transaction.initializeIndexes(seat)
            transaction.setValue(seat, 0, .string("a label of its own \(number)"))
            transaction.setValue(seat, 2, .string("a seat of its own \(number)"))
            seats.append(seat)
        }
        #expect(transaction.takeViolation() == nil)
        transaction.setValue(seats[0], columns[columns.count - 1], text)
        #expect(transaction.takeViolation() == nil)
        transaction.setValue(seats[1], columns[columns.count - 1], text)
        #expect(transaction.takeViolation()?.code == .constraint)
        transaction.setValue(seats[1], columns[columns.count - 1], .string("another one, also long"))
        #expect(transaction.takeViolation() == nil)
    }
}
