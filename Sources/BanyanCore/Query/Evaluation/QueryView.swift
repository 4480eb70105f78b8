/// What conditions are tested on: a version of the graph, and inside SUBQUERY the objects that those around it are about.
struct QueryView {
    let graph: GraphView
    /// The innermost object around; nil outside of SUBQUERY. Valid for the call it is passed to.
    let frame: UnsafePointer<Frame>?

    /// An object around a SUBQUERY.
    struct Frame {
        let page: UnsafeRawPointer
        let slot: Int
        let frame: UnsafePointer<Frame>?
    }

    init(_ graph: GraphView, frame: UnsafePointer<Frame>? = nil) {
        self.graph = graph
        self.frame = frame
    }

    func header(_ table: Int) -> UnsafeRawPointer { graph.header(table) }
    func page(_ table: Int, slot: Int) -> UnsafeRawPointer? { graph.page(table, slot: slot) }

    /// The object that so many SUBQUERYs are around, and what is around it. There are as many: binding has counted them.
    func around(_ levels: Int) -> (page: UnsafeRawPointer, slot: Int, view: QueryView) {
        var frame = frame.unsafelyUnwrapped
        for _ in 1..<levels { frame = frame.pointee.frame.unsafelyUnwrapped }
        return (frame.pointee.page, frame.pointee.slot, QueryView(graph, frame: frame.pointee.frame))
    }

    /// Calls `body` with what conditions on the objects of a SUBQUERY see, which is about this object.
    func inside<R>(_ page: UnsafeRawPointer, _ slot: Int, _ body: (QueryView) -> R) -> R {
        var around = Frame(page: page, slot: slot, frame: frame)
        return withUnsafePointer(to: &around) { body(QueryView(graph, frame: $0)) }
    }
}

/// A condition on an object around a SUBQUERY: true of all objects in it, or of none.
struct AroundFilter: PageFilter {
    let levels: Int
    let filter: any PageFilter

    func narrow(_ batch: PageBatch, _ view: QueryView) {
        let (page, slot, outside) = view.around(levels)
        if !filter.accepts(page, slot, outside) { batch.masks.update(repeating: 0, count: batch.count) }
    }
}

/// A value of an object around a SUBQUERY.
struct AroundSource: CellSource {
    let levels: Int
    let source: any CellSource
    var kind: ValueKind { source.kind }

    func cell(_ page: UnsafeRawPointer, _ slot: Int, _ view: QueryView) -> Cell {
        let (page, slot, outside) = view.around(levels)
        return source.cell(page, slot, outside)
    }
}
