/// What a caller says about a commit. It travels in the journal and the change feed.
public struct CommitMetadata: Sendable, Hashable {
    /// Who made the change.
    public var author: String?
    public var reason: String?
    /// What asked for it, to find a request again or to recognise a repeated one.
    public var requestID: String?

    public init(author: String? = nil, reason: String? = nil, requestID: String? = nil) {
        self.author = author
        self.reason = reason
        self.requestID = requestID
    }
}
