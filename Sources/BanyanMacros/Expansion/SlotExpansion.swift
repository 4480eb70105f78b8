import SwiftSyntax

/// The place of each property among all that the class stores: those of the superclass first, then in declared order.
///
/// Below `Object` and `EmbeddedObject`, which store nothing, places are literals, and an accessor is one call with a
/// constant. Below another model they follow from what that one stores.
enum SlotExpansion {
    static func members(of model: ModelDescription) -> [DeclSyntax] {
        guard !(model.properties.isEmpty && model.unplaced.isEmpty) else { return [] }
        var lines: [String] = []
        if model.base == .model {
            lines.append("static let _$firstSlot: Int = \(model.superclass)._$model.propertyCount")
        }
        for (index, property) in model.properties.enumerated() {
            let slot = model.base == .model ? "_$firstSlot + \(index)" : "\(index)"
            lines.append("@inline(__always) static var \(property.identifier): Int { \(slot) }")
        }
        for identifier in model.unplaced {
            lines.append("static var \(identifier): Int { fatalError() }")
        }
        return [DeclSyntax(text: "private enum _$Slot {\n    \(lines.joined(separator: "\n    "))\n}")]
    }
}
