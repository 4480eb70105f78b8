// What an aggregate is but for its arithmetic, which is `Accumulator`'s: its names in texts, the values it takes and what it makes
// of them.

/// One value made of many.
package enum Aggregate: String, Sendable, Hashable, CaseIterable {
    case count = "@count"
    case minimum = "@min"
    case maximum = "@max"
    /// 0 of nothing; nil values are left out.
    case sum = "@sum"
    /// nil of nothing; nil values are left out.
    case average = "@avg"
    /// The value in the middle, or the mean of the two that are; nil of nothing; nil values are left out.
    case median = "@median"

    /// What it is called in texts, without the @ and in any case.
    private var names: [String] {
        switch self {
        case .count: ["count", "size"]
        case .minimum: ["min"]
        case .maximum: ["max"]
        case .sum: ["sum"]
        case .average: ["avg", "average"]
        case .median: ["median"]
        }
    }

    /// The one that a name without its @ stands for, in any case; nil for what is none.
    package static func named(_ name: String) -> Aggregate? {
        let name = name.lowercased()
        return allCases.first { $0.names.contains(name) }
    }

    /// The names, for messages.
    static var someNames: String { allCases.map(\.rawValue).joined(separator: ", ") }

    // MARK: - Its values

    /// What values must be.
    enum Need {
        case elements, order, numbers

        /// As messages say it.
        var words: String {
            switch self {
            case .elements: "a collection at the path's end"
            case .order: "values with an order"
            case .numbers: "numbers"
            }
        }
    }

    var need: Need {
        switch self {
        case .count: .elements
        case .minimum, .maximum: .order
        case .sum, .average, .median: .numbers
        }
    }

    /// Whether values of `kind` are what it takes.
    func takes(_ kind: ValueKind) -> Bool {
        switch need {
        case .elements, .order: kind.isOrdered
        case .numbers: kind.isSummable
        }
    }

    /// The kind of the result over values of `kind`, of which the aggregate must be one.
    package func resultKind(_ kind: ValueKind) -> ValueKind {
        switch self {
        case .count: .int
        case .minimum, .maximum: kind
        case .sum: kind.type.sumKind ?? kind
        case .average, .median: kind.type.meanKind ?? kind
        }
    }
}
