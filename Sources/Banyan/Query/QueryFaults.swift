import BanyanCore

/// What is wrong with a query, as the closure that builds it finds out: such closures do not throw.
///
/// All that one closure builds shares one of these. The results of a closure that went wrong are empty, say why in `fault`,
/// and fail the transaction they are built or read in.
final class QueryFaults {
    /// The first one, which tells the most.
    private(set) var first: BanyanError?

    func note(_ fault: BanyanError) {
        if first == nil { first = fault }
    }
}

extension QueryScope {
    /// Where the closure of a query starts.
    static func root(_ graph: Graph) -> QueryScope { QueryScope(graph: graph, faults: QueryFaults()) }
}
