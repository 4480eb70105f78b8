import Foundation
import CBench

/// What the machine can do at most, measured in the same run, so that figures of different machines can be compared.
enum Limits {
    static func measure(_ directory: String, isSmoke: Bool) throws -> [String: Double] {
        let size = isSmoke ? 8 << 20 : 256 << 20
        var limits: [String: Double] = [:]
        limits["memcpy, GB/s"] = memoryCopy(size)
        limits["dependent random load, ns"] = randomLoad(size / 8)
        (limits["LZ4 in, GB/s"], limits["LZ4 out, GB/s"]) = compression(size / 4)
        let disk = try RawDisk("\(directory)/limits")
        let appends = isSmoke ? 20 : 2_000
        limits["append 512 B and fdatasync, /s"] =
            Double(appends) / (try Clock.wall.seconds { for _ in 0..<appends { try disk.append(512) } })
        limits["sequential write and flush, GB/s"] =
            Double(size) / 1e9 / (try Clock.wall.seconds { try disk.fill(size) })
        return limits
    }

    private static func memoryCopy(_ size: Int) -> Double {
        let source = [UInt8](repeating: 7, count: size)
        var target = [UInt8](repeating: 0, count: size)
        let times = (0..<5).map { _ in
            Clock.processor.seconds {
                source.withUnsafeBytes { from in target.withUnsafeMutableBytes { $0.copyMemory(from: from) } }
            }
        }
        keep(target)
        return Double(size) / 1e9 / median(times)
    }

    /// Each load says where the next one is, in one cycle through all.
    private static func randomLoad(_ count: Int) -> Double {
        var next = Array(0..<count)
        var random = SplitMix64()
        for i in stride(from: count - 1, to: 0, by: -1) { next.swapAt(i, random.below(i)) }
        let loads = min(count, 4_000_000)
        var position = 0
        let seconds = Clock.processor.seconds { for _ in 0..<loads { position = next[position] } }
        keep(position)
        return seconds / Double(loads) * 1e9
    }

    /// Rows as a table of persons has them: some text, some numbers.
    private static func compression(_ size: Int) -> (in: Double, out: Double) {
        var source = SampleSource(size / 64)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 64)
        var i = 0
        while bytes.count < size {
            let person = source.person(i)
            bytes.append(contentsOf: person.name.utf8)
            bytes.append(contentsOf: (person.email ?? "").utf8)
            withUnsafeBytes(of: person.score) { bytes.append(contentsOf: $0) }
            bytes.append(UInt8(person.age))
            i += 1
        }
        let raw = bytes.map { CChar(bitPattern: $0) }
        var packed = [CChar](repeating: 0, count: Int(LZ4_compressBound(Int32(raw.count))))
        var unpacked = raw
        var length: Int32 = 0
        let (capacity, room) = (Int32(packed.count), Int32(unpacked.count))
        let pack = (0..<3).map { _ in
            Clock.processor.seconds { length = LZ4_compress_default(raw, &packed, Int32(raw.count), capacity) }
        }
        let unpack = (0..<3).map { _ in
            Clock.processor.seconds { keep(LZ4_decompress_safe(packed, &unpacked, length, room)) }
        }
        keep(unpacked)
        return (Double(raw.count) / 1e9 / median(pack), Double(raw.count) / 1e9 / median(unpack))
    }
}
