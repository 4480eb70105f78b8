import BenchKit

/// Rows that are measured together.
struct RowGroup: Sendable {
    /// The rows' ids: a number and a letter, with a word behind where a row has several figures.
    let ids: [String]
    let title: String
    let measure: @Sendable (World) async throws -> [Row]

    init(_ ids: String..., title: String, measure: @escaping @Sendable (World) async throws -> [Row]) {
        (self.ids, self.title, self.measure) = (ids, title, measure)
    }

    /// In the order in which they run: rows that only read come first, so that all find what the samples say.
    static let all: [RowGroup] = [
        bulkInsert, memory, keyLookup, liveObjects, hotHandle, filters, textFilters, indexes, orderedIndex, sorting,
        firstOfSort, aggregates, links, inverses, files, threads, durableCommits, concurrentCommits, oneInsert,
        observation, manyQueries, forks, replay, checkpoints, setting, oneSetTransactions, lists, deletion,
    ]
}
