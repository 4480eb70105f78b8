import BanyanCore

/// A part of a commit's payload, read in order. Where the payload lies in a file, only a window of it is in memory.
///
/// What is read in one step must be in the window as a whole. A step that finds the window too short fails; the window is
/// then made larger, and the step is done again from its start. So a step costs no more than before where all is in memory,
/// and the window grows only as large as the largest step needs: one object with its values.
///
/// The reader's pointers lead into the window, or into memory that outlives the stream: see `ChangeSetCodec.withStreams`.
final class PayloadStream {
    private static let windowSize = 256 << 10

    private let payload: PlacedPayload?
    private let source: PlacedPayloadReader?
    private let window: Scratch?
    private var reader: PayloadReader
    /// Where the part ends in the payload, and how much of it is not in the window yet.
    private let end: Int
    private var unread: Int
    /// Why the file could not be read.
    private(set) var failure: BanyanError?

    /// A part that is in memory.
    private init(_ reader: PayloadReader) {
        payload = nil
        source = nil
        window = nil
        self.reader = reader
        end = reader.remaining
        unread = 0
    }

    convenience init(_ bytes: UnsafeRawBufferPointer) { self.init(PayloadReader(bytes)) }

    /// A part that is in a file.
    init(_ payload: PlacedPayload, _ range: Range<Int>) throws(BanyanError) {
        self.payload = payload
        source = try PlacedPayloadReader(payload, at: range.lowerBound)
        let window = Scratch(capacity: Self.windowSize)
        self.window = window
        reader = PayloadReader(window.bytes)
        end = range.upperBound
        unread = range.count
    }

    var remaining: Int { reader.remaining + unread }

    /// One that stands where this one does, and goes its own way.
    func fork() throws(PayloadFault) -> PayloadStream { try part(remaining) }

    /// The next bytes as a part of their own; this one stays where it is.
    func part(_ count: Int) throws(PayloadFault) -> PayloadStream {
        guard count <= remaining else { throw PayloadReader.short() }
        guard let payload else {
            var reader = reader
            return PayloadStream(try reader.bytes(count))
        }
        let start = end - remaining
        do throws(BanyanError) {
            return try PayloadStream(payload, start..<start + count)
        } catch {
            throw fail(error)
        }
    }

    /// The rest behind so many bytes.
    func part(behind count: Int) throws(PayloadFault) -> PayloadStream {
        guard count <= remaining else { throw PayloadReader.short() }
        guard let payload else {
            var reader = reader
            _ = try reader.bytes(count)
            return PayloadStream(reader)
        }
        do throws(BanyanError) {
            return try PayloadStream(payload, end - remaining + count..<end)
        } catch {
            throw fail(error)
        }
    }

    // MARK: - Reading

    /// Reads something; `body` may be called again, and must start from nothing each time.
    func read<R>(_ body: (inout PayloadReader) throws(PayloadFault) -> R) throws(PayloadFault) -> R {
        try fillIfLow()
        while true {
            var attempt = reader
            do throws(PayloadFault) {
                let result = try body(&attempt)
                reader = attempt
                return result
            } catch {
                guard try widen() else { throw error }
            }
        }
    }

    /// Reads something that stands in two parts.
    func read<R>(
        with other: PayloadStream, _ body: (inout PayloadReader, inout PayloadReader) throws(PayloadFault) -> R
    ) throws(PayloadFault) -> R {
        try fillIfLow()
        try other.fillIfLow()
        while true {
            var attempt = reader
            var otherAttempt = other.reader
            do throws(PayloadFault) {
                let result = try body(&attempt, &otherAttempt)
                reader = attempt
                other.reader = otherAttempt
                return result
            } catch {
                let isWider = try widen()
                guard try other.widen() || isWider else { throw error }
            }
        }
    }

    /// How many items follow, each of which takes `size` bytes at least.
    func count(ofItemsOf size: Int = 1) throws(PayloadFault) -> Int {
        let value = try read { reader throws(PayloadFault) in try reader.varint() }
        guard value <= UInt64(remaining / size) else {
            throw PayloadFault("\(value) items are announced, and \(remaining) bytes are left")
        }
        return Int(truncatingIfNeeded: value)
    }

    /// The last thing to be read.
    func finish() throws(PayloadFault) {
        guard remaining == 0 else { throw PayloadFault("\(remaining) bytes follow the end") }
    }

    // MARK: - The window

    @inline(__always)
    private func fillIfLow() throws(PayloadFault) {
        if unread > 0, reader.remaining < Self.windowSize / 4 { try fill(Self.windowSize) }
    }

    /// Whether there was anything to add.
    private func widen() throws(PayloadFault) -> Bool {
        guard unread > 0 else { return false }
        try fill(2 * reader.remaining + Self.windowSize)
        return true
    }

    /// Moves what is left of the window to its start, and reads on until it holds so many bytes.
    private func fill(_ size: Int) throws(PayloadFault) {
        guard let window, let source else { return }
        let kept = UnsafeRawBufferPointer(start: reader.position, count: reader.remaining)
        UnsafeMutableRawBufferPointer(start: window.base, count: kept.count).copyMemory(from: kept)
        window.count = kept.count
        window.reserve(size)
        reader = PayloadReader(window.bytes)
        let wanted = min(size - kept.count, unread)
        let room = UnsafeMutableRawBufferPointer(start: window.base + kept.count, count: wanted)
        let count: Int
        do throws(BanyanError) {
            count = try source.read(into: room)
        } catch {
            throw fail(error)
        }
        guard count == wanted else { throw PayloadReader.short() }
        window.count += wanted
        unread -= wanted
        reader = PayloadReader(window.bytes)
    }

    private func fail(_ error: BanyanError) -> PayloadFault {
        failure = failure ?? error
        return PayloadFault("the file cannot be read")
    }
}
