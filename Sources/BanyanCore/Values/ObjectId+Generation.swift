import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Making ids. What is random is drawn once, when the process makes its first id; after that an id costs one atomic
// addition and a look at the clock. A process that forks without exec'ing shares its random bytes and counter with the
// child, and must not let both make ids.

extension ObjectId {
    /// A new id, unlike any other made anywhere.
    ///
    /// Safe to call from any thread; takes no lock. Up to 2²⁴ ids a second from one process are distinct.
    public static func generate() -> ObjectId {
        ObjectId(timestamp: Date.now)
    }

    /// A new id that says it was made at `timestamp`, to the second, clamped to what 32 bits hold: 1970 to 2106.
    public init(timestamp: Date) {
        self.init(seconds: Self.seconds(of: timestamp), random: Self.processRandom, counter: Self.nextCount())
    }

    /// A new id whose five middle bytes are the low three of `machineId` and the low two of `processId`.
    public init(timestamp: Date, machineId: Int, processId: Int) {
        self.init(
            seconds: Self.seconds(of: timestamp),
            random: UInt64(truncatingIfNeeded: machineId & 0xff_ffff) << 16
                | UInt64(truncatingIfNeeded: processId & 0xffff),
            counter: Self.nextCount())
    }

    /// An id from its three parts: `random` counts by its low 40 bits, `counter` by its low 24.
    ///
    /// This is what a generator with its own clock and randomness builds upon.
    @inlinable
    package init(seconds: UInt32, random: UInt64, counter: UInt32) {
        let second = UInt32(truncatingIfNeeded: random >> 8)
        let third = UInt32(truncatingIfNeeded: random) << 24 | counter & 0xff_ffff
        self.init(words: (seconds, second, third))
    }

    /// When the id was made, to the second.
    public var timestamp: Date { Date(timeIntervalSince1970: Double(words.0)) }

    /// The seconds of an id made at `date`.
    package static func seconds(of date: Date) -> UInt32 {
        let seconds = date.timeIntervalSince1970
        // A date that is not a number is no date at all: it counts as the earliest.
        guard seconds >= 0 else { return 0 }
        return UInt32(exactly: seconds.rounded(.down)) ?? .max
    }

    private static let processRandom = UInt64.random(in: 0..<1 << 40)
    private static let counter = Atomic<UInt32>(.random(in: 0..<1 << 24))

    private static func nextCount() -> UInt32 { counter.wrappingAdd(1, ordering: .relaxed).oldValue }
}
