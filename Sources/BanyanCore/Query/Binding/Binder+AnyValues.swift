// Comparing AnyValues with constants: a constant asks for every kind of value that can be compared with it. Numbers are
// equal where they are the same number, exactly, as in an index and a set: see `AnyOrder`.

extension Binder {
    func anyTest(
        _ subject: Subject, _ relation: Comparison.Operator, _ values: [Value], _ options: TextOptions
    ) throws(BindingProblem) -> ValueTest {
        switch relation {
        case .isIn:
            var parts: [ValueTest] = []
            for value in values { parts.append(try anyTest(subject, .equal, [value], options)) }
            return union(parts)
        case .between:
            guard values.count == 2 else { throw subject.problem("BETWEEN takes two values") }
            let lower = try anyTest(subject, .greaterOrEqual, [values[0]], options)
            let upper = try anyTest(subject, .lessOrEqual, [values[1]], options)
            guard case .any(let low) = lower, case .any(let high) = upper else { return .never }
            var tests: [AnyKind: ValueTest] = [:]
            for (kind, test) in low.tests {
                if let other = high.tests[kind] { tests[kind] = test.intersection(other) }
            }
            return .any(AnyTest(tests: tests))
        default: break
        }
        guard values.count == 1 else { throw subject.problem("it is compared with several values", remedy: "Use IN") }
        let isEquality = relation == .equal || relation == .notEqual
        if values[0].isNull { return isEquality ? .isNil : .never }
        var tests: [AnyKind: ValueTest] = [:]
        for kind in AnyKind.comparable(with: values[0].anyKind) {
            guard let valueKind = kind.valueKind, valueKind.isOrdered || !relation.isOrdering else { continue }
            if let link = values[0].link, isEquality {
                // A list and a dictionary are equal to themselves, as an object is.
                tests[kind] = .links([link.word])
                continue
            }
            var inner = subject
            inner.kind = valueKind
            inner.isExact = true
            tests[kind] = try test(inner, relation, values, options)
        }
        if tests.isEmpty { return .never }
        return .any(AnyTest(tests: tests, values: isEquality && options.isEmpty ? values : nil))
    }

    /// The test of an AnyValue whose type is compared with names of types.
    func typeTest(
        _ path: ResolvedPath, _ relation: Comparison.Operator, _ values: [Value], _ options: TextOptions
    ) throws(BindingProblem) -> ValueTest {
        guard relation == .equal || relation == .notEqual || relation == .isIn, options.isEmpty else {
            throw BindingProblem(path.written, "'\(path.written)' can be compared with ==, != and IN only")
        }
        var kinds: Set<AnyKind> = []
        for value in values {
            switch value {
            case .null: kinds.insert(.none)
            case .string(let name):
                guard let named = AnyKind.named(name) else {
                    throw BindingProblem(
                        path.written, "there is no type '\(name)' of AnyValues", remedy: "Use \(AnyKind.someNames)")
                }
                kinds.formUnion(named)
            default:
                throw BindingProblem(
                    path.written, "'\(path.written)' is compared with the name of a type",
                    remedy: "Use \(AnyKind.someNames)")
            }
        }
        return .kinds(kinds)
    }

    private func union(_ parts: [ValueTest]) -> ValueTest {
        var all: [AnyKind: [ValueTest]] = [:]
        var values: [Value]? = []
        var others: [ValueTest] = []
        for part in parts {
            guard case .any(let test) = part else {
                others.append(part)
                continue
            }
            for (kind, inner) in test.tests { all[kind, default: []].append(inner) }
            values = values.flatMap { some in test.values.map { some + $0 } }
        }
        if !all.isEmpty {
            others.append(.any(AnyTest(tests: all.mapValues { ValueTest.union($0) }, values: values)))
        }
        return ValueTest.union(others)
    }
}
