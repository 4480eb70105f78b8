#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// A date is stored as its seconds since 2001, a Double.

extension Date: BinaryScalar {
    package static var valueKind: ValueKind { .date }
    package static var kindName: String { "Date" }
    package static var phrase: String { "a date" }
    package static var constantForm: String { "an ISO 8601 date such as '2024-02-29' or '2024-02-29T18:30:00.25Z'" }
    package static var isWrittenInQuotes: Bool { true }
    package static var mismatchRemedy: String? { "Write \(constantForm)" }
    package static var swiftInitial: String { " = Date(timeIntervalSinceReferenceDate: 0)" }
    package static var canBeIndexed: Bool { true }
    package static var anyRank: UInt8? { 5 }
    package static var typeNames: [String] { ["date", "timestamp"] }
    package static var taggedLiteral: TaggedLiteral? {
        TaggedLiteral(tag: "T", misfit: "expected the seconds since 2001-01-01T00:00:00Z") { contents in
            Double(contents).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        }
    }

    package init(cell: Cell) { self.init(timeIntervalSinceReferenceDate: Double(bitPattern: cell.low)) }
    package var cell: Cell { Cell(low: timeIntervalSinceReferenceDate.bitPattern) }
    package var value: Value { .date(self) }
    @inline(__always)
    package static func binary(_ cell: Cell) -> Double { Double(bitPattern: cell.low) }
    @inline(__always)
    package static func hashCell(_ cell: Cell, seed: UInt64) -> UInt64 { hash(bits: cell, seed: seed) }
    package func isIdentical(to other: Date) -> Bool { cell.low == other.cell.low }
    package var isNaN: Bool { timeIntervalSinceReferenceDate.isNaN }

    package static func value(written text: String) -> Value? { ISODate.date(text).map { .date($0) } }

    package var literal: String {
        ISODate.text(of: self).map(Literal.quoted) ?? "T\"\(timeIntervalSinceReferenceDate)\""
    }
    package var text: String { ISO8601Format() }
    package var shortText: String { ISODate.text(of: self) ?? "\(timeIntervalSinceReferenceDate) s from 2001" }
    package var keyText: String { ISODate.text(of: self) ?? "\(timeIntervalSinceReferenceDate)" }
    package var json: ScalarJSON {
        ISODate.text(of: self).map { .string($0) } ?? .double(timeIntervalSinceReferenceDate)
    }
}
