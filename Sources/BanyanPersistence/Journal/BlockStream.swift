import BanyanCore

/// Decodes one LZ4 block from front to back in little memory: what was decoded last is kept as far back as a match reaches,
/// and no more. The library decodes a block only as a whole, and the block of a large commit is as large as the commit.
///
/// A block is a row of sequences: a token with two lengths, literals, and a match, which repeats bytes that were decoded
/// before. Both lengths go on in further bytes when they fill their half of the token. The last sequence has no match.
///
/// The bytes may be anything. Every copy is checked against what is there and against the room there is: pointers into
/// `output` are made from counts that lie within its capacity, and live no longer than the copy.
struct BlockStream {
    private enum Step {
        case token
        case literals(Int)
        case distance
        case match(distance: Int, count: Int)
        case end
    }

    /// How far back a match reaches.
    private static let history = 65_535
    private static let capacity = 256 << 10

    private var input: FileWindow
    private let rawLength: Int
    private let output = Scratch(capacity: capacity)
    /// How much of the output buffer was decoded, and how much of it was given out.
    private var filled = 0
    private var taken = 0
    private var produced = 0
    private var step = Step.token
    private var matchNibble = 0

    init(_ input: FileWindow, rawLength: Int) {
        self.input = input
        self.rawLength = rawLength
    }

    /// Fills `target` from its start; fewer bytes only at the end of the block.
    mutating func read(into target: UnsafeMutableRawBufferPointer) throws(BanyanError) -> Int {
        var count = 0
        while count < target.count {
            if taken == filled { try decode() }
            guard taken < filled else { break }
            let part = min(filled - taken, target.count - count)
            target.baseAddress.map { ($0 + count).copyMemory(from: output.base + taken, byteCount: part) }
            taken += part
            count += part
        }
        return count
    }

    /// Decodes until the buffer is full or the block ends. All that was decoded has been given out.
    private mutating func decode() throws(BanyanError) {
        let kept = min(filled, Self.history)
        if filled > kept {
            let whole = UnsafeMutableRawBufferPointer(start: output.base, count: filled)
            whole.copyMemory(from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(whole)[(filled - kept)...]))
        }
        filled = kept
        taken = kept
        while filled < Self.capacity {
            switch step {
            case .token:
                let token = try input.byte()
                matchNibble = Int(token & 15)
                step = .literals(try length(Int(token >> 4)))
            case .literals(0):
                guard input.isAtEnd else {
                    step = .distance
                    continue
                }
                guard produced == rawLength else { throw input.undecodable() }
                step = .end
            case .literals(let count):
                let part = try room(for: count)
                try input.copy(part, to: output.base + filled)
                advance(part)
                step = .literals(count - part)
            case .distance:
                let low = try input.byte()
                let distance = Int(low) | Int(try input.byte()) << 8
                guard distance > 0, distance <= produced else { throw input.undecodable() }
                step = .match(distance: distance, count: try length(matchNibble) + 4)
            case .match(_, 0): step = .token
            case .match(let distance, let count):
                let part = try room(for: count)
                repeatBytes(part, distance: distance)
                advance(part)
                step = .match(distance: distance, count: count - part)
            case .end: return
            }
        }
    }

    /// How many of so many bytes the buffer has room for; they must not be more than the block is to hold.
    private func room(for count: Int) throws(BanyanError) -> Int {
        guard count <= rawLength - produced else { throw input.undecodable() }
        return min(count, Self.capacity - filled)
    }

    private mutating func advance(_ count: Int) {
        filled += count
        produced += count
    }

    /// Goes on with what stands `distance` bytes back, which may overlap what is written.
    private func repeatBytes(_ count: Int, distance: Int) {
        let start = output.base + (filled - distance)
        var copied = 0
        while copied < count {
            // What is there from `start` on repeats itself: each copy may be as long as all before it.
            let part = min(count - copied, distance + copied)
            (start + distance + copied).copyMemory(from: start, byteCount: part)
            copied += part
        }
    }

    private mutating func length(_ nibble: Int) throws(BanyanError) -> Int {
        guard nibble == 15 else { return nibble }
        var length = nibble
        while true {
            let byte = try input.byte()
            length += Int(byte)
            if byte < 255 { return length }
            guard length <= rawLength else { throw input.undecodable() }
        }
    }
}

/// Bytes of a file from one place to another, read in pieces.
struct FileWindow {
    private static let size = 64 << 10

    private let file: any DiskFile
    private let path: String
    private let start: UInt64
    private var offset: UInt64
    private let end: UInt64
    private var bytes: [UInt8] = []
    private var next = 0

    init(_ file: any DiskFile, path: String, from offset: UInt64, count: Int) {
        self.file = file
        self.path = path
        start = offset
        self.offset = offset
        end = offset + UInt64(count)
    }

    var isAtEnd: Bool { next == bytes.count && offset == end }

    mutating func byte() throws(BanyanError) -> UInt8 {
        if next == bytes.count { try fill() }
        defer { next += 1 }
        return bytes[next]
    }

    /// - Parameter target: has room for `count` bytes.
    mutating func copy(_ count: Int, to target: UnsafeMutableRawPointer) throws(BanyanError) {
        var copied = 0
        while copied < count {
            if next == bytes.count { try fill() }
            let part = min(count - copied, bytes.count - next)
            bytes.withUnsafeBytes { source in
                let rest = UnsafeRawBufferPointer(rebasing: source[next..<next + part])
                UnsafeMutableRawBufferPointer(start: target + copied, count: part).copyMemory(from: rest)
            }
            next += part
            copied += part
        }
    }

    /// Reads on, one byte at least.
    private mutating func fill() throws(BanyanError) {
        let wanted = Int(min(UInt64(Self.size), end - offset))
        bytes = try onDisk { [offset] () throws(DiskFault) in try file.readUpTo(wanted, at: offset) }
        next = 0
        offset += UInt64(bytes.count)
        // Where the block needs more than it has, and where the file became shorter since it was checked.
        if bytes.isEmpty { throw undecodable() }
    }

    func undecodable() -> BanyanError {
        BanyanError(
            .damaged, "The journal is damaged: a record does not decompress to what it says",
            remedy: "Run `banyan verify` to see the extent, then `banyan salvage` or restore",
            at: .init(file: path, offset: start))
    }
}
