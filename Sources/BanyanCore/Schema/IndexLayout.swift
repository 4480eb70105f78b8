/// One secondary index of a table.
package struct IndexLayout: Sendable {
    /// The properties by whose values it finds objects; several only in an ordered index.
    package let columns: [Int]
    let kind: IndexKind
    /// Whether no two objects may have the same values.
    package let isUnique: Bool
    /// How the properties stand in pages.
    let parts: [IndexPart]

    init(_ columns: [Int], _ kind: IndexKind, isUnique: Bool, _ layouts: [ColumnLayout], _ page: PageLayout) {
        self.columns = columns
        self.kind = kind
        self.isUnique = isUnique
        parts = columns.map {
            IndexPart(kind: layouts[$0].kind, isOptional: layouts[$0].isOptional, place: page.columns[$0])
        }
    }

    func can(_ capabilities: IndexCapabilities) -> Bool { kind.capabilities.isSuperset(of: capabilities) }
}

/// One property of an index.
struct IndexPart: BitwiseCopyable, Sendable {
    let kind: ValueKind
    let isOptional: Bool
    let place: Column
}
