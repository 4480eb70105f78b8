/// What storage needs to know of one type: its page layouts, and which columns take part in what. Immutable, shared by every
/// version of a store.
package final class TableLayout: Sendable {
    package let table: Int
    package let type: TypeSchema
    /// What programs, queries and messages call its properties: their stored names, where no program says otherwise.
    package let names: [String]
    /// Properties first, at the index the schema gives them (an inverse has no column there); then the hidden columns that
    /// keep who links here.
    package let columns: [ColumnLayout]
    package let page: PageLayout
    package let keyColumn: Int?
    package let keyAccess: KeyAccess?
    /// The secondary indexes, in the order of their roots in the table header: those of one column, then the others. The
    /// primary key has one only if that can do more than its own.
    package let indexes: [IndexLayout]
    /// The columns that have a secondary index to themselves: the first of `indexes`, in the same order.
    package let indexedColumns: [Int]
    /// Places, among `indexes`, of those of several columns.
    let compoundIndexes: Range<Int>
    /// The place of the primary key's secondary index.
    let secondaryKeyIndex: Int?
    /// Columns that hold links out of this type, or may: those of AnyValues.
    package let linkColumns: [Int]
    package let collectionColumns: [Int]
    package let textColumns: [Int]
    /// The hidden columns.
    package let inverseColumns: [Int]

    /// - Parameter parent: the layout of the type it inherits from, whose columns stand where they stand there.
    package init(
        table: Int, type: TypeSchema, names: [String]? = nil, columns: [ColumnLayout], seed: UInt64,
        inheriting parent: TableLayout? = nil
    ) {
        self.table = table
        self.type = type
        self.names = names ?? type.properties.map(\.name)
        self.columns = columns
        let inherited = parent.map { parent in
            let properties = parent.type.properties.count
            let places = columns.indices.map { i in
                // The hidden columns of a property are known by where the links come from.
                columns[i].role != .backlink
                    ? (i < properties ? parent.page.columns[i] : nil)
                    : parent.inverseColumns.first { parent.columns[$0].otherEnd == columns[i].otherEnd }
                        .map { parent.page.columns[$0] }
            }
            return PageLayout.Inherited(places: places, size: parent.page.size)
        }
        page = PageLayout(columns.map(\.need), slots: Page.slots, inherited)
        keyColumn = type.primaryKey
        let places = page.columns
        keyAccess = type.primaryKey.map {
            KeyAccess(table: table, kind: columns[$0].kind, place: places[$0], seed: seed)
        }
        let indexedColumns = columns.indices.filter { column in
            guard let kind = columns[column].index else { return false }
            return column != type.primaryKey || !IndexCapabilities.ofPrimaryKey.isSuperset(of: kind.capabilities)
        }
        let page = page
        var indexes = indexedColumns.map { column in
            let property = type.properties[column]
            return IndexLayout([column], property.index ?? .standard, isUnique: property.isUnique, columns, page)
        }
        for index in type.indexes {
            let members = index.properties.compactMap(type.property(named:))
            indexes.append(IndexLayout(members, .compound, isUnique: index.isUnique, columns, page))
        }
        self.indexedColumns = indexedColumns
        self.indexes = indexes
        compoundIndexes = indexedColumns.count..<indexes.count
        secondaryKeyIndex = indexedColumns.firstIndex { $0 == type.primaryKey }
        linkColumns = columns.indices.filter { columns[$0].isStored && columns[$0].kind.mayLink }
        collectionColumns = columns.indices.filter { columns[$0].isCollection }
        textColumns = columns.indices.filter {
            columns[$0].isStored && columns[$0].shape == .single && columns[$0].kind.isText
        }
        inverseColumns = columns.indices.filter { columns[$0].role == .backlink }
    }

    package var headerSize: Int { TableHeader.fixedSize + indexes.count * 8 }
    /// Columns a user sees and files hold.
    package var propertyCount: Int { type.properties.count }

    package func location(_ column: Int? = nil, object: String? = nil) -> BanyanError.Location {
        BanyanError.Location(
            type: type.name, object: object,
            property: column.flatMap { $0 < names.count ? names[$0] : nil })
    }

    /// The property that programs and queries call so.
    package func property(named name: String) -> Int? { names.firstIndex(of: name) }
}

/// One column of a table.
package struct ColumnLayout: Sendable {
    package enum Role: Sendable { case property, inverseProperty, backlink }

    package var role: Role
    package var kind: ValueKind
    package var isOptional: Bool
    package var shape: PropertySchema.Shape
    package var isKey: Bool
    /// The secondary index the column has to itself.
    package var index: IndexKind? = nil
    /// Whether it is in a secondary index, alone or with others.
    package var isIndexed: Bool
    /// For links: the table of the type they are declared to lead to; for AnyValues one of those they may lead to. For backlinks: the table the links come from.
    package var otherTable: Int
    /// For links: the hidden column there that keeps the inverse. For backlinks: the column the links stand in. For inverse
    /// properties: the hidden column of this table that answers them.
    package var otherColumn: Int
    /// The other ends there are besides that one. For links: the tables of subtypes, with their hidden columns. For inverse
    /// properties: the tables of subtypes of the type the links come from, with hidden columns of this table.
    package var moreEnds: [LinkEnd] = []
    package var element: ElementLayout?

    package var otherEnd: LinkEnd { LinkEnd(table: otherTable, column: otherColumn) }
    /// All other ends, the one that is declared first.
    package var ends: [LinkEnd] { otherTable < 0 ? [] : [otherEnd] + moreEnds }
    /// In files: the table that links lead to, where there is but one; else `severalTables`, and each says its own.
    package var linkTarget: Int { moreEnds.isEmpty ? otherTable : Self.severalTables }
    package static var severalTables: Int { -2 }

    /// For links, and for backlinks that of the links.
    package var deleteRule = DeleteRule.nullify
    /// Whether a to-one link must lead to an object when a transaction ends.
    package var isRequired = false
    /// For backlinks: whether the links stand in collections.
    package var isFromCollections = false

    /// Whether pages hold values for it.
    package var isStored: Bool { role == .property }
    package var isCollection: Bool {
        guard role == .property else { return false }
        if case .single = shape { return false }
        return true
    }

    var need: PageLayout.Need? {
        switch role {
        case .inverseProperty: return nil
        case .backlink:
            let apart = isFromCollections ? Column.apart : 0
            return .init(kind: nil, isOptional: false, flags: Column.other | apart)
        case .property:
            if isCollection { return .init(kind: nil, isOptional: false, flags: Column.other | Column.apart) }
            var flags: UInt32 = 0
            if isKey { flags |= Column.key }
            if isIndexed { flags |= Column.indexed }
            if kind.isText || kind.isLink { flags |= Column.other }
            return .init(kind: kind, isOptional: isOptional, flags: flags)
        }
    }
}

/// One end of a link: a table and the column there that says of the other end.
package struct LinkEnd: Sendable, Hashable {
    package let table: Int
    package let column: Int
}
