import BanyanCore

/// A model bound to its table in one store: what making a live handle needs.
final class TableBinder: @unchecked Sendable {
    // Sound: everything is set in `init` and only read afterwards; the ghost page is never written.
    let table: Int
    let model: _ObjectModel
    let layout: TableLayout
    let access: TableAccess
    let plan: AddPlan

    var columns: UnsafePointer<Column> { access.columns }
    var ghost: UnsafeMutableRawPointer { access.ghost }

    init(_ model: _ObjectModel, _ layout: TableLayout, _ hierarchy: Hierarchy) {
        table = layout.table
        self.model = model
        self.layout = layout
        let columns = UnsafeMutablePointer<Column>.allocate(capacity: max(layout.page.columns.count, 1))
        columns.initialize(from: layout.page.columns, count: layout.page.columns.count)
        let ghost = UnsafeMutableRawPointer.allocate(byteCount: layout.page.size, alignment: 16)
        ghost.initializeMemory(as: UInt8.self, repeating: 0, count: layout.page.size)
        plan = AddPlan(model, layout)
        access = TableAccess(
            table: layout.table, columns: UnsafePointer(columns), ghost: ghost, key: layout.keyAccess,
            words: layout.keyAccess?.words ?? WordKeyAccess(), plan: Unmanaged.passUnretained(plan), type: model.type,
            hasSubtypes: hierarchy.subtypes[table].count > 1, sharesKey: hierarchy.keyFamilies[table] != nil)
    }

    deinit {
        columns.deallocate()
        ghost.deallocate()
    }
}

/// The same in one plain value, for the paths where nothing may be retained.
@usableFromInline
struct TableAccess: BitwiseCopyable {
    let table: Int
    @usableFromInline let columns: UnsafePointer<Column>
    /// A page of zeros, which an object that is no longer there reads from.
    let ghost: UnsafeMutableRawPointer
    let key: KeyAccess?
    /// For keys of type `Int`.
    @usableFromInline let words: WordKeyAccess
    /// Held by the table's binder.
    let plan: Unmanaged<AddPlan>
    /// The class of its objects.
    @usableFromInline let type: ObjectBase.Type
    /// Whether other classes of the store inherit from it.
    @usableFromInline let hasSubtypes: Bool
    /// Whether other classes of the store have the same primary key.
    let sharesKey: Bool
}

/// The models of a store, bound to its tables.
final class ModelBinding: @unchecked Sendable {
    // Sound: everything is set in `init` and only read afterwards.
    let layout: StoreLayout
    /// By table.
    let binders: [TableBinder]
    /// By model number; nil for a model that is not in the store.
    private let byModel: [TableBinder?]
    /// By table, as plain values.
    let access: UnsafeMutablePointer<TableAccess>
    /// Table by model number, -1 for a model that is not in the store.
    let tables: UnsafeMutablePointer<Int>
    let modelCount: Int

    /// Collects the models that are reachable from `roots`, in the order they are met; those that `order` names come in its
    /// order before the others, as the tables of a file do.
    init(_ roots: [ObjectBase.Type], version: UInt64, order: [String] = []) throws(BanyanError) {
        var models: [_ObjectModel] = []
        var seen: Set<ObjectIdentifier> = []
        var pending = Array(roots.reversed())
        while let type = pending.popLast() {
            guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
            let model = type._$model
            guard model.type == type else {
                throw BanyanError(
                    .invalidSchema, "the class \(type) has no @Model of its own",
                    remedy: "Write @Model in front of it", at: .init(type: "\(type)"))
            }
            if let problem = model.nameProblem { throw problem }
            try Self.checkFallbacks(model)
            models.append(model)
            pending += model.properties.reversed().compactMap { $0.origin ?? $0.type.target }
            if let superclass = model.superclass { pending.append(superclass) }
            if model.properties.contains(where: { $0.type.kind == .any && !$0.type.isInverse }) {
                // Behind all that anybody declares.
                pending.insert(NestedRow.self, at: 0)
            }
        }
        let ranks = Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        models = models.enumerated().sorted { a, b in
            (ranks[a.element.name] ?? order.count, a.offset) < (ranks[b.element.name] ?? order.count, b.offset)
        }.map(\.element)
        let layout = try StoreLayout(
            BanyanCore.Schema(types: models.map(\.schema), version: version),
            names: models.map { $0.properties.map(\.name) })
        self.layout = layout
        binders = models.indices.map { TableBinder(models[$0], layout.tables[$0], layout.hierarchy) }
        var byModel = [TableBinder?](repeating: nil, count: (models.map(\.number).max() ?? -1) + 1)
        for binder in binders { byModel[binder.model.number] = binder }
        self.byModel = byModel
        access = .allocate(capacity: max(binders.count, 1))
        tables = .allocate(capacity: max(byModel.count, 1))
        for (i, binder) in binders.enumerated() { (access + i).initialize(to: binder.access) }
        for (i, binder) in byModel.enumerated() { (tables + i).initialize(to: binder?.table ?? -1) }
        modelCount = byModel.count
    }

    deinit {
        access.deallocate()
        tables.deallocate()
    }

    /// The table of a model; -1 if it is not in the store.
    @inline(__always)
    func table(_ model: _ObjectModel) -> Int { model.number < modelCount ? tables[model.number] : -1 }

    /// What could not be read is shown as something else; a property that has nothing to show is refused.
    private static func checkFallbacks(_ model: _ObjectModel) throws(BanyanError) {
        for property in model.properties {
            if property.type.lacksFallback?() == true, !property.hasDefault || property.type.shape != .single {
                throw BanyanError(
                    .invalidSchema, "there is no value to show where a stored one cannot be read",
                    remedy: property.type.shape == .single
                        ? "Give the property a default, or make it optional"
                        : "Make the elements optional, or give their type an `unreadableValue`",
                    at: .init(type: model.name, property: property.name))
            }
        }
    }

    func binder(for model: _ObjectModel) -> TableBinder? {
        model.number < byModel.count ? byModel[model.number] : nil
    }
}
