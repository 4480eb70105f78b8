/// Why a predicate does not fit a schema, and which path is to blame; whoever knows more (a column of a text) makes the
/// error of it.
struct BindingProblem: Error {
    var path: PropertyPath?
    var message: String
    var remedy: String?

    init(_ path: PropertyPath?, _ message: String, remedy: String? = nil) {
        self.path = path
        self.message = message
        self.remedy = remedy
    }

    var asError: BanyanError { BanyanError(.invalidQuery, message, remedy: remedy) }
}

/// The stored name of a property that a query calls by another one; nil to take the name as it is.
package typealias NameMapping = @Sendable (_ type: String, _ name: String) -> String?
