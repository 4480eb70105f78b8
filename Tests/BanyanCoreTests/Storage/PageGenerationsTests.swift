import Testing

@testable import BanyanCore

@Suite("Generations of a page")
struct PageGenerationsTests {
    private let arena = Arena()

    /// A page without columns.
    private func makePage(_ memory: TransactionMemory) -> UnsafeMutableRawPointer {
        let page = memory.allocate(Page.firstColumn)
        (page + 8).initializeMemory(as: UInt8.self, repeating: 0, count: Page.firstColumn - 8)
        return page
    }

    private func generations(_ page: UnsafeRawPointer) -> [UInt32] {
        (0..<Page.slots).map { Page.generation(page, $0) }
    }

    @Test("As long as all slots agree, the header says it all")
    func common() {
        let memory = TransactionMemory(arena: arena, floor: 0)
        let page = makePage(memory)
        #expect(generations(page) == Array(repeating: 0, count: 64))
        Page.setCommonGeneration(page, 7)
        Page.setGeneration(page, 3, 7, memory)
        #expect(Page.generationsNode(page) == nil)
        #expect(generations(page) == Array(repeating: 7, count: 64))
        memory.rollback()
    }

    @Test("A slot that differs does not change the others")
    func different() {
        let memory = TransactionMemory(arena: arena, floor: 0)
        let page = makePage(memory)
        var expected = [UInt32](repeating: 5, count: 64)
        Page.setCommonGeneration(page, 5)
        for (slot, generation) in [(0, 6), (63, .max), (31, 0), (0, 7)] as [(Int, UInt32)] {
            Page.setGeneration(page, slot, generation, memory)
            expected[slot] = generation
            #expect(generations(page) == expected)
        }
        memory.rollback()
        #expect(arena.used == 0)
    }

    @Test("A copy of the page leaves the generations of the page before as they were")
    func copied() {
        let memory = TransactionMemory(arena: arena, floor: 0)
        let page = makePage(memory)
        Page.setGeneration(page, 1, 1, memory)
        memory.commit().free()
        let used = arena.used

        memory.restart()
        let copy = memory.writable(page, size: Page.firstColumn)
        #expect(Page.generationsNode(copy) == Page.generationsNode(page))
        Page.setGeneration(copy, 2, 9, memory)
        #expect(Page.generation(page, 2) == 0)
        #expect(Page.generation(copy, 1) == 1)
        #expect(Page.generation(copy, 2) == 9)
        arena.giveBack(memory.commit())
        arena.reclaim()
        #expect(arena.used == used)
        #expect(Page.generation(copy, 2) == 9)
    }

    @Test(
        "A page gets the generations that a file has", arguments: [[0], [4], [4, 0], [0, 1, 2, .max]] as [[UInt32]])
    func loaded(pattern: [UInt32]) {
        let memory = TransactionMemory(arena: arena, floor: 0)
        let page = makePage(memory)
        let source = (0..<Page.slots).map { pattern[$0 % pattern.count] }
        source.withUnsafeBufferPointer { Page.setGenerations(page, from: $0.baseAddress!, memory) }
        #expect(generations(page) == source)
        #expect((Page.generationsNode(page) == nil) == (pattern.count == 1))
        memory.rollback()
    }
}
