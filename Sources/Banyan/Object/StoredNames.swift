import BanyanCore

/// Finds out what files call the properties of a class: what `@Persisted(name:)` says, or `propertiesMapping()`, or else what
/// they are called in code.
struct StoredNames {
    /// Those of the superclass first.
    private(set) var properties: [_PropertyInfo]
    private let inheritedCount: Int
    private let model: String
    /// The first mistake.
    private var mistake: BanyanError?

    init(_ inherited: [_PropertyInfo], _ own: [_PropertyInfo], of model: String) {
        properties = inherited + own
        inheritedCount = inherited.count
        self.model = model
    }

    mutating func apply(_ mapping: [String: String]) {
        // In the order of the names, so that of several mistakes it is always the same one that is reported.
        for (name, stored) in mapping.sorted(by: { $0.key < $1.key }) {
            guard let column = properties.firstIndex(where: { $0.name == name }) else {
                report(
                    "propertiesMapping() names '\(name)', which is no stored property", name,
                    remedy: "The properties are " + properties.map(\.name).joined(separator: ", "))
                continue
            }
            let known = properties[column].storedName
            guard known != stored else { continue }
            if column < inheritedCount {
                report(
                    "'\(name)' is stored as '\(known)' by the superclass, and cannot be stored as '\(stored)' here",
                    name,
                    remedy: "Leave it out of this class's propertiesMapping()")
            } else if known != name {
                report(
                    "'\(name)' has two stored names: '\(known)' and, by propertiesMapping(), '\(stored)'", name,
                    remedy: "Say it in one place")
            } else {
                properties[column].storedName = stored
            }
        }
    }

    /// What is wrong with the names, if anything is.
    func problem() -> BanyanError? {
        if let mistake { return mistake }
        var owners: [String: String] = [:]
        for property in properties {
            guard let first = owners.updateValue(property.name, forKey: property.storedName) else { continue }
            return BanyanError(
                .invalidSchema, "'\(first)' and '\(property.name)' are both stored as '\(property.storedName)'",
                remedy: "Give one of them another stored name", at: .init(type: model, property: property.name))
        }
        return nil
    }

    private mutating func report(_ message: String, _ property: String, remedy: String) {
        if mistake == nil {
            mistake = BanyanError(
                .invalidSchema, message, remedy: remedy, at: .init(type: model, property: property))
        }
    }
}
