import Testing

@testable import BanyanCore

@Suite("Size classes")
struct SizeClassTests {
    private static let sizes =
        Array(1...20_000) + (14...20).flatMap { e in [(1 << e) - 1, 1 << e, (1 << e) + 1] } + [1_000_003]

    @Test("The class of a size is the smallest that holds it, for nodes and for texts")
    func smallestClass() {
        let all = (1..<SizeClass.count).map { SizeClass(rawValue: UInt16($0)) }
        let sorted = all.sorted { $0.size < $1.size }
        let even = sorted.filter { !$0.isOdd }
        for size in Self.sizes where size <= SizeClass.maximumSize {
            #expect(SizeClass(size: size) == even.first { $0.size >= size }, "\(size)")
            #expect(SizeClass(text: size) == sorted.first { $0.size >= size }, "\(size)")
        }
    }

    @Test("No two classes have one size, and all but the odd ones are multiples of 16")
    func distinct() {
        let all = (1..<SizeClass.count).map { SizeClass(rawValue: UInt16($0)) }
        #expect(Set(all.map(\.size)).count == all.count)
        #expect(all.allSatisfy { $0.size % 16 == ($0.isOdd ? 8 : 0) })
        #expect(all.map(\.size).max() == SizeClass.maximumSize)
    }

    @Test("A page is rounded up by a 32nd at most")
    func waste() {
        for size in 1025...40_000 { #expect(SizeClass(size: size).size - size < size / 32 + 1, "\(size)") }
    }

    @Test("Over the largest class, pieces have none")
    func large() {
        #expect(SizeClass(size: SizeClass.maximumSize + 1) == .large)
        #expect(SizeClass(text: SizeClass.maximumSize + 1) == .large)
        #expect(SizeClass.large.size == 0)
    }
}
