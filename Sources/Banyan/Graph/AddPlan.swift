import BanyanCore

/// What moving the values of an unmanaged object into its table takes, worked out once a store: plain values in plain memory,
/// so that adding an object looks at no schema and retains nothing but the object's own values.
final class AddPlan: @unchecked Sendable {
    // Sound: everything is set in `init` and only read afterwards.

    /// A value that is stored as it stands. The key is not among them.
    struct Value: BitwiseCopyable {
        let column: Int
        let kind: ValueKind
        let isIndexed: Bool
        let from: Column
        let to: Column
        let move: Move
    }

    /// What it takes to bring a value from one page into another, where there is nothing yet.
    enum Move: UInt8, BitwiseCopyable {
        case bit, byte, word
        /// So many bytes as the column's stride says.
        case bytes
        /// A cell, with the block that may belong to it.
        case text

        init(_ kind: ValueKind) {
            self =
                kind == .bool ? .bit : kind.isText ? .text : kind.width == 1 ? .byte : kind.width == 8 ? .word : .bytes
        }
    }

    /// A to-one link or a collection: what follows once the object has its place.
    struct Reference: BitwiseCopyable {
        let column: Int
        /// Nil for a collection and for an AnyValue.
        let link: ValueKind?
        let isCollection: Bool
        let from: Column
    }

    let values: UnsafeBufferPointer<Value>
    let references: UnsafeBufferPointer<Reference>
    /// Where an unmanaged object has texts, the key included.
    let texts: UnsafeBufferPointer<Column>
    /// Where an unmanaged object keeps its key.
    let key: Value?
    /// AnyValues with an index: they start as nothing, and get their values as links do.
    let indexedAnyValues: UnsafeBufferPointer<Int>
    /// Whether there are indexes of several properties.
    let hasCompoundIndexes: Bool

    init(_ model: _ObjectModel, _ layout: TableLayout) {
        func value(_ column: Int) -> Value {
            let info = layout.columns[column]
            return Value(
                column: column, kind: info.kind, isIndexed: info.isIndexed, from: model.unmanagedLayout.columns[column],
                to: layout.page.columns[column], move: Move(info.kind))
        }
        var values: [Value] = []
        var references: [Reference] = []
        for (i, column) in layout.columns.enumerated() where column.isStored {
            if column.isCollection || column.kind.mayLink {
                references.append(
                    Reference(
                        column: i, link: column.isCollection || column.kind == .any ? nil : column.kind,
                        isCollection: column.isCollection,
                        from: model.unmanagedLayout.columns[i]))
            } else if i != layout.keyColumn {
                values.append(value(i))
            }
        }
        key = layout.keyColumn.map { value($0) }
        hasCompoundIndexes = layout.indexes.contains { $0.columns.count > 1 }
        self.values = .copy(of: values)
        self.references = .copy(of: references)
        texts = .copy(
            of: layout.textColumns.filter { layout.columns[$0].kind != .any }.map { model.unmanagedLayout.columns[$0] })
        indexedAnyValues = .copy(of: layout.indexedColumns.filter { layout.columns[$0].kind == .any })
    }

    deinit {
        values.deallocate()
        references.deallocate()
        texts.deallocate()
        indexedAnyValues.deallocate()
    }
}
