import BanyanCore
import Testing

@Suite("Memory of an object")
struct ObjectMemoryTests {
    /// The bytes of eight values, stored as they stand.
    private static let kinds: [ValueKind] = [.int, .int, .double, .date, .bool, .int32, .string, .uuid]

    @Test("Eight scalar properties take at most twice the bytes of their values and 40 more", arguments: [false, true])
    func scalars(_ areOptional: Bool) throws {
        let properties = Self.kinds.enumerated().map { i, kind in
            PropertySchema(name: "p\(i)", kind: kind, isOptional: areOptional)
        }
        let layout = try StoreLayout(Schema(types: [TypeSchema(name: "Eight", properties: properties)]))
        let workspace = Workspace(Version.empty(layout))
        let transaction = workspace.begin()
        let objects = 64 * 1024
        for _ in 0..<objects { _ = transaction.create(0) }
        let version = try #require(workspace.commit(sequence: 1, time: 0))
        let values = Self.kinds.reduce(0) { $0 + $1.width }
        let taken = Double(layout.tables[0].page.size) / Double(Page.slots)
        #expect(taken <= Double(2 * values + 40))
        // Pages are what objects take: so many of them, and no more.
        #expect(version.view.pageCount(0) == objects / Page.slots)
    }

    @Test("A subtype pays for its own properties only, and its supertype for none of them")
    func inheritance() throws {
        let own = PropertySchema(name: "a", kind: .int)
        let base = TypeSchema(name: "Base", properties: [own])
        let wide = TypeSchema(
            name: "Wide", superclass: "Base",
            properties: [own] + (0..<20).map { PropertySchema(name: "w\($0)", kind: .int) })
        let alone = try StoreLayout(Schema(types: [base]))
        let both = try StoreLayout(Schema(types: [base, wide]))
        #expect(both.tables[0].page.size == alone.tables[0].page.size)
        #expect(both.tables[1].page.size - both.tables[0].page.size <= 20 * 8 * Page.slots + 16)
        #expect(both.tables[1].page.columns[0].valueOffset == both.tables[0].page.columns[0].valueOffset)
    }
}
