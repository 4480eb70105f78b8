/// A pattern with `?` for one character, as Swift counts them, and `*` for any number of them; a backslash takes the next scalar
/// literally.
struct LikePattern: Sendable, Hashable {
    enum Part: Sendable, Hashable {
        case literal([UInt8])
        case one
        case many
    }

    let parts: [Part]

    /// The pattern in the order of its bytes: literals are single bytes here, so that matching needs no lookahead.
    private let program: [UInt16]
    private let hasOne: Bool

    private static let one: UInt16 = 0x100
    private static let many: UInt16 = 0x200

    /// Only literals are folded.
    init(_ text: String, options: TextOptions = []) {
        var parts: [Part] = []
        var literal = ""
        func flush() {
            guard !literal.isEmpty else { return }
            parts.append(.literal(TextFolding.folded(literal, options)))
            literal = ""
        }
        var scalars = text.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "?":
                flush()
                parts.append(.one)
            case "*":
                flush()
                if parts.last != .many { parts.append(.many) }
            case "\\": literal.unicodeScalars.append(scalars.popFirst() ?? scalar)
            default: literal.unicodeScalars.append(scalar)
            }
        }
        flush()
        self.parts = parts
        hasOne = parts.contains(.one)
        program = parts.flatMap { part in
            switch part {
            case .literal(let bytes): bytes.map(UInt16.init)
            case .one: [Self.one]
            case .many: [Self.many]
            }
        }
    }

    /// O(text × pattern) at worst: on a mismatch only the last `*` is tried again, one scalar further.
    func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard hasOne, !Self.isPlain(bytes) else { return matches(bytes) { $0 + 1 } }
        // Where characters begin, the end included.
        var starts = [false]
        starts.reserveCapacity(bytes.count + 1)
        for character in String(decoding: bytes, as: UTF8.self) {
            starts[starts.count - 1] = true
            starts.append(contentsOf: repeatElement(false, count: character.utf8.count))
        }
        starts[starts.count - 1] = true
        guard starts.count == bytes.count + 1 else { return matches(bytes) { Self.next(bytes, $0) } }
        return matches(bytes) { position in
            guard starts[position] else { return nil }
            return starts[(position + 1)...].firstIndex(of: true)
        }
    }

    /// - Parameter end: Where the character that begins at a position ends; nil where none begins.
    private func matches(_ bytes: UnsafeRawBufferPointer, _ end: (Int) -> Int?) -> Bool {
        var position = 0
        var step = 0
        var retry: (step: Int, position: Int)?
        while true {
            if step < program.count, program[step] == Self.many {
                step += 1
                if step == program.count { return true }
                retry = (step, position)
                continue
            }
            if step == program.count, position == bytes.count { return true }
            if step < program.count, position < bytes.count {
                if program[step] == Self.one {
                    if let next = end(position) {
                        position = next
                        step += 1
                        continue
                    }
                } else if program[step] == UInt16(bytes[position]) {
                    position += 1
                    step += 1
                    continue
                }
            }
            guard let last = retry, last.position < bytes.count else { return false }
            position = Self.next(bytes, last.position)
            step = last.step
            retry = (step, position)
        }
    }

    /// Whether every byte is a character.
    private static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.allSatisfy { $0 < 0x80 && $0 != 0x0D }
    }

    private static func next(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> Int {
        var next = position + 1
        while next < bytes.count, bytes[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }
}
