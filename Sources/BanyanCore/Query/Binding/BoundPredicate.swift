/// A predicate that has met a schema and passed: paths are resolved, types agree, constants are of the kinds they are
/// compared with. Filters are made of it, and the planner reads from it which index serves.
indirect enum BoundPredicate: Sendable {
    case constant(Bool)
    case and([BoundPredicate])
    case or([BoundPredicate])
    case not(BoundPredicate)
    /// Whether some value at the path's end passes the test (fails it, when negated).
    case some(ResolvedPath, ValueTest, isNegated: Bool)
    case source(ValueSource, ValueTest)
    /// The last paths are to what is in lists and dictionaries that are compared.
    case relation(ValueSource, Comparison.Operator, ValueSource, TextOptions, contents: [ResolvedPath])
    /// As `some`, against a value of the object instead of a constant.
    case someRelation(
        ResolvedPath, Comparison.Operator, ValueSource, TextOptions, isNegated: Bool, contents: [ResolvedPath])
}

/// One value for each object.
indirect enum ValueSource: Sendable {
    case constant(Value, ValueKind)
    /// A path of single values.
    case path(ResolvedPath)
    case aggregate(Aggregate, ResolvedPath)
    /// How many elements the list or dictionary in an AnyValue has; nil where there is none. The path's last step
    /// goes to them, and it is the only one that reaches several values.
    case size(ResolvedPath)
    /// How long the text or the data at a path of single values is; nil where there is none.
    case length(ResolvedPath)
    case subqueryCount(ResolvedPath, BoundPredicate)

    var kind: ValueKind {
        switch self {
        case .constant(_, let kind): kind
        case .path(let path): path.kind
        case .aggregate(let aggregate, let path): aggregate.resultKind(path.kind)
        case .size, .length, .subqueryCount: .int
        }
    }

    /// The column of the object itself that it is.
    var ownColumn: Int? { if case .path(let path) = self { path.ownColumn } else { nil } }

    /// Where links lead.
    var target: Int? { if case .path(let path) = self { path.target } else { nil } }
}

extension BoundPredicate {
    /// All paths it reads: what must be watched to know when it may change its mind.
    var paths: [ResolvedPath] {
        switch self {
        case .constant: []
        case .and(let parts), .or(let parts): parts.flatMap(\.paths)
        case .not(let part): part.paths
        case .some(let path, .contents(_, let contents), _): [path, contents]
        case .some(let path, _, _): [path]
        case .source(let source, _): source.paths
        case .relation(let left, _, let right, _, let contents): left.paths + right.paths + contents
        case .someRelation(let path, _, let source, _, _, let contents): [path] + source.paths + contents
        }
    }

    // MARK: - Simplifying

    static func conjunction(_ parts: [BoundPredicate]) -> BoundPredicate {
        var kept: [BoundPredicate] = []
        for part in parts {
            switch part {
            case .constant(true): break
            case .constant(false): return part
            case .and(let inner): kept += inner
            default: kept.append(part)
            }
        }
        return kept.isEmpty ? .constant(true) : kept.count == 1 ? kept[0] : .and(kept)
    }

    static func disjunction(_ parts: [BoundPredicate]) -> BoundPredicate {
        var kept: [BoundPredicate] = []
        for part in parts {
            switch part {
            case .constant(false): break
            case .constant(true): return part
            case .or(let inner): kept += inner
            default: kept.append(part)
            }
        }
        return kept.isEmpty ? .constant(false) : kept.count == 1 ? kept[0] : .or(kept)
    }

    static func negation(_ part: BoundPredicate) -> BoundPredicate {
        switch part {
        case .constant(let value): .constant(!value)
        case .not(let inner): inner
        default: .not(part)
        }
    }
}

extension ValueSource {
    var paths: [ResolvedPath] {
        switch self {
        case .constant: []
        case .path(let path), .aggregate(_, let path), .size(let path), .length(let path): [path]
        case .subqueryCount(let path, let inner): [path] + inner.paths.map { $0.leavingSubquery(on: path) }
        }
    }
}

extension ResolvedPath {
    /// A path inside SUBQUERY as one outside of it: of the objects at the end of `path`, or of those around them.
    func leavingSubquery(on path: ResolvedPath) -> ResolvedPath {
        if outer > 0 {
            return ResolvedPath(
                steps: steps, kind: kind, target: target,
                written: PropertyPath(steps: written.steps, outer: outer - 1))
        }
        return ResolvedPath(
            steps: path.steps + steps, kind: kind, target: target,
            written: PropertyPath(steps: path.written.steps + written.steps, outer: path.outer))
    }
}
