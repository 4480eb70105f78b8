/// A query that came as text: errors that come up when it meets a schema still point into the text.
package struct ParsedQuery: Sendable {
    package var query: Query
    let text: QueryText
    let positions: [PropertyPath: Int]

    /// Binds the query to a schema.
    /// - Throws: `invalidQuery`, with the column, for what the schema does not have or cannot compare.
    package func plan(on layout: StoreLayout, names: NameMapping? = nil) throws(BanyanError) -> QueryPlan {
        do throws(BindingProblem) {
            return try QueryPlan(binding: query, layout, names)
        } catch {
            guard let path = error.path, let position = positions[path] else { throw error.asError }
            throw text.error(at: position, error.message, remedy: error.remedy)
        }
    }
}
