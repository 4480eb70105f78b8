import BanyanCore

/// What happened to an observed object.
public enum ObjectChange<T: ObjectBase> {
    /// These properties have other values now.
    case change(T, [PropertyChange])
    /// It is no longer there; nothing will be told after this.
    case deleted
    /// Nothing can go wrong: this never comes, and need not be looked for. It is here for programs written for Realm.
    @available(*, deprecated, message: "an observation does not fail: leave the case out")
    case error(Never)
}

/// One property of an object that changed.
public struct PropertyChange {
    public let name: String
    /// The value before and after; nil for a collection, whose own observation tells more. A linked object is given
    /// as a live object, which is invalidated if it is gone. A list or dictionary in an AnyValue is live after, and
    /// frozen before: where something changed within it, the two have the contents to compare.
    public let oldValue: Any?
    public let newValue: Any?
}

extension ObjectBase {
    /// Calls `block` after each commit that changes the object's own properties, on the isolation that asks, in order of the
    /// commits. Ends when the token is dropped.
    public final func observe<T: ObjectBase>(
        isolation: isolated (any Actor)? = #isolation, _ block: @escaping (ObjectChange<T>) -> Void
    ) -> NotificationToken {
        guard let graph = _graph, !graph.isFrozen, let object = self as? T else {
            fatalError("only a live object can be observed, as its own class: add it to a graph first")
        }
        return graph.addObserver(ObjectObserver(object: object, block: block), isolation)
    }
}

extension Graph {
    /// Inside a write there is no version yet to be told of the way from: that fails the transaction.
    func addObserver(_ observer: any GraphObserver, _ isolation: (any Actor)?) -> NotificationToken {
        guard workspace.transaction == nil else {
            fail(
                BanyanError(
                    .insideWrite, "an observation cannot begin inside a write",
                    remedy: "Begin it before or after the write"))
            return NotificationToken(self, 0)
        }
        let token = NotificationToken(self, observers.add(observer, self))
        if let isolation, let core { core.observerHub.add(self, isolation, at: core) }
        return token
    }

    /// A stored value as Swift sees it; `view` is where it was stored. A link to what is gone is an invalidated object.
    ///
    /// - Parameter frozen: the graph that shows the same as `view`, where that is not this one: lists and
    ///   dictionaries of AnyValues are given as what they were.
    func swiftValue(_ value: Value, _ kind: ValueKind, in view: GraphView, frozen: (() -> Graph)? = nil) -> Any? {
        if kind == .any { return anyValue(value, in: view, frozen) }
        if let ref = value.link { return linked(binder(ref.table).model.type, view.id(ref)) }
        return SwiftValue.make(value, kind)
    }

    private func anyValue(_ value: Value, in view: GraphView, _ frozen: (() -> Graph)?) -> AnyValue {
        switch value {
        case .object(let ref): AnyValue(.object, ref, view, self)
        case .list(let ref): AnyValue(.list, ref, view, frozen?() ?? self)
        case .dictionary(let ref): AnyValue(.dictionary, ref, view, frozen?() ?? self)
        default: value.withAnyCell { kind, cell in AnyCell.withCell(kind, cell) { AnyValue($0, self) } }
        }
    }
}

extension Graph {
    /// The object, or one that is invalidated.
    private func linked(_ type: ObjectBase.Type, _ id: ObjectID) -> ObjectBase {
        workspace.locate(id).map { instance(type, id, $0) } ?? missing(type)
    }
}

private struct ObjectObserver<T: ObjectBase>: GraphObserver {
    let object: T
    let block: (ObjectChange<T>) -> Void

    var tables: Set<Int> { [Int(object._id.table)] }

    func tell(_ graph: Graph, _ change: GraphChange) -> Bool {
        let id = object._id
        guard change.after.view.contains(id) else {
            block(.deleted)
            return false
        }
        guard change.touched(Int(id.table)).ids.contains(id) else { return true }
        let nested = change.nested[id] ?? []
        var columns = nested
        let layout = graph.binder(Int(id.table)).layout
        for set in change.changeSets {
            for changes in set.tables where changes.table == Int(id.table) {
                set.forEachObject(of: changes) { if $0.id == id { columns.formUnion($0.columns) } }
            }
        }
        let properties = columns.filter { $0 < layout.propertyCount }.sorted().compactMap { column -> PropertyChange? in
            let info = layout.columns[column]
            let name = graph.binder(Int(id.table)).model.properties[column].name
            if info.isCollection { return PropertyChange(name: name, oldValue: nil, newValue: nil) }
            let (before, after) = (change.before.view, change.after.view)
            let (old, new) = (before.value(id.ref, column), after.value(id.ref, column))
            // Changed and changed back on the way: there is nothing to tell.
            guard old != new || nested.contains(column) else { return nil }
            let frozen = { Graph(frozen: change.before, graph.binding, home: graph.home) }
            return PropertyChange(
                name: name, oldValue: graph.swiftValue(old, info.kind, in: before, frozen: frozen),
                newValue: graph.swiftValue(new, info.kind, in: after))
        }
        if !properties.isEmpty { block(.change(object, properties)) }
        return true
    }
}
