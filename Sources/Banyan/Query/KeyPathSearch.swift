import BanyanCore

/// Finds the stored properties that a key path leads through: `\Dog.owner?.name`.
///
/// Key paths can be put together and compared, but not be taken apart. So those that lead from one property to the next are
/// put together, short ones first, until one is equal. None of them is applied to an object, so no computed property runs.
struct KeyPathSearch {
    private let target: AnyKeyPath
    /// The target behind an origin. A key path that is put together may differ from a literal in how it would write, which says
    /// nothing of where it leads; behind an origin both are put together.
    private let comparable: AnyKeyPath?
    private let origin: AnyKeyPath
    private let valueType: Any.Type
    private var reached: [Prefix]
    private var chained: [ObjectIdentifier: [AnyKeyPath]] = [:]
    /// Whether a link that is never nil was met behind `?`. What is behind that cannot be put together.
    private(set) var metRequiredLink = false

    /// So many links are gone through at most. A class with ten links has a hundred ways of two links.
    private static let most = 4096

    /// A path that leads to an object.
    private struct Prefix {
        let parts: [AnyKeyPath]
        let path: [TracedProperty]
        let model: _ObjectModel
        /// Whether it leads to a link that may be nil.
        var isOptional = false
        /// Whether there is a `?` in it, which `!` cannot follow.
        var isChained = false
    }

    init(_ target: AnyKeyPath, _ model: _ObjectModel) {
        self.target = target
        origin = model.keyPaths.origin
        comparable = origin.appending(path: target)
        valueType = type(of: target).valueType
        reached = [Prefix(parts: [], path: [], model: model)]
    }

    /// The properties; nil when the key path names something that is not stored, or leads too far.
    mutating func run() -> [TracedProperty]? {
        var next = 0
        while next < reached.count, reached.count < Self.most {
            if let found = extend(reached[next]) { return found }
            next += 1
        }
        return nil
    }

    /// Goes one property on. Returns the path that is equal to the target.
    private mutating func extend(_ prefix: Prefix) -> [TracedProperty]? {
        let model = prefix.model
        for (column, keyPath) in suffixes(prefix).enumerated() {
            let property = TracedProperty(model, column)
            let link = linked(property)
            let isCandidate = type(of: keyPath).valueType == valueType
            guard link != nil || isCandidate else { continue }
            let (parts, path) = (prefix.parts + [keyPath], prefix.path + [property])
            if isCandidate, isTarget(parts) { return path }
            if let link { reach(link, parts, path, prefix, isRequired: !property.info.type.isOptional) }
        }
        return nil
    }

    private mutating func suffixes(_ prefix: Prefix) -> [AnyKeyPath] {
        let model = prefix.model
        guard prefix.isOptional else { return model.keyPaths.own }
        let id = ObjectIdentifier(model)
        let known = chained[id] ?? model.keyPaths.chained()
        chained[id] = known
        return known
    }

    private mutating func reach(
        _ model: _ObjectModel, _ parts: [AnyKeyPath], _ path: [TracedProperty], _ prefix: Prefix, isRequired: Bool
    ) {
        let isChained = prefix.isChained || prefix.isOptional
        if isRequired, isChained {
            metRequiredLink = true
            return
        }
        reached.append(
            Prefix(parts: parts, path: path, model: model, isOptional: !isRequired, isChained: isChained))
        if !isRequired, !isChained {
            reached.append(Prefix(parts: parts + [model.keyPaths.forced], path: path, model: model))
        }
    }

    /// The class a to-one link leads to.
    private func linked(_ property: TracedProperty) -> _ObjectModel? {
        let type = property.info.type
        guard type.shape == .single, type.kind.isLink, !type.isProjection else { return nil }
        return type.target?._$model
    }

    /// Whether the parts together are the target.
    ///
    /// Two key paths that lead alike are equal only if they would also write alike, and that depends on the order in which they
    /// were put together.
    private func isTarget(_ parts: [AnyKeyPath]) -> Bool {
        let fromEnd = parts.dropLast().reversed().reduce(parts.last) { rest, part in
            rest.flatMap { part.appending(path: $0) }
        }
        let fromStart = parts.dropFirst().reduce(parts.first) { whole, part in
            whole.flatMap { $0.appending(path: part) }
        }
        return isTarget(fromEnd) || isTarget(fromStart)
    }

    private func isTarget(_ keyPath: AnyKeyPath?) -> Bool {
        guard let keyPath else { return false }
        if keyPath == target { return true }
        guard let comparable, let other = origin.appending(path: keyPath) else { return false }
        return other == comparable
    }
}
