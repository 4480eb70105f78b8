/// A condition on the bytes of a text. Operands live outside the Swift heap's reference counting, so that a loop over a
/// column touches nothing but the texts and these few words.
struct TextMatcher: Sendable {
    enum Operation: Sendable {
        case equal(EqualMatcher)
        case among(AmongMatcher)
        case beginsWith(PrefixMatcher)
        case endsWith(SuffixMatcher)
        case contains(ContainsMatcher)
        case like(LikePattern)
        case between(IntervalMatcher)
    }

    let operation: Operation
    let options: TextOptions

    init(_ test: TextTest) {
        options = test.options
        operation =
            switch test.operation {
            case .equal(let bytes): .equal(EqualMatcher(needle: Needle(bytes)))
            case .among(let several): .among(AmongMatcher(needles: several.map(Needle.init)))
            case .beginsWith(let bytes): .beginsWith(PrefixMatcher(needle: Needle(bytes)))
            case .endsWith(let bytes): .endsWith(SuffixMatcher(needle: Needle(bytes)))
            case .contains(let bytes): .contains(ContainsMatcher(needle: Needle(bytes)))
            case .like(let pattern): .like(pattern)
            case .between(let lower, let upper):
                .between(
                    IntervalMatcher(
                        lower: lower.map { Needle($0.bytes) }, upper: upper.map { Needle($0.bytes) },
                        includesLower: lower?.isIncluded ?? true, includesUpper: upper?.isIncluded ?? true))
            }
    }

    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        options.isEmpty ? matchesPlainly(bytes) : TextFolding.withFolded(bytes, options) { matchesPlainly($0) }
    }

    private func matchesPlainly(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch operation {
        case .equal(let matcher): matcher.matches(bytes)
        case .among(let matcher): matcher.matches(bytes)
        case .beginsWith(let matcher): matcher.matches(bytes)
        case .endsWith(let matcher): matcher.matches(bytes)
        case .contains(let matcher): matcher.matches(bytes)
        case .like(let pattern): pattern.matches(bytes)
        case .between(let matcher): matcher.matches(bytes)
        }
    }
}

/// Bytes that stay where they are for as long as anybody matches against them.
final class Needle: @unchecked Sendable {
    // Sound: never written after init.
    let start: UnsafeRawPointer
    let count: Int

    init(_ bytes: [UInt8]) {
        // Room to load a word at any byte.
        let copy = UnsafeMutableRawPointer.allocate(byteCount: bytes.count + 16, alignment: 16)
        copy.initializeMemory(as: UInt8.self, repeating: 0, count: bytes.count + 16)
        bytes.withUnsafeBytes { copy.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(copy), byteCount: $0.count) }
        start = UnsafeRawPointer(copy)
        count = bytes.count
    }

    deinit { start.deallocate() }

    var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
}

struct EqualMatcher: Sendable {
    let needle: Needle

    @inline(__always)
    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count == needle.count && isEqual(bytes.baseAddress, needle.start, needle.count)
    }
}

struct PrefixMatcher: Sendable {
    let needle: Needle

    @inline(__always)
    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= needle.count && isEqual(bytes.baseAddress, needle.start, needle.count)
    }
}

struct SuffixMatcher: Sendable {
    let needle: Needle

    @inline(__always)
    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= needle.count
            && isEqual(bytes.baseAddress.map { $0 + (bytes.count - needle.count) }, needle.start, needle.count)
    }
}

struct AmongMatcher: Sendable {
    /// Sorted.
    let needles: [Needle]

    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var low = 0
        var high = needles.count
        while low < high {
            let middle = (low &+ high) >> 1
            let order = Text.compare(needles[middle].buffer, bytes)
            if order == 0 { return true }
            if order < 0 { low = middle &+ 1 } else { high = middle }
        }
        return false
    }
}

struct IntervalMatcher: Sendable {
    let lower: Needle?
    let upper: Needle?
    let includesLower: Bool
    let includesUpper: Bool

    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let lower {
            let order = Text.compare(bytes, lower.buffer)
            if order < 0 || order == 0 && !includesLower { return false }
        }
        if let upper {
            let order = Text.compare(bytes, upper.buffer)
            if order > 0 || order == 0 && !includesUpper { return false }
        }
        return true
    }
}

@inline(__always)
func isEqual(_ a: UnsafeRawPointer?, _ b: UnsafeRawPointer, _ count: Int) -> Bool {
    guard count > 0, let a else { return count == 0 }
    return bytesCompare(a, b, count) == 0
}
