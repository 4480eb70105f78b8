import Testing

@testable import BanyanCore

/// The hash cannot be right or wrong, only good or bad: these hold it to what a random function would do, with
/// margins of six standard deviations or more, and fixed seeds, so that they never fail by chance.
@Suite("KeyHash")
struct KeyHashTests {
    static let seeds: [UInt64] = [0, 1, 0x5eed, 0x9e37_79b9_7f4a_7c15, .max]

    /// How far, over all pairs of an input and an output bit, the share of flips strays from one half.
    private func worstBias(bits: Int, samples: Int, hash: (_ flipping: Int?, _ sample: Int) -> UInt64) -> Double {
        var flips = [Int32](repeating: 0, count: bits * 64)
        for sample in 0..<samples {
            let original = hash(nil, sample)
            for bit in 0..<bits {
                var difference = original ^ hash(bit, sample)
                while difference != 0 {
                    flips[bit * 64 + difference.trailingZeroBitCount] += 1
                    difference &= difference - 1
                }
            }
        }
        return flips.map { abs(Double($0) / Double(samples) - 0.5) }.max() ?? 1
    }

    /// The chi-squared statistic of the keys' distribution over buckets, as standard deviations from its mean.
    private func deviation(buckets: Int, _ hashes: some Sequence<UInt64>, bucket: (UInt64) -> Int) -> Double {
        var counts = [Int](repeating: 0, count: buckets)
        var total = 0
        for hash in hashes {
            counts[bucket(hash)] += 1
            total += 1
        }
        let mean = Double(total) / Double(buckets)
        let chiSquared = counts.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) / mean }
        return (chiSquared - Double(buckets - 1)) / (2 * Double(buckets - 1)).squareRoot()
    }

    private func hash(_ bytes: [UInt8], seed: UInt64) -> UInt64 {
        bytes.withUnsafeBytes { KeyHash.hash(bytes: $0, seed: seed) }
    }

    @Test("Flipping any bit of an integer flips every bit of the hash half of the time", arguments: seeds)
    func integerAvalanche(seed: UInt64) {
        for stride in [1 as UInt64, 0x9e37_79b9_7f4a_7c15] {
            let bias = worstBias(bits: 64, samples: 2048) { bit, sample in
                let value = UInt64(sample) &* stride
                return KeyHash.hash(value ^ (bit.map { 1 << UInt64($0) } ?? 0), seed: seed)
            }
            #expect(bias < 0.07, "stride \(stride)")
        }
    }

    @Test(
        "Flipping any bit of 16 bytes flips every bit of the hash half of the time",
        arguments: [0, 0x5eed] as [UInt64])
    func pairAvalanche(seed: UInt64) {
        let bias = worstBias(bits: 128, samples: 2048) { bit, sample in
            let value = UInt128(sample) &* 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835 ^ (bit.map { 1 << $0 } ?? 0)
            return KeyHash.hash(
                UInt64(truncatingIfNeeded: value), UInt64(truncatingIfNeeded: value >> 64), seed: seed)
        }
        #expect(bias < 0.07)
    }

    @Test("Flipping any bit of a seed flips every bit of the hash half of the time")
    func seedAvalanche() {
        let bias = worstBias(bits: 64, samples: 4096) { bit, sample in
            KeyHash.hash(UInt64(sample), seed: 0x5eed ^ (bit.map { 1 << UInt64($0) } ?? 0))
        }
        #expect(bias < 0.05)
    }

    @Test(
        "Flipping any bit of a text flips every bit of the hash half of the time",
        arguments: [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 65])
    func textAvalanche(count: Int) {
        // Few short texts exist, so the seed varies as well.
        let bias = worstBias(bits: count * 8, samples: 768) { bit, sample in
            var bytes = (0..<count).map { UInt8(truncatingIfNeeded: 97 + sample >> ($0 % 8) ^ $0) }
            if let bit { bytes[bit / 8] ^= 1 << UInt8(bit % 8) }
            return hash(bytes, seed: UInt64(sample) &* 0xd134_2543_de82_ef95)
        }
        #expect(bias < 0.12)
    }

    @Test(
        "A million integers in sequence do not collide, and fill buckets evenly by any of their bits",
        arguments: [1, 8, 1 << 32] as [UInt64])
    func sequentialIntegers(stride: UInt64) {
        let hashes = (0..<1_000_000 as Range<UInt64>).map { KeyHash.hash($0 &* stride, seed: 0x5eed) }
        #expect(Set(hashes).count == 1_000_000)
        #expect(abs(deviation(buckets: 1 << 14, hashes) { Int($0 >> 50) }) < 6, "top bits")
        #expect(abs(deviation(buckets: 1 << 14, hashes) { Int($0 & 0x3fff) }) < 6, "low bits")
        #expect(abs(deviation(buckets: 1 << 14, hashes) { Int($0 >> 25 & 0x3fff) }) < 6, "bits in the middle")
    }

    @Test("A million keys such as user-123 do not collide, and fill buckets evenly")
    func numberedTexts() {
        let hashes = (0..<1_000_000).map { hash(Array("user-\($0)".utf8), seed: 0x5eed) }
        #expect(Set(hashes).count == 1_000_000)
        #expect(abs(deviation(buckets: 1 << 14, hashes) { Int($0 >> 50) }) < 6)
        #expect(abs(deviation(buckets: 1 << 14, hashes) { Int($0 & 0x3fff) }) < 6)
    }

    @Test("Short texts do not collide, whatever their lengths", arguments: seeds)
    func shortTexts(seed: UInt64) {
        var hashes: Set<UInt64> = [hash([], seed: seed)]
        var count = 1
        for a in UInt8.min...UInt8.max {
            hashes.insert(hash([a], seed: seed))
            count += 1
            for b in UInt8.min...UInt8.max {
                hashes.insert(hash([a, b], seed: seed))
                hashes.insert(hash([a, b, a], seed: seed))
                hashes.insert(hash([b, 0, a, b], seed: seed))
                count += 3
            }
        }
        // Runs of one byte, where only the length tells texts apart.
        for length in 5...300 {
            hashes.insert(hash([UInt8](repeating: 0, count: length), seed: seed))
            hashes.insert(hash([UInt8](repeating: 255, count: length), seed: seed))
            count += 2
        }
        #expect(hashes.count == count)
    }

    @Test("Every byte counts, and so does its place")
    func everyByte() {
        for length in 1...150 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            var hashes: Set<UInt64> = [hash(bytes, seed: 3)]
            for index in 0..<length {
                var changed = bytes
                changed[index] ^= 0x40
                hashes.insert(hash(changed, seed: 3))
            }
            #expect(hashes.count == length + 1, "length \(length)")
            if length % 16 == 0 && length > 16 {
                let swapped = bytes[16...] + bytes[..<16]
                #expect(hash(Array(swapped), seed: 3) != hash(bytes, seed: 3), "length \(length)")
            }
        }
    }

    @Test("The address of the bytes does not count")
    func alignment() {
        let text = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for length in 0...150 {
            let expected = hash(Array(text[..<length]), seed: 9)
            for shift in 0..<16 {
                let padded = [UInt8](repeating: 0xee, count: shift) + text
                let found = padded.withUnsafeBytes {
                    KeyHash.hash(bytes: UnsafeRawBufferPointer(rebasing: $0[shift..<shift + length]), seed: 9)
                }
                #expect(found == expected, "length \(length) at \(shift)")
            }
        }
        #expect(KeyHash.hash(bytes: UnsafeRawBufferPointer(start: nil, count: 0), seed: 9) == hash([], seed: 9))
    }

    @Test("Seeds give unrelated hashes")
    func seedsDiffer() {
        let keys = 0..<10_000 as Range<UInt64>
        let hashes = Self.seeds.flatMap { seed in keys.map { KeyHash.hash($0, seed: seed) } }
        #expect(Set(hashes).count == hashes.count)
        // Keys that share a bucket under one seed do not share one under another.
        let shared = keys.filter { KeyHash.hash($0, seed: 1) >> 58 == 0 }
        #expect(abs(deviation(buckets: 64, shared.map { KeyHash.hash($0, seed: 2) }) { Int($0 >> 58) }) < 6)
    }

    @Test("Hashes stay what they are, because files hold them")
    func fixed() {
        #expect(KeyHash.hash(0, seed: 0) == 883_392_977_138_398_067)
        #expect(KeyHash.hash(1, 2, seed: 3) == 7_169_399_037_595_534_384)
        #expect(hash([], seed: 1) == 15_730_850_965_488_437_916)
        #expect(hash(Array("banyan".utf8), seed: 1) == 2_262_003_447_992_688_940)
        #expect(hash(Array(0..<100), seed: 1) == 8_123_288_730_302_399_311)
    }
}
