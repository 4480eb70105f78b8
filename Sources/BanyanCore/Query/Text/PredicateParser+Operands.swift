#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Paths, constants and arguments.

extension PredicateParser {
    mutating func operand() throws(BanyanError) -> Operand {
        if let value = try constant() { return .value(value) }
        if current.kind == .valueArgument { return try argument() }
        if let argument = try namedArgument() { return argument }
        if take("{") { return .values(try values()) }
        if current.keyword == .subquery, following.kind == .symbol("(") { return try subquery() }
        switch current.kind {
        case .word, .nameArgument, .variable: return try path()
        default: throw error("expected a property or a value, found \(current.shown)")
        }
    }

    private mutating func values() throws(BanyanError) -> [Value] {
        var values: [Value] = []
        if take("}") { return values }
        repeat {
            if let value = try constant() {
                values.append(value)
            } else if let argument = try current.kind == .valueArgument ? argument() : namedArgument() {
                switch argument {
                case .value(let value): values.append(value)
                case .values(let several): values += several
                default: throw text.error(at: tokens[index - 1].position, "the argument is not a value")
                }
            } else {
                throw error("expected a value, found \(current.shown)")
            }
        } while take(",")
        try expect("}")
        return values
    }

    private mutating func argument() throws(BanyanError) -> Operand {
        guard argumentIndex < arguments.values.count else {
            throw error("there is no argument for \(current.shown)", remedy: "Pass one value for each %@ and %K")
        }
        let argument = try usable(arguments.values[argumentIndex])
        index += 1
        argumentIndex += 1
        return argument
    }

    /// The argument that a name stands for; nil for what is none, or the object of a SUBQUERY.
    private mutating func namedArgument() throws(BanyanError) -> Operand? {
        guard case .variable(let name) = current.kind, !variables.contains(name) else { return nil }
        guard let argument = arguments.named[name] else { throw unknownVariable(name) }
        let operand = try usable(argument)
        index += 1
        usedNames.insert(name)
        return operand
    }

    private func unknownVariable(_ name: String) -> BanyanError {
        let known = variables.map { "$\($0)" } + arguments.named.keys.sorted().map { "$\($0)" }
        return error(
            "there is no '$\(name)' here",
            remedy: known.isEmpty
                ? "Pass an argument of that name" : "There is: " + known.joined(separator: ", "))
    }

    private func usable(_ argument: QueryArguments.Argument) throws(BanyanError) -> Operand {
        switch argument {
        case .operand(let operand): return operand
        case .unusable(let reason): throw error(reason)
        }
    }

    /// What an argument for `%K` names: properties, separated by dots, and perhaps what the values at their end amount to.
    private mutating func append(
        namesOf argument: Operand, to path: inout PropertyPath, _ aggregate: inout Aggregate?
    ) throws(BanyanError) {
        switch argument {
        case .value(.string(let names)):
            for name in names.split(separator: ".", omittingEmptySubsequences: false) {
                guard !name.isEmpty else { throw error("the argument for '%K', '\(names)', is not a path") }
                if name.first == "@" {
                    try function(String(name.dropFirst()), &path, &aggregate)
                } else {
                    path.steps.append(.property(String(name)))
                }
            }
        case .path(let argument): path.steps += argument.steps
        default:
            throw error("the argument for '%K' is not a path", remedy: "Pass the name of a property, or a key path")
        }
    }

    // MARK: - Constants

    private mutating func constant() throws(BanyanError) -> Value? {
        let value: Value
        switch current.kind {
        case .string(let string): value = .string(string)
        case .number(let number): value = number
        case .tagged(let tag, let contents): value = try tagged(tag, contents)
        case .word:
            // A path may begin with such a word: `nil.name`.
            guard following.kind != .symbol(".") else { return nil }
            switch current.keyword {
            case .true, .yes: value = .bool(true)
            case .false, .no: value = .bool(false)
            case .nil, .null: value = .null
            case .nan: value = .double(.nan)
            case .inf, .infinity: value = .double(.infinity)
            default: return nil
            }
        default: return nil
        }
        index += 1
        return value
    }

    private func tagged(_ tag: String, _ contents: String) throws(BanyanError) -> Value {
        do throws(Literal.Misfit) {
            return try Literal.value(of: contents, tag: tag)
        } catch {
            throw self.error(error.reason)
        }
    }

    // MARK: - Paths

    private mutating func path() throws(BanyanError) -> Operand {
        let position = current.position
        var path = PropertyPath(steps: [])
        var aggregate: Aggregate?
        if case .variable(let name) = current.kind {
            guard let place = variables.lastIndex(of: name) else { throw unknownVariable(name) }
            path.outer = variables.count - 1 - place
            index += 1
            try expect(".")
        }
        repeat {
            switch current.kind {
            case .word(let name, _): path.steps.append(.property(name))
            case .nameArgument:
                let argument = try argument()
                index -= 1
                try append(namesOf: argument, to: &path, &aggregate)
            case .function(let name): try function(name, &path, &aggregate)
            default: throw error("expected a property name, found \(current.shown)")
            }
            index += 1
            while take("[") { try subscripts(&path, &aggregate) }
        } while take(".")
        guard !path.steps.isEmpty else { throw text.error(at: position, "expected a property name") }
        if positions[path] == nil { positions[path] = position }
        return aggregate.map { .aggregate($0, path) } ?? .path(path)
    }

    /// `["key"]`, `[1]`, `[FIRST]`, `[LAST]`, `[SIZE]` or `[*]`, behind the bracket. A path comes before an operator,
    /// and options come behind it: so it is never these.
    private mutating func subscripts(_ path: inout PropertyPath, _ aggregate: inout Aggregate?) throws(BanyanError) {
        switch current.kind {
        case .string(let key): path.steps.append(.key(.string(key)))
        case .number(let key): path.steps.append(.key(key))
        case .symbol("*"): path.steps.append(.values)
        case .word(let word, _) where word.uppercased() == "FIRST": path.steps.append(.first)
        case .word(let word, _) where word.uppercased() == "LAST": path.steps.append(.last)
        case .word(let word, _) where word.uppercased() == "SIZE":
            guard aggregate == nil else { throw error("a second aggregate in one path") }
            aggregate = .count
        case .valueArgument, .variable:
            let argument = try current.kind == .valueArgument ? argument() : namedArgument()
            index -= 1
            guard case .value(let key)? = argument else { throw error("the argument is not a key") }
            path.steps.append(.key(key))
        default: throw error("expected a key, an index, FIRST, LAST, SIZE or *, found \(current.shown)")
        }
        index += 1
        try expect("]")
    }

    private func function(
        _ name: String, _ path: inout PropertyPath, _ aggregate: inout Aggregate?
    ) throws(BanyanError) {
        if path.steps.isEmpty { throw error("'@\(name)' needs a collection before it") }
        switch name.lowercased() {
        case "keys", "allkeys": path.steps.append(.keys)
        case "values", "allvalues": path.steps.append(.values)
        case "type": path.steps.append(.type)
        case "length": path.steps.append(.length)
        default:
            guard let known = Aggregate.named(name) else {
                throw error(
                    "'@\(name)' is not known",
                    remedy: "Use \(Aggregate.someNames), @keys, @values, @type or @length")
            }
            guard aggregate == nil else { throw error("a second aggregate in one path") }
            aggregate = known
        }
    }

    private mutating func subquery() throws(BanyanError) -> Operand {
        index += 1
        try expect("(")
        guard case .path(let collection) = try path() else { throw error("expected a collection") }
        try expect(",")
        guard case .variable(let variable) = current.kind else {
            throw error("expected a variable such as $x, found \(current.shown)")
        }
        index += 1
        try expect(",")
        variables.append(variable)
        let predicate = try or()
        variables.removeLast()
        try expect(")")
        guard take("."), case .function(let name) = current.kind, ["count", "size"].contains(name.lowercased()) else {
            throw error("expected .@count after SUBQUERY(…)")
        }
        index += 1
        return .subqueryCount(collection, predicate)
    }

    // MARK: - After the predicate

    var startsClause: Bool {
        guard following.kind == .symbol("("), let keyword = current.keyword else { return false }
        return [.sort, .limit, .offset].contains(keyword)
    }

    mutating func clause(_ query: inout Query) throws(BanyanError) {
        let start = current
        index += 1
        try expect("(")
        switch start.keyword {
        case .limit:
            guard query.limit == nil else { throw text.error(at: start.position, "a second LIMIT") }
            query.limit = try count()
        case .offset: query.offset = try count()
        default: query.sort += try sortKeys()
        }
        try expect(")")
    }

    mutating func sortKeys() throws(BanyanError) -> [SortKey] {
        var keys: [SortKey] = []
        repeat {
            let operand = try path()
            let isAscending = !(take(.desc) || take(.descending))
            if isAscending { _ = take(.asc) || take(.ascending) }
            keys.append(SortKey(operand, ascending: isAscending))
        } while take(",")
        return keys
    }

    private mutating func count() throws(BanyanError) -> Int {
        guard case .number(.int(let count)) = current.kind, count >= 0 else {
            throw error("expected a number of objects, found \(current.shown)")
        }
        index += 1
        return Int(count)
    }
}
