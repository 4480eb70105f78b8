import BanyanCore

/// The object that stands for a list or a dictionary in an AnyValue: see `NestedValues`. Nobody outside sees one.
final class NestedRow: EmbeddedObject {
    var list: List<AnyValue> { _$get(NestedValues.listColumn) }
    var dictionary: Map<String, AnyValue> { _$get(NestedValues.dictionaryColumn) }

    override class var _$model: _ObjectModel { model }

    private static let model = _ObjectModel(
        NestedRow.self, name: NestedValues.typeName, superclass: EmbeddedObject.self
    ) { (model: inout _ModelDescription<NestedRow>) in
        model.property("list", \.list)
        model.property("dictionary", \.dictionary)
    }
}
