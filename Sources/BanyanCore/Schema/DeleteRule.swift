/// What a link means for the deletion of the objects at its ends.
public enum DeleteRule: UInt8, Sendable, Hashable, Codable {
    /// Deleting the target clears the link.
    case nullify = 0
    /// As `nullify`; and deleting the object that holds the link deletes what it links to, whoever else links there.
    case cascade = 1
    /// Deleting the target is an error as long as the link is there, unless the object that holds it goes as well.
    case deny = 2
}
