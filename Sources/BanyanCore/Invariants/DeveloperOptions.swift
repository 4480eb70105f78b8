#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the developers of this package ask their tests for: words in the environment variable `BANYAN_DEV`, with commas
/// between them, each maybe with a value, as in `check,soak=1000000`. CONTRIBUTING.md lists them.
package enum DeveloperOptions {
    private static let words = (getenv("BANYAN_DEV").map { String(cString: $0) } ?? "").split(separator: ",")

    package static func contains(_ word: String) -> Bool { words.contains { $0 == word } }

    /// The value of a word.
    package static func value(of word: String) -> String? {
        words.first { $0.hasPrefix(word + "=") }.map { String($0.dropFirst(word.count + 1)) }
    }
}
