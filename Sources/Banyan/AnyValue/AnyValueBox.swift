import BanyanCore

/// The value of an AnyValue property of an unmanaged object, which may hold objects and collections: the object's page has a
/// word for it, as for a collection.
final class AnyValueBox: LiveCollection {
    private(set) var value: AnyValue

    init(_ value: AnyValue) {
        self.value = value
        super.init()
    }

    /// The value behind such a word; 0 stands for none.
    static func value(_ word: UInt64) -> AnyValue {
        guard let box = _ObjectModel.reference(word) else { return .none }
        return unsafeDowncast(box, to: AnyValueBox.self).value
    }

    override func takeContents(into release: inout UnmanagedRelease) {
        release.add(exchange(&value, with: .none))
    }
}

extension AnyValueBox: _OwnedContents {
    func _$adopt(_ graph: Graph, _ id: ObjectID, _ column: Int, isUpdate: Bool) throws(BanyanError) {
        guard let transaction = graph.workspace.transaction else { return }
        if let cell = value.cell(in: graph, column, of: id) { transaction.set(id, column, cell) }
        if let fault = transaction.fault { throw fault }
    }
}
