import BanyanCore

// What the placeholders of a query's text stand for. Arguments are values, or paths where `%K` stands: none is ever read as
// text of the query.

extension Graph {
    func arguments(_ values: [Any?]) -> QueryArguments { QueryArguments(values.map { argument($0) }) }

    func arguments(_ named: [String: Any?]) -> QueryArguments {
        QueryArguments(named: named.mapValues { argument($0) })
    }

    private func argument(_ any: Any?) -> QueryArguments.Argument {
        do throws(BanyanError) {
            return try usableArgument(any)
        } catch {
            return .unusable(error.message)
        }
    }

    private func usableArgument(_ any: Any?) throws(BanyanError) -> QueryArguments.Argument {
        guard let any, !ValueConversion.isNil(any) else { return .operand(.value(.null)) }
        if let keyPath = any as? AnyKeyPath { return argument(keyPath: keyPath) }
        if let nested = (any as? AnyValue)?.nestedConstant(in: self) { return .operand(.nested(nested)) }
        if let value = try storedValue(ofArgument: any) { return .operand(.value(value)) }
        if any is ObjectBase || any is DynamicObject {
            return .unusable("the argument is an object that is not in this graph")
        }
        guard let several = any as? any Collection else { return unusable(any) }
        var values: [Value] = []
        for element in several {
            guard let value = try storedValue(ofArgument: element) else { return unusable(element) }
            values.append(value)
        }
        return .operand(.values(values))
    }

    private func unusable(_ any: Any) -> QueryArguments.Argument {
        .unusable("the argument is a \(Swift.type(of: any)), which no query compares with")
    }

    /// One value; nil for what is none, or is not in this graph.
    private func storedValue(ofArgument any: Any) throws(BanyanError) -> Value? {
        if ValueConversion.isNil(any) { return .null }
        if let dynamic = any as? DynamicObject { return value(dynamic.object) }
        if let value = any as? any CollectionValue { return self.value(value) }
        guard !(any is any Collection) else { return nil }
        // Numbers of Foundation, integers without a sign, raw values.
        return try AnyValue.converting(any).flatMap { value($0) }
    }

    private func argument(keyPath: AnyKeyPath) -> QueryArguments.Argument {
        guard let root = Swift.type(of: keyPath).rootType as? any _QueriedObject.Type else {
            return .unusable(
                "the argument, a key path of \(Swift.type(of: keyPath).rootType), is of no class of objects")
        }
        do throws(BanyanError) {
            let properties = try KeyPathTracer.properties(keyPath, of: root._$model)
            return .operand(.path(PropertyPath(steps: properties.map { .property($0.name) })))
        } catch {
            return .unusable(error.message)
        }
    }
}

extension ResultsSource {
    /// Those of the same objects that satisfy a condition of the string language as well.
    ///
    /// - Throws: `invalidQuery`, naming the column of the text.
    func filtered(_ condition: String, _ arguments: QueryArguments) throws(BanyanError) -> ResultsSource {
        if let fault = fault() { throw fault }
        let parsed = try PredicateParser.condition(condition, on: query.type, arguments: arguments)
        let filtered = narrowed(parsed.query.predicate)
        do throws(BanyanError) {
            try filtered.check()
            return filtered
        } catch {
            // The same with the column, if it is this text that is wrong.
            _ = try parsed.plan(on: graph.workspace.layout)
            throw error
        }
    }
}
