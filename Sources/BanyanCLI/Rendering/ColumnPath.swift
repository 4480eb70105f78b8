import BanyanCore

/// What a column of a listing shows: the object's id, or a property, its own or one found through to-one links.
struct ColumnPath {
    private enum End {
        case id
        case property(Int)
        /// How many elements a collection has.
        case count(Int)
    }

    /// Behind a collection.
    private static let countName = "@count"

    let name: String
    /// The links on the way.
    private var links: [Int] = []
    private var end = End.id
    /// Where the last property stands.
    private var table: Int

    /// - Throws: `unknownProperty` for what the type does not have, `invalidQuery` for a way through many objects.
    init(_ name: String, from start: TableLayout, _ layout: StoreLayout) throws(BanyanError) {
        self.name = name
        table = start.table
        if name == "@id" { return }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for (i, part) in parts.enumerated() {
            let type = layout.tables[table].type
            guard let column = type.property(named: part) else {
                throw BanyanError(
                    .unknownProperty, "\(type.name) has no property '\(part)'",
                    remedy: "It has: " + (["@id"] + type.properties.map(\.name)).joined(separator: ", "))
            }
            if i == parts.count - 1 {
                end = .property(column)
                return
            }
            let info = layout.tables[table].columns[column]
            if info.shape != .single, i == parts.count - 2, parts[i + 1] == Self.countName {
                end = .count(column)
                return
            }
            guard info.kind.isLink, info.shape == .single else {
                throw BanyanError(
                    .invalidQuery,
                    "'\(part)' in '\(name)' is \(type.properties[column].typeDescription): no one object to go on from",
                    remedy: info.shape == .single
                        ? "Only links lead on" : "'\(parts[...i].joined(separator: ".")).@count' shows how many it has")
            }
            links.append(column)
            table = info.otherTable
        }
    }

    private init(property: Int, of layout: TableLayout) {
        name = layout.type.properties[property].name
        table = layout.table
        end = .property(property)
    }

    /// All properties that are stored, the primary key first, or the object's id where there is none.
    static func all(of table: TableLayout) -> [ColumnPath] {
        var result: [ColumnPath] = []
        if let key = table.keyColumn {
            result.append(ColumnPath(property: key, of: table))
        } else {
            result.append(ColumnPath(idOf: table))
        }
        for column in 0..<table.propertyCount where table.columns[column].isStored && column != table.keyColumn {
            result.append(ColumnPath(property: column, of: table))
        }
        return result
    }

    private init(idOf layout: TableLayout) {
        name = "@id"
        table = layout.table
    }

    func isNumber(_ layout: StoreLayout) -> Bool {
        if case .count = end { return true }
        guard case .property(let column) = end, case let info = layout.tables[table].columns[column],
            info.shape == .single
        else { return false }
        return info.kind.isNumber
    }

    func text(of ref: ObjectRef, _ text: ObjectText) -> String {
        guard let owner = owner(ref, text.view) else { return "nil" }
        return switch end {
        case .id: text.view.id(owner).description
        case .property(let column): text.property(column, of: owner)
        case .count(let column): Shown.grouped(count(column, of: owner, text.view))
        }
    }

    func json(of ref: ObjectRef, _ objects: ObjectJSON, into json: inout JSONText) throws {
        guard let owner = owner(ref, objects.view) else { return json.null() }
        switch end {
        case .id: json.value(objects.view.id(owner).description)
        case .property(let column): try objects.property(column, of: owner, into: &json)
        case .count(let column): json.value(count(column, of: owner, objects.view))
        }
    }

    private func count(_ column: Int, of owner: ObjectRef, _ view: GraphView) -> Int {
        let info = view.layout.tables[owner.table].columns[column]
        return info.shape.isInverse
            ? view.sources(owner, backlinkColumn: info.otherColumn).count
            : view.elementCount(CollectionRef(owner, column))
    }

    /// The object whose property is shown; nil when a link on the way is.
    private func owner(_ ref: ObjectRef, _ view: GraphView) -> ObjectRef? {
        var current = ref
        for link in links {
            let cell = view.cell(current, link)
            guard !cell.isNull, let next = ObjectRef(word: cell.low) else { return nil }
            current = next
        }
        return current
    }
}

extension PropertySchema.Shape {
    fileprivate var isInverse: Bool { if case .inverse = self { true } else { false } }
}
