/// The identity of an object within its store: stable for the object's life, across versions, forks and restarts.
///
/// An id of a deleted object never finds another one, even when its slot is used again.
@frozen
public struct ObjectID: Sendable, Hashable {
    @usableFromInline package var slot: UInt32
    @usableFromInline package var generation: UInt32
    @usableFromInline package var table: UInt16

    @inlinable
    package init(table: Int, slot: Int, generation: UInt32) {
        self.table = UInt16(truncatingIfNeeded: table)
        self.slot = UInt32(truncatingIfNeeded: slot)
        self.generation = generation
    }

    @inlinable package var ref: ObjectRef { ObjectRef(table: Int(table), slot: Int(slot)) }
}

extension ObjectID: CustomStringConvertible, LosslessStringConvertible {
    /// Table, slot and generation: `3:1042.2`. The text is stable: `ObjectID(text)` gives the id back, in any later version.
    public var description: String { "\(table):\(slot).\(generation)" }

    public init?(_ description: String) {
        guard let colon = description.firstIndex(of: ":"), let dot = description[colon...].firstIndex(of: "."),
            let table = UInt16(description[..<colon]),
            let slot = UInt32(description[description.index(after: colon)..<dot]),
            let generation = UInt32(description[description.index(after: dot)...])
        else { return nil }
        self.init(table: Int(table), slot: Int(slot), generation: generation)
    }
}

extension ObjectID: Codable {
    /// Coded as its text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = ObjectID(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is no object id: one is written as in '3:1042.2'")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension ObjectID: Comparable {
    public static func < (a: ObjectID, b: ObjectID) -> Bool {
        (a.table, a.slot, a.generation) < (b.table, b.slot, b.generation)
    }
}

/// A link as it is stored: table and slot in one word that is never 0. It needs no generation, because deleting an object
/// clears every link to it.
@frozen
@usableFromInline
package struct ObjectRef: Sendable, Hashable, Comparable {
    @usableFromInline package let word: UInt64

    @inlinable
    package init(table: Int, slot: Int) {
        word = (UInt64(truncatingIfNeeded: table) &+ 1) &<< 32 | UInt64(truncatingIfNeeded: slot)
    }

    /// The link a cell holds; nil for none.
    @inlinable
    package init?(word: UInt64) {
        guard word != 0 else { return nil }
        self.word = word
    }

    @inlinable package var table: Int { Int(truncatingIfNeeded: word &>> 32) &- 1 }
    @inlinable package var slot: Int { Int(truncatingIfNeeded: word & 0xFFFF_FFFF) }
    @inlinable package var cell: Cell { Cell(low: word) }
    /// The slot of a word that is not 0.
    @inlinable package static func slot(ofWord word: UInt64) -> Int { Int(truncatingIfNeeded: word & 0xFFFF_FFFF) }

    @inlinable package static func < (a: ObjectRef, b: ObjectRef) -> Bool { a.word < b.word }
}
