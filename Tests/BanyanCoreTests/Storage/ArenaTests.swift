import Testing

@testable import BanyanCore

@Suite("Arena")
struct ArenaTests {
    @Test("Pieces are aligned, do not overlap, and are used again")
    func pieces() {
        let arena = Arena()
        var random = SplitMix(seed: 1)
        var held: [(address: UInt, piece: Arena.Piece, size: Int)] = []
        for step in 0..<20_000 {
            if step % 3 == 2, let i = held.indices.randomElement(using: &random) {
                arena.deallocate(held.remove(at: i).piece)
                continue
            }
            let count = Int.random(in: 16...160, using: &random)
            let c = step % 2 == 0 ? SizeClass(text: count) : SizeClass(size: count)
            let piece = arena.allocate(c, size: count)
            let address = UInt(bitPattern: piece)
            #expect(address % (c.isOdd ? 8 : 16) == 0)
            piece.initializeMemory(as: UInt8.self, repeating: 0xAB, count: c.size)
            held.append((address, Arena.pack(piece, c), c.size))
        }
        held.sort { $0.address < $1.address }
        for (a, b) in zip(held, held.dropFirst()) { #expect(a.address + UInt(a.size) <= b.address) }
        #expect(arena.used == held.reduce(0) { $0 + $1.size })

        let reserved = arena.reserved
        for entry in held { arena.deallocate(entry.piece) }
        #expect(arena.used == 0)
        for entry in held {
            let c = SizeClass(rawValue: UInt16(entry.piece >> 48))
            _ = arena.allocate(c, size: c.size)
        }
        #expect(arena.reserved == reserved)
    }

    @Test("What an arena takes over from another one it gives out again")
    func absorb() {
        let (arena, other) = (Arena(), Arena())
        let odd = SizeClass(text: 40)
        let piece = other.allocate(odd, size: 40)
        other.deallocate(Arena.pack(piece, odd))
        arena.absorb(other)
        #expect([arena.allocate(odd, size: 40), arena.allocate(odd, size: 40)].contains(piece))
    }
}
