// Comparisons with constants.

extension Binder {
    func compare(
        _ path: ResolvedPath, _ relation: Comparison.Operator, _ values: [Value], _ comparison: Comparison,
        _ negated: Bool
    ) throws(BindingProblem) -> BoundPredicate {
        if path.last.isToMany, path.kind.isLink, relation.isTextual {
            throw BindingProblem(
                path.written, "'\(path.written)' is \(typeName(path)); \(relation.rawValue) looks into texts",
                remedy: "Use IN to ask for a member")
        }
        var subject = Subject(
            shown: "'\(path.written)' is \(typeName(path))", path: path.written, kind: path.kind, target: path.target)
        var test: ValueTest
        if path.asksForType {
            test = try typeTest(path, relation, values, comparison.options)
        } else if path.asksForLength {
            subject.shown = "'\(path.written)' is Int"
            subject.kind = .int
            test = .length(try self.test(subject, relation, values, comparison.options))
        } else {
            test = try self.test(subject, relation, values, comparison.options)
        }
        return .some(path, test, isNegated: negated != (relation == .notEqual))
    }

    func compare(
        _ source: ValueSource, _ relation: Comparison.Operator, _ values: [Value], _ comparison: Comparison
    ) throws(BindingProblem) -> BoundPredicate {
        let operand = [comparison.left, comparison.right].first { $0.isConstant == false } ?? comparison.left
        let subject = Subject(
            shown: "'\(operand)' is \(source.kind.name)", path: comparison.firstPath, kind: source.kind,
            target: source.target)
        let bound = BoundPredicate.source(source, try test(subject, relation, values, comparison.options))
        return relation == .notEqual ? .negation(bound) : bound
    }

    /// What a constant is compared with.
    struct Subject {
        var shown: String
        var path: PropertyPath?
        var kind: ValueKind
        var target: Int?
        /// Whether a number must have the very value of the constant. Else the constant takes the precision of the
        /// property: 0.1 finds the Double and the Float and the decimal that are written so.
        var isExact = false

        func problem(_ text: String, remedy: String? = nil) -> BindingProblem {
            BindingProblem(path, "\(shown); \(text)", remedy: remedy)
        }
    }

    func test(
        _ subject: Subject, _ relation: Comparison.Operator, _ values: [Value], _ options: TextOptions
    ) throws(BindingProblem) -> ValueTest {
        if subject.kind == .any { return try anyTest(subject, relation, values, options) }
        if !options.isEmpty {
            guard subject.kind == .string else { throw subject.problem("\(options) is for strings") }
            guard !relation.isOrdering else {
                throw subject.problem("\(options) does not go with \(relation.rawValue)")
            }
        }
        if relation.isOrdering, !subject.kind.isOrdered {
            throw subject.problem("it can be compared with ==, != and IN only")
        }
        switch relation {
        case .isIn:
            var tests: [ValueTest] = []
            for value in values { tests.append(try equality(subject, value, options)) }
            return ValueTest.union(tests)
        case .between:
            guard values.count == 2 else { throw subject.problem("BETWEEN takes two values") }
            return try ordering(subject, .greaterOrEqual, values[0])
                .intersection(try ordering(subject, .lessOrEqual, values[1]))
        case .equal, .notEqual:
            guard values.count == 1 else {
                throw subject.problem("it is compared with several values", remedy: "Use IN")
            }
            return try equality(subject, values[0], options)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            guard values.count == 1 else { throw subject.problem("it is compared with several values") }
            return try ordering(subject, relation, values[0])
        case .beginsWith, .endsWith, .contains, .like:
            guard values.count == 1 else { throw subject.problem("it is compared with several values") }
            return try textual(subject, relation, values[0], options)
        }
    }

    // MARK: - By relation

    private func equality(
        _ subject: Subject, _ value: Value, _ options: TextOptions
    ) throws(BindingProblem) -> ValueTest {
        if value.isNull { return .isNil }
        switch subject.kind.form {
        case .bit: if case .bool(let value) = value { return .bool(value) }
        case .link:
            guard case .object(let ref) = value else { break }
            guard let target = subject.target, layout.hierarchy.isSubtype(ref.table, of: target) else {
                let type = ref.table < layout.tables.count ? layout.tables[ref.table].type.name : "another type"
                throw subject.problem("it never links to \(type)")
            }
            return .links([ref.word])
        case .text:
            guard let bytes = value.textBytes(of: subject.kind) else { break }
            guard case .string(let text) = value else { return .text(TextTest(.equal(bytes))) }
            return .text(TextTest(.equal(TextFolding.folded(text, options)), options: options))
        case .int8, .int16, .int32, .int64, .float32, .float64, .bytes12, .bytes16:
            return try range(subject, .equal, value)
        case .any: break
        }
        throw mismatch(value, subject)
    }

    private func ordering(
        _ subject: Subject, _ relation: Comparison.Operator, _ value: Value
    ) throws(BindingProblem) -> ValueTest {
        if value.isNull { throw subject.problem("nil can be compared with == and != only") }
        guard subject.kind.form == .text else { return try range(subject, relation, value) }
        guard let bytes = value.textBytes(of: subject.kind) else { throw mismatch(value, subject) }
        let limit = TextTest.Limit(bytes: bytes, isIncluded: relation == .lessOrEqual || relation == .greaterOrEqual)
        let isUpper = relation == .less || relation == .lessOrEqual
        return .text(TextTest(.between(lower: isUpper ? nil : limit, upper: isUpper ? limit : nil)))
    }

    /// Kinds whose comparisons are ranges.
    private func range(
        _ subject: Subject, _ relation: Comparison.Operator, _ value: Value
    ) throws(BindingProblem) -> ValueTest {
        let value = try fitting(value, subject)
        let kind = subject.kind
        if value.isNaN {
            // NaN equals itself and is neither less nor greater than anything.
            guard relation != .less, relation != .greater else { return .never }
        }
        switch kind.form {
        case .int8, .int16, .int32, .int64:
            return value.number.flatMap { Bound<Int64>($0) }?.range(relation, in: .min ... .max)
                .map(ValueTest.integers) ?? .never
        case .float32, .float64:
            if value.isNaN { return .isNaN }
            let bound =
                value.number.map { Bound<Double>($0, form: kind.form, isExact: subject.isExact) }
                ?? value.cell(as: kind).map { Bound<Double>(nearest: $0.double(kind)) }
            return (bound ?? nil)?.range(relation, in: -.infinity ... .infinity).map(ValueTest.binaries) ?? .never
        case .bytes12, .bytes16:
            if value.isNaN { return .wides(0...0) }
            guard let (key, order) = kind.type.wideBound(value, isExact: subject.isExact) else {
                throw mismatch(value, subject)
            }
            return Bound<UInt128>(key: key, order: order).range(relation, in: kind.type.wideKeys)
                .map(ValueTest.wides) ?? .never
        case .bit, .text, .any, .link: throw mismatch(value, subject)
        }
    }

    private func textual(
        _ subject: Subject, _ relation: Comparison.Operator, _ value: Value, _ options: TextOptions
    ) throws(BindingProblem) -> ValueTest {
        guard subject.kind.form == .text else { throw subject.problem("\(relation.rawValue) looks into texts") }
        guard var bytes = value.textBytes(of: subject.kind) else { throw mismatch(value, subject) }
        if case .string(let text) = value {
            if relation == .like {
                return .text(TextTest(.like(LikePattern(text, options: options)), options: options))
            }
            bytes = TextFolding.folded(text, options)
        } else if relation == .like {
            throw mismatch(value, subject)
        }
        let operation: TextTest.Operation =
            switch relation {
            case .beginsWith: .beginsWith(bytes)
            case .endsWith: .endsWith(bytes)
            default: .contains(bytes)
            }
        return .text(TextTest(operation, options: options))
    }

    // MARK: - Fitting

    /// The constant, converted from a string where the kind is written as one.
    private func fitting(_ value: Value, _ subject: Subject) throws(BindingProblem) -> Value {
        let kind = subject.kind
        if kind.isNumber && value.number != nil || value.scalarKind == kind && kind.form != .text { return value }
        guard case .string(let text) = value, kind.type.isWrittenInQuotes else { throw mismatch(value, subject) }
        guard let converted = Literal.value(of: text, as: kind) else {
            throw subject.problem("'\(text)' is not \(kind.type.constantForm)")
        }
        return converted
    }

    private func mismatch(_ value: Value, _ subject: Subject) -> BindingProblem {
        subject.problem("it cannot be compared with \(value.phrase)", remedy: subject.kind.type.mismatchRemedy)
    }
}

extension Operand {
    fileprivate var isConstant: Bool {
        switch self {
        case .value, .values, .nested: true
        case .path, .aggregate, .subqueryCount: false
        }
    }
}

// MARK: - Without constants

extension Binder {
    func check(
        _ left: ValueSource, _ relation: Comparison.Operator, _ right: ValueSource, _ comparison: Comparison
    ) throws(BindingProblem) {
        if case .path(let path) = left { try checkIsValue(path) }
        try check(left.kind, left.target, relation, right, comparison)
    }

    func check(
        _ left: ResolvedPath, _ relation: Comparison.Operator, _ right: ValueSource, _ comparison: Comparison
    ) throws(BindingProblem) {
        try checkIsValue(left)
        try check(left.kind, left.target, relation, right, comparison)
    }

    private func check(
        _ left: ValueKind, _ target: Int?, _ relation: Comparison.Operator, _ right: ValueSource,
        _ comparison: Comparison
    ) throws(BindingProblem) {
        if case .path(let path) = right { try checkIsValue(path) }
        func problem(_ reason: String) -> BindingProblem {
            BindingProblem(
                comparison.firstPath,
                "'\(comparison)' compares \(left.name) with \(right.kind.name)\(reason)")
        }
        let isAny = left == .any && right.kind != .embedded || right.kind == .any && left != .embedded
        let isAlike =
            isAny || left == right.kind || left.isNumber && right.kind.isNumber || left.isLink && right.kind.isLink
        guard isAlike else { throw problem(", which never are equal") }
        if left.isLink, right.kind.isLink, let target, let other = right.target,
            !layout.hierarchy.areRelated(target, other)
        {
            throw problem("s of different types")
        }
        if relation == .isIn || relation == .between { throw problem("; \(relation.rawValue) takes constants") }
        if relation.isOrdering, !left.isOrdered || !right.kind.isOrdered { throw problem(", which have no order") }
        if relation.isTextual, !left.isText { throw problem("; \(relation.rawValue) looks into texts") }
        if relation == .like, left != .string, left != .any { throw problem("; LIKE is for strings") }
        if !comparison.options.isEmpty, left != .string && left != .any || relation.isOrdering {
            throw problem("; \(comparison.options) is for strings, and not for their order")
        }
    }
}
