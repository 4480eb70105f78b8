/// A condition on the bytes of a text. Operands live outside the Swift heap's reference counting, so that a loop over a
/// column touches nothing but the texts and these few words.
protocol BytesMatcher: Sendable {
    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool
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

struct EqualMatcher: BytesMatcher {
    let needle: Needle

    @inline(__always)
    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count == needle.count && isEqual(bytes.baseAddress, needle.start, needle.count)
    }
}

struct PrefixMatcher: BytesMatcher {
    let needle: Needle

    @inline(__always)
    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= needle.count && isEqual(bytes.baseAddress, needle.start, needle.count)
    }
}

struct SuffixMatcher: BytesMatcher {
    let needle: Needle

    @inline(__always)
    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= needle.count
            && isEqual(bytes.baseAddress.map { $0 + (bytes.count - needle.count) }, needle.start, needle.count)
    }
}

struct AmongMatcher: BytesMatcher {
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

struct IntervalMatcher: BytesMatcher {
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

struct LikeMatcher: BytesMatcher {
    let pattern: LikePattern

    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool { pattern.matches(bytes) }
}

/// Folds the text first; the operand of `inner` is folded already.
struct FoldedMatcher<Inner: BytesMatcher>: BytesMatcher {
    let inner: Inner
    let options: TextOptions

    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        TextFolding.withFolded(bytes, options) { inner.matches($0) }
    }
}

@inline(__always)
func isEqual(_ a: UnsafeRawPointer?, _ b: UnsafeRawPointer, _ count: Int) -> Bool {
    guard count > 0, let a else { return count == 0 }
    return bytesCompare(a, b, count) == 0
}

// MARK: - Making them

/// Gets the matcher of a test with its concrete type, so that what is made of it is specialised.
protocol MatcherUse {
    associatedtype Result
    func use<M: BytesMatcher>(_ matcher: M) -> Result
}

struct TextCellTestMaker: MatcherUse {
    func use<M: BytesMatcher>(_ matcher: M) -> any CellTest { TextCellTest(matcher: matcher) }
}

extension TextTest {
    func withMatcher<U: MatcherUse>(_ use: U) -> U.Result {
        switch operation {
        case .equal(let bytes): folded(EqualMatcher(needle: Needle(bytes)), use)
        case .among(let several): folded(AmongMatcher(needles: several.map(Needle.init)), use)
        case .beginsWith(let bytes): folded(PrefixMatcher(needle: Needle(bytes)), use)
        case .endsWith(let bytes): folded(SuffixMatcher(needle: Needle(bytes)), use)
        case .contains(let bytes): folded(ContainsMatcher(needle: Needle(bytes)), use)
        case .like(let pattern): folded(LikeMatcher(pattern: pattern), use)
        case .between(let lower, let upper):
            folded(
                IntervalMatcher(
                    lower: lower.map { Needle($0.bytes) }, upper: upper.map { Needle($0.bytes) },
                    includesLower: lower?.isIncluded ?? true, includesUpper: upper?.isIncluded ?? true), use)
        }
    }

    private func folded<M: BytesMatcher, U: MatcherUse>(_ matcher: M, _ use: U) -> U.Result {
        options.isEmpty ? use.use(matcher) : use.use(FoldedMatcher(inner: matcher, options: options))
    }
}
