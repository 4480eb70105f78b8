import BanyanCore

/// The elements of a tree that is about to be changed in place.
final class ElementCopy {
    private(set) var keys: [Cell] = []
    private(set) var values: [Cell] = []
    /// Those of the objects linked to.
    private(set) var generations: [UInt32] = []
    private let elements: ElementLayout

    init(_ root: UnsafeRawPointer, _ tree: RankTree, _ elements: ElementLayout, _ view: GraphView) {
        self.elements = elements
        values.reserveCapacity(tree.count(root))
        var cursor = tree.cursor(root)
        while let element = cursor.next() {
            if let key = elements.key { keys.append(Self.own(elements.loadKey(element), key)) }
            let value = elements.load(element)
            values.append(Self.own(value, elements.kind))
            if elements.kind.isLink {
                generations.append(value.isNull ? 0 : ObjectRef(word: value.low).map { view.id($0).generation } ?? 0)
            }
        }
    }

    deinit {
        if elements.key?.isText == true { for key in keys { UnmanagedText.free(key) } }
        if elements.kind.isText { for value in values { UnmanagedText.free(value) } }
    }

    private static func own(_ cell: Cell, _ kind: ValueKind) -> Cell {
        kind.isText && !cell.isNull && Text.isBlock(cell) ? Text.withBytes(cell, UnmanagedText.make) : cell
    }
}
