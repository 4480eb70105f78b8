import Testing

@testable import BanyanCore

@Suite("Mapped memory")
struct MappedMemoryTests {
    @Test(
        "Pieces are aligned to their size, zero, apart, and can be given back in any order", arguments: [16, 64, 2048])
    func pieces(kibibytes: Int) {
        let size = kibibytes << 10
        var random = SplitMix(seed: UInt64(kibibytes))
        var held: [UnsafeMutableRawPointer] = []
        for _ in 0..<200 {
            if held.count > 20, Bool.random(using: &random), let i = held.indices.randomElement(using: &random) {
                MappedMemory.unmap(held.swapRemove(at: i), size)
                continue
            }
            let piece = MappedMemory.map(size)
            #expect(UInt(bitPattern: piece) % UInt(size) == 0)
            #expect(piece.load(as: UInt64.self) == 0)
            #expect(piece.load(fromByteOffset: size - 8, as: UInt64.self) == 0)
            piece.storeBytes(of: .max, as: UInt64.self)
            piece.storeBytes(of: .max, toByteOffset: size - 8, as: UInt64.self)
            held.append(piece)
        }
        held.sort()
        for (a, b) in zip(held, held.dropFirst()) { #expect(a + size <= b) }
        for piece in held { MappedMemory.unmap(piece, size) }
    }
}

extension Array {
    fileprivate mutating func swapRemove(at index: Int) -> Element {
        swapAt(index, count - 1)
        return removeLast()
    }
}
