// What a package asks of other packages: `libc6 (>= 2.36), default-mta | mail-transport-agent, python3:any`.

/// One alternative of a relationship field.
public struct Relation: Hashable, Sendable {
    public enum Comparison: String, Hashable, Sendable, CaseIterable {
        case earlier = "<<"
        case earlierOrEqual = "<="
        case equal = "="
        case laterOrEqual = ">="
        case later = ">>"
    }

    /// The name that is asked for: of a package, or of something that packages provide.
    public var name: String
    /// What follows the colon in `python3:any`; empty when nothing does.
    public var qualifier = ""
    public var comparison: Comparison?
    /// The version that is compared with; empty without a comparison.
    public var version = ""
    /// The architectures in brackets, each maybe with a leading `!`.
    public var architectures: [String] = []
    /// The build profiles in angle brackets, a group in each.
    public var profiles: [String] = []
    /// Whether the next relation is an alternative to this one, as in `a | b`.
    public var orNext = false

    public init(name: String) { self.name = name }
}

extension Relation: CustomStringConvertible {
    public var description: String {
        var text = name
        if !qualifier.isEmpty { text += ":\(qualifier)" }
        if let comparison { text += " (\(comparison.rawValue) \(version))" }
        if !architectures.isEmpty { text += " [\(architectures.joined(separator: " "))]" }
        for profile in profiles { text += " <\(profile)>" }
        return text
    }
}

extension Stanza {
    /// The relations of a field, in order; none when there is no such field.
    ///
    /// - Throws: what is wrong with them, with the line of the field.
    public func relations(_ name: StaticString) throws(DebianSyntaxError) -> [Relation] {
        guard let field = find(name) else { return [] }
        var parser = RelationParser(buffer, ranges[field].value)
        do throws(RelationParser.Problem) {
            return try parser.parse()
        } catch {
            // Long fields are folded: the line of the mistake is more use than that of the field.
            let breaks = buffer[ranges[field].value.lowerBound..<error.position].count { $0 == 0x0A }
            throw DebianSyntaxError(
                file: file, line: ranges[field].line + breaks, message: "in '\(name)': \(error.message)")
        }
    }
}
