// Links are kinds, but no scalars: what they are worth is the object they lead to.

private protocol LinkKind: StoredKind {}

extension LinkKind {
    @inline(__always)
    package static func compareCells(_ a: Cell, _ b: Cell) -> Int { NumberOrder.order(a.low, b.low) }
    @inline(__always)
    package static func hashCell(_ cell: Cell, seed: UInt64) -> UInt64 { KeyHash.hash(cell.low, seed: seed) }
    package static func value(_ cell: Cell) -> Value { ObjectRef(word: cell.low).map { .object($0) } ?? .null }
    package static var isOrdered: Bool { false }
    package static var phrase: String { "an object" }
    package static var mismatchRemedy: String? { "Compare one of its properties, or ask for nil" }
}

/// A link to a top-level object.
package enum ObjectKind: LinkKind {
    package static var valueKind: ValueKind { .object }
    package static var kindName: String { "Object" }
    package static var anyRank: UInt8? { 9 }
    package static var typeNames: [String] { ["object", "link"] }
}

/// An object owned by the one that holds it.
package enum EmbeddedKind: LinkKind {
    package static var valueKind: ValueKind { .embedded }
    package static var kindName: String { "EmbeddedObject" }
}
