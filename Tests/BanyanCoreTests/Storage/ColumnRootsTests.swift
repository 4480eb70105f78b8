import Testing

@testable import BanyanCore

@Suite("Words that stand apart")
struct ColumnRootsTests {
    private let arena = Arena()
    private let layout = PageLayout(
        [
            .init(kind: nil, isOptional: false, flags: Column.other | Column.apart),
            .init(kind: .int, isOptional: true, flags: 0),
            .init(kind: nil, isOptional: false, flags: Column.other),
        ], slots: Page.slots)

    private func makePage(_ memory: TransactionMemory) -> UnsafeMutableRawPointer {
        let page = memory.allocate(layout.size)
        (page + 8).initializeMemory(as: UInt8.self, repeating: 0, count: layout.size - 8)
        return page
    }

    private func roots(_ column: Column, _ page: UnsafeRawPointer) -> [UInt64] {
        (0..<Page.slots).map { column.root(page, $0) }
    }

    @Test("A column that stands apart takes one word of the page")
    func layoutOfPage() {
        let columns = layout.columns
        #expect(columns.map(\.isApart) == [true, false, false])
        // The header, its address, a bitmap, two runs of 64 words.
        #expect(layout.size == (Page.firstColumn + 8 + 8 + 2 * 64 * 8 + 15) & ~15)
        #expect(Set(columns.map(\.valueOffset)).count == 3)
    }

    @Test("Words are read as they were set, and the other columns stay as they are", arguments: [0, 2])
    func setting(index: Int) {
        let memory = TransactionMemory(arena: arena, floor: 0)
        let page = makePage(memory)
        let column = layout.columns[index]
        var expected = [UInt64](repeating: 0, count: 64)
        #expect(roots(column, page) == expected)
        for (slot, word) in [(5, 9), (0, 1), (63, .max), (5, 0), (17, 0)] as [(Int, UInt64)] {
            column.setRoot(page, slot, word, memory)
            expected[slot] = word
            #expect(roots(column, page) == expected)
        }
        #expect(roots(layout.columns[2 - index], page) == Array(repeating: 0, count: 64))
        #expect((0..<64).allSatisfy { layout.columns[1].load(.int, page, $0).isNull })
        memory.rollback()
        #expect(arena.used == 0)
    }

    @Test("Nothing is allocated for words that are 0")
    func empty() {
        let memory = TransactionMemory(arena: arena, floor: 0)
        let page = makePage(memory)
        let used = arena.used
        layout.columns[0].setRoot(page, 3, 0, memory)
        #expect(layout.columns[0].rootsNode(page) == nil)
        #expect(arena.used == used)
        memory.rollback()
    }

    @Test("A copy of the page leaves the words of the page before as they were")
    func copied() {
        let memory = TransactionMemory(arena: arena, floor: 0)
        let column = layout.columns[0]
        let page = makePage(memory)
        column.setRoot(page, 1, 11, memory)
        memory.commit().free()
        let used = arena.used

        memory.restart()
        let copy = memory.writable(page, size: layout.size)
        column.setRoot(copy, 1, 11, memory)
        #expect(column.rootsNode(copy) == column.rootsNode(page))
        column.setRoot(copy, 1, 12, memory)
        column.setRoot(copy, 2, 13, memory)
        #expect([column.root(page, 1), column.root(page, 2)] == [11, 0])
        #expect([column.root(copy, 1), column.root(copy, 2)] == [12, 13])
        arena.giveBack(memory.commit())
        arena.reclaim()
        #expect(arena.used == used)
    }

    @Test("A loader fills in words of a node that other memory made, in place")
    func loading() {
        let (first, second) = (TransactionMemory(arena: arena, floor: 0), TransactionMemory(arena: arena, floor: 0))
        let column = layout.columns[0]
        let page = makePage(first)
        column.initializeRoot(page, 1, 11, first)
        let node = column.rootsNode(page)
        column.initializeRoot(page, 2, 12, second)
        #expect(column.rootsNode(page) == node)
        #expect([column.root(page, 1), column.root(page, 2)] == [11, 12])
        second.rollback()
        first.rollback()
        #expect(arena.used == 0)
    }
}
