import Testing

@testable import BenchKit

@Suite struct ThresholdsTests {
    private let thresholds = Thresholds(
        headroom: 0.05, operations: ["lookup": OperationCounts(instructions: 1_000, allocations: 1)])

    @Test func `What is within the headroom passes`() {
        let counts = ["lookup": OperationCounts(instructions: 1_049, allocations: 1)]
        #expect(thresholds.violations(counts).isEmpty)
    }

    @Test func `Too many instructions are named, with how much they are over`() {
        let counts = ["lookup": OperationCounts(instructions: 1_200, allocations: 1)]
        #expect(thresholds.violations(counts) == ["lookup: 1200 instructions, threshold 1000 (20 % over)"])
    }

    @Test func `One more allocation is one too many`() {
        let counts = ["lookup": OperationCounts(instructions: 900, allocations: 2)]
        #expect(thresholds.violations(counts) == ["lookup: 2 allocations, threshold 1 (100 % over)"])
    }

    @Test func `What has no threshold, and what is not measured any more, is told`() {
        let counts = ["set": OperationCounts(instructions: 1, allocations: 0)]
        #expect(
            thresholds.violations(counts) == ["set: has no threshold", "lookup: is not measured any more"])
    }

    @Test func `A part of callgrind's file gives instructions and calls of allocators`() {
        let part = CallgrindPart(
            """
            events: Ir
            fn=(1) main
            12 100
            cfn=(2) malloc
            calls=3 0
            12 600
            fn=(4) insert
            cfn=(5) swift_retain
            calls=50 0
            12 50
            cfn=(2)
            calls=4 0
            12 800
            cfn=(6) posix_memalign@@GLIBC_2.2.5
            calls=1 0
            12 10
            totals: 1560
            """)
        #expect(part.instructions == 1_560)
        #expect(part.allocations == 8)
    }
}
