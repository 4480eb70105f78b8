// Comparing AnyValues with constants: a constant asks for every kind of value that can be compared with it.

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
        if values[0].isNull {
            guard relation == .equal || relation == .notEqual else {
                throw subject.problem("nil can be compared with == and != only")
            }
            return .isNil
        }
        let kinds = kinds(comparableWith: values[0])
        guard !kinds.isEmpty else { throw subject.problem("it cannot be compared with a list or a dictionary") }
        var tests: [AnyKind: ValueTest] = [:]
        for kind in kinds {
            guard let valueKind = kind.valueKind else { continue }
            var inner = subject
            inner.kind = valueKind
            if case .object(let ref) = values[0] { inner.target = ref.table }
            tests[kind] = try test(inner, relation, values, options)
        }
        let isEquality = (relation == .equal || relation == .notEqual) && options.isEmpty
        return .any(AnyTest(tests: tests, values: isEquality ? values : nil))
    }

    private func kinds(comparableWith value: Value) -> [AnyKind] {
        switch value {
        case .int, .float, .double, .decimal128: [.int, .float, .double, .decimal128]
        case .bool: [.bool]
        case .string: [.string]
        case .data: [.data]
        case .date: [.date]
        case .uuid: [.uuid]
        case .objectId: [.objectId]
        case .object: [.object]
        case .null, .list, .dictionary: []
        }
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
