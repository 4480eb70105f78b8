import BanyanPersistence

/// Decides, from a seed, what of the unflushed is on the device when the power goes.
///
/// Four manners are drawn: nothing arrived; everything did; things arrived in the order they were done, up to a moment;
/// or each sector and each directory entry took its chance alone. A file may also have grown without its data.
struct PowerCut {
    private enum Manner: CaseIterable {
        case nothing, everything, inOrder, atRandom
    }

    private static let sector = 512
    private var random: SeededGenerator
    private let manner: Manner

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        // Random order finds the most, so it is drawn as often as the others together.
        manner = [Manner.nothing, .everything, .inOrder, .atRandom, .atRandom, .atRandom].randomElement(using: &random)!
    }

    mutating func apply(to volume: SimulatedVolume) -> SimulatedVolume {
        var next = volume.rebooted(keepingCache: false)
        for (number, inode) in volume.inodes.sorted(by: { $0.key < $1.key }) {
            switch inode {
            case .file(var file):
                let pending = file.pending
                file.pending = []
                file.locks = [:]
                for change in surviving(pending) { apply(change, to: &file.device) }
                if manner == .atRandom, Bool.random(using: &random), file.cache.count > file.device.count {
                    // The new length was recorded, data or not.
                    SimulatedVolume.File.apply(.truncate(file.cache.count), to: &file.device)
                }
                file.cache = file.device
                next.inodes[number] = .file(file)
            case .directory(var directory):
                let pending = directory.pending
                directory.pending = []
                for change in surviving(pending) {
                    SimulatedVolume.Directory.apply(change, to: &directory.device)
                }
                directory.cache = directory.device
                next.inodes[number] = .directory(directory)
            }
        }
        return next
    }

    private mutating func surviving<Change>(_ changes: [Change]) -> [Change] {
        switch manner {
        case .nothing: return []
        case .everything: return changes
        case .inOrder: return Array(changes.prefix(Int.random(in: 0...changes.count, using: &random)))
        case .atRandom:
            // Contents are drawn again sector by sector, names are not: give those their chance here.
            if Change.self == SimulatedVolume.File.Change.self { return changes }
            var kept: [Change] = []
            for change in changes where Bool.random(using: &random) { kept.append(change) }
            return kept
        }
    }

    private mutating func apply(_ change: SimulatedVolume.File.Change, to content: inout [UInt8]) {
        guard manner == .atRandom else { return SimulatedVolume.File.apply(change, to: &content) }
        switch change {
        case .truncate:
            if Bool.random(using: &random) { SimulatedVolume.File.apply(change, to: &content) }
        case .write(let bytes, let offset):
            var start = 0
            while start < bytes.count {
                let end = min(((offset + start) / Self.sector + 1) * Self.sector - offset, bytes.count)
                if Bool.random(using: &random) {
                    SimulatedVolume.File.apply(.write(Array(bytes[start..<end]), at: offset + start), to: &content)
                }
                start = end
            }
        }
    }
}

/// A small generator with a seed (SplitMix64), so that a failing draw can be drawn again.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// Bytes that do not compress.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 32) }
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
