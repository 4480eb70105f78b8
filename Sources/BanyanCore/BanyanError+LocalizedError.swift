#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// What Foundation, and whatever shows errors through it, says of an error.

extension BanyanError: LocalizedError {
    /// What happened, where, and what the layer below said: `localizedDescription` is this.
    public var errorDescription: String? { whatHappened }

    /// What to do about it.
    public var recoverySuggestion: String? { remedy.map { $0 + "." } }
}
