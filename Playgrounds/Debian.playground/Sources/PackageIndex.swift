// A package index as a whole: its text, checked from end to end, and the architecture that names without one mean.

/// Where relations lead: a name on an architecture. Packages for all architectures stand on the native one, as with apt.
public struct PackagePlace: Hashable, Sendable {
    public var name: String
    public var architecture: String

    /// The name alone on the native architecture, `libc6:i386` on another.
    public func description(native: String) -> String {
        architecture == native ? name : "\(name):\(architecture)"
    }
}

public struct PackageIndex: Sendable {
    public let input: IndexInput
    public let bytes: [UInt8]
    /// How many stanzas describe a package.
    public let count: Int
    /// The architectures of the packages, the native one first.
    public let architectures: [String]

    public var native: String { architectures.first ?? "all" }

    /// Reads all of it and checks that it is a package index.
    ///
    /// - Throws: `DebianSyntaxError` with the line of the first mistake, and what reading throws.
    public init(_ input: IndexInput) throws {
        try self.init(input.bytes(), from: input)
    }

    public init(_ bytes: [UInt8], from input: IndexInput) throws {
        self.input = input
        self.bytes = bytes
        var count = 0
        var found: [String: Int] = [:]
        var reader = StanzaReader(bytes, file: "\(input)")
        while let stanza = try reader.next() {
            guard try Self.isPackage(stanza) else { continue }
            count += 1
            let architecture = try stanza.required("Architecture")
            if architecture != "all" { found[architecture, default: 0] += 1 }
        }
        self.count = count
        // The native architecture is the one that most packages are for.
        architectures = found.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }

    /// Calls `body` with the stanza of each package, in order.
    public func forEachStanza(_ body: (Stanza) throws -> Void) throws {
        var reader = StanzaReader(bytes, file: "\(input)")
        while let stanza = try reader.next() {
            if try Self.isPackage(stanza) { try body(stanza) }
        }
    }

    public func place(_ name: String, _ architecture: String) -> PackagePlace {
        PackagePlace(name: name, architecture: architecture == "all" ? native : architecture)
    }

    /// Where a relation of a package for `architecture` leads. `:any` says that any architecture will do, and that is the
    /// native one before all others.
    public func place(of relation: Relation, from architecture: String) -> PackagePlace {
        switch relation.qualifier {
        case "": place(relation.name, architecture)
        case "any", "native": place(relation.name, native)
        default: place(relation.name, relation.qualifier)
        }
    }

    /// dpkg's status file remembers packages that are gone, without a version.
    private static func isPackage(_ stanza: Stanza) throws(DebianSyntaxError) -> Bool {
        _ = try stanza.required("Package")
        if stanza["Version"] == nil, stanza["Status"]?.hasSuffix("not-installed") == true { return false }
        _ = try stanza.required("Version")
        return true
    }
}
