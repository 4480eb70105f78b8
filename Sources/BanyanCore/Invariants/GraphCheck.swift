/// The whole graph held against its own rules: what every test may ask after every transaction.
///
/// The structures of a version repeat one another: a link and its inverse, a value and its index entry, a bitmap and
/// its count. Each of these pairs is kept in step by code in many places, so this check knows none of that code. It
/// reads the nodes as they stand, derives one half of each pair from the other, and names every difference it finds.
/// It costs a pass over the graph, and nothing calls it unless it is asked for.
final class GraphCheck {
    let view: GraphView
    /// A transaction keeps pages off the free lists whose free slots it freed itself.
    let isInTransaction: Bool
    private(set) var problems: [String] = []
    /// Every node met so far, to find one that two owners share.
    var nodes: Set<UnsafeRawPointer> = []
    /// Embedded objects whose owners lead to a top-level object.
    var owned: Set<ObjectRef> = []

    /// A broken graph is broken in many places; the first ones tell what happened.
    private static let limit = 20

    init(_ view: GraphView, inTransaction: Bool) {
        self.view = view
        isInTransaction = inTransaction
    }

    func fail(_ problem: @autoclosure () -> String) {
        if problems.count < Self.limit { problems.append(problem()) }
    }

    /// Notes a node and says whether it is the first time.
    func claim(_ node: UnsafeRawPointer, _ what: @autoclosure () -> String) {
        if !nodes.insert(node).inserted { fail("\(what()) shares the node at \(node) with another owner") }
    }

    func name(_ table: Int, _ column: Int? = nil) -> String {
        let type = view.layout.tables[table].type
        guard let column else { return type.name }
        if column < type.properties.count { return "\(type.name).\(type.properties[column].name)" }
        let info = view.layout.tables[table].columns[column]
        return "\(type.name)'s links from \(name(info.otherTable, info.otherColumn))"
    }

    func run() {
        claim(view.root, "the root")
        for table in view.layout.tables {
            claim(view.header(table.table), "the header of \(name(table.table))")
            guard checkPages(table) else { continue }
            checkFreeList(table)
            checkValues(table)
            checkCollections(table)
            checkKeyIndex(table)
            for place in table.indexes.indices { checkIndex(table, at: place) }
        }
        // Links are followed only in a graph whose pages can be trusted.
        guard problems.isEmpty else { return }
        for table in view.layout.tables {
            for column in table.linkColumns { checkInverse(of: table, column) }
        }
        for table in view.layout.tables where table.type.isEmbedded { checkOwners(table) }
    }
}

extension GraphView {
    /// What is wrong with the graph, in words; empty when all is well. Looks at every node and every value.
    ///
    /// A graph in which embedded objects are made but not yet attached, or whose journal is being replayed, is in
    /// between and fails. O(graph).
    ///
    /// - Parameter inTransaction: whether this is the view of an open transaction.
    package func _invariantCheck(inTransaction: Bool = false) -> [String] {
        let check = GraphCheck(self, inTransaction: inTransaction)
        check.run()
        return check.problems
    }
}
