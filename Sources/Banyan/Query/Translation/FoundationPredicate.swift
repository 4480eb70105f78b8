// Foundation's `Predicate` on objects of one class, which is what `#Predicate<Person> { … }` makes. The engine has a type of
// that name too.

#if canImport(FoundationEssentials)
    public import FoundationEssentials

    public typealias _FoundationPredicate<Object> = FoundationEssentials.Predicate<Object>
#else
    public import Foundation

    public typealias _FoundationPredicate<Object> = Foundation.Predicate<Object>
#endif
