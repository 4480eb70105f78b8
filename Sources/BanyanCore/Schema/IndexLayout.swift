/// One secondary index of a table.
package struct IndexLayout: Sendable {
    /// The properties by whose values it finds objects; several only in an ordered index.
    package let columns: [Int]
    package let form: IndexForm
    /// Whether no two objects may have the same values.
    package let isUnique: Bool
    /// How the properties stand in pages.
    let parts: [IndexPart]
    /// Whether the keys of an ordered index take 16 bytes.
    let isWide: Bool

    init(_ columns: [Int], _ form: IndexForm, isUnique: Bool, _ layouts: [ColumnLayout], _ page: PageLayout) {
        self.columns = columns
        self.form = form
        self.isUnique = isUnique
        parts = columns.map {
            IndexPart(kind: layouts[$0].kind, isOptional: layouts[$0].isOptional, place: page.columns[$0])
        }
        isWide = columns.count > 1 || OrderedKey.isWide(layouts[columns[0]].kind)
    }
}

/// One property of an index.
struct IndexPart: BitwiseCopyable, Sendable {
    let kind: ValueKind
    let isOptional: Bool
    let place: Column
}
