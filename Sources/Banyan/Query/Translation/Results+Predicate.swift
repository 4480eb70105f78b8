import BanyanCore
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// `#Predicate` of Foundation. Without these a predicate would be evaluated for one object after another, to an array.

extension Results {
    /// Those that satisfy a predicate of Foundation as well: live, and found by indexes, as with `where`.
    ///
    /// ```swift
    /// try results.filter(#Predicate { $0.age > 30 && $0.dogs.contains { $0.name == "Rex" } })
    /// ```
    /// A link that is unwrapped with `!` and is nil makes a comparison false. Texts are compared by their bytes, as in all
    /// queries.
    ///
    /// - Throws: `invalidQuery` for what a query has nothing for: arithmetic, casts, computed properties.
    public func filter(_ predicate: _FoundationPredicate<Element>) throws(BanyanError) -> Results {
        let results = Results(source.narrowed(try PredicateTranslator.condition(predicate, graph)))
        try results.source.check()
        return results
    }
}

extension ObjectCollection where Element: ObjectBase {
    /// Those that satisfy a predicate of Foundation, live: see ``Results/filter(_:)``. Managed collections only.
    ///
    /// - Throws: `invalidQuery` for what a query has nothing for.
    public func filter(_ predicate: _FoundationPredicate<Element>) throws(BanyanError) -> Results<Element> {
        try results.filter(predicate)
    }
}

extension Map {
    /// The objects among the values that satisfy a predicate of Foundation, live. Managed maps only.
    ///
    /// - Throws: `invalidQuery` for what a query has nothing for.
    public func filter<Object: ObjectBase>(
        _ predicate: _FoundationPredicate<Object>
    ) throws(BanyanError) -> Results<Object> where Value == Object? {
        try results().filter(predicate)
    }
}
