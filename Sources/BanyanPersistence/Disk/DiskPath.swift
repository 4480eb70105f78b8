/// Splitting and joining of paths, as far as the store needs it.
package enum DiskPath {
    /// The directory part and the last component.
    package static func split(_ path: String) -> (parent: String, name: String) {
        let trimmed = trimmed(path)
        guard let slash = trimmed.lastIndex(of: "/") else { return (".", String(trimmed)) }
        let parent = trimmed[..<slash]
        return (parent.isEmpty ? "/" : String(parent), String(trimmed[trimmed.index(after: slash)...]))
    }

    package static func join(_ directory: String, _ name: String) -> String {
        directory.hasSuffix("/") ? directory + name : directory + "/" + name
    }

    /// Without slashes at its end.
    package static func trimmed(_ path: String) -> Substring {
        var rest = path[...]
        while rest.count > 1, rest.last == "/" { rest = rest.dropLast() }
        return rest
    }
}
