import Testing

@testable import BanyanCore

@Suite("Text cells")
struct TextTests {
    private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ count) } }

    @Test(
        "A block's cell tells its bytes and its birth", arguments: [16, 17, 24, 25, 120, 121, 4_000, 1 << 20, 16 << 20])
    func block(count: Int) {
        let arena = Arena()
        let memory = TransactionMemory(arena: arena, floor: 0)
        let text = bytes(count)
        let cell = text.withUnsafeBytes { memory.makeText($0.baseAddress!, count: count) }
        #expect(Text.isBlock(cell))
        #expect(Text.count(cell) == count)
        #expect(Text.birth(cell) == memory.serial)
        #expect(Text.withBytes(cell) { $0.elementsEqual(text) })
        #expect(text.withUnsafeBytes { Text.equal(cell, $0) })
        memory.rollback()
        #expect(arena.used == 0)
    }

    @Test(
        "A birth that does not fit is the highest that does",
        arguments: [0, 1, 0xFFFF, 0x1_0000, 1 << 32, 1 << 47 - 1, 1 << 47, .max] as [UInt64])
    func birth(_ birth: UInt64) {
        let block = UnsafeRawPointer(bitPattern: 0x7FFF_FFFF_FFF8)!
        let cell = Text.blockCell(block, count: Text.maximumCount, birth: birth)
        #expect(Text.birth(cell) == min(birth, 1 << 47 - 1))
        #expect(UnsafeRawPointer(Text.block(cell)) == block)
        #expect(Text.count(cell) == Text.maximumCount)
        #expect(Text.isBlock(cell))
    }

    @Test("A text is used again by the transaction that made it, and by others when its version is gone")
    func reuse() {
        let arena = Arena()
        let memory = TransactionMemory(arena: arena, floor: 0)
        let text = bytes(40)
        func make() -> Cell { text.withUnsafeBytes { memory.makeText($0.baseAddress!, count: 40) } }
        let first = make()
        memory.discard(text: first)
        let second = make()
        #expect(Text.block(first) == Text.block(second))
        memory.commit().free()
        #expect(arena.used == 40)

        memory.restart()
        memory.discard(text: second)
        let third = make()
        #expect(Text.block(third) != Text.block(second))
        let replaced = memory.commit()
        #expect(arena.used == 80)
        arena.giveBack(replaced)
        memory.restart()
        #expect(arena.used == 40)
        #expect(Text.block(make()) == Text.block(second))
        memory.rollback()
    }

    @Test("A fork leaves the texts of what it came from alone")
    func fork() {
        let memory = TransactionMemory(arena: Arena(), floor: 0)
        let text = bytes(40)
        func make(_ memory: TransactionMemory) -> Cell {
            text.withUnsafeBytes { memory.makeText($0.baseAddress!, count: 40) }
        }
        let inherited = make(memory)
        memory.commit().free()

        let arena = Arena()
        let forked = TransactionMemory(arena: arena, floor: TransactionMemory.nextSerial())
        let own = make(forked)
        forked.commit().free()
        forked.restart()
        forked.discard(text: inherited)
        forked.discard(text: own)
        arena.giveBack(forked.commit())
        arena.reclaim()
        #expect(arena.used == 0)
        #expect(Text.withBytes(inherited) { $0.elementsEqual(text) })
    }
}
