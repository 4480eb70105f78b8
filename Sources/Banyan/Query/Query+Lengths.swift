import BanyanCore
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// How long texts and data are.

extension Query where T == String {
    /// How many characters the text has, as in Swift.
    public var count: Query<Int> { length() }
    /// Whether the text is empty. An index of the property serves.
    public var isEmpty: Query<Bool> { compare(.equal, .value(.string(""))) }
}

extension Query where T == String? {
    /// How many characters the text has, as in Swift; nil where there is none.
    public var count: Query<Int?> { length() }
    /// Whether there is a text, and it is empty. An index of the property serves.
    public var isEmpty: Query<Bool> { compare(.equal, .value(.string(""))) }
}

extension Query where T == Data {
    /// How many bytes there are.
    public var count: Query<Int> { length() }
    /// Whether there are no bytes.
    public var isEmpty: Query<Bool> { compare(.equal, .value(.data(Data()))) }
}

extension Query where T == Data? {
    /// How many bytes there are; nil where there is nothing.
    public var count: Query<Int?> { length() }
    /// Whether there is a value of no bytes.
    public var isEmpty: Query<Bool> { compare(.equal, .value(.data(Data()))) }
}

extension Query {
    private func length<R>() -> Query<R> { Query<R>(.operand(.path(path.appending(.length))), scope) }
}
