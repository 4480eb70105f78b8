import BanyanCore
import Synchronization

/// Finds out which stored property a key path names by reading it from an object that only takes notes.
///
/// There is no way from a key path to a name on Linux. So the key path is applied to a *probe*: a handle whose every read goes
/// the slow way, which knows the property by its number. A computed property gives itself away: for one of three samples it
/// reads something else, or what it returns is not what is stored.
final class KeyPathProbe {
    /// The properties read, from the probed object on.
    private(set) var path: [(model: _ObjectModel, column: Int)] = []
    /// Where the object has its values that the last of them was read from. Not the object: it holds the graph, which
    /// holds this, and it may stand on the stack of whoever reads it.
    private var lastPage: UnsafeMutableRawPointer?
    let sample: Sample
    private var pages: [UnsafeMutableRawPointer] = []

    /// What the probed objects hold.
    enum Sample: CaseIterable {
        case some, others, nils
    }

    init(_ sample: Sample) { self.sample = sample }

    deinit { for page in pages { page.deallocate() } }

    /// Takes note of a property that is read.
    func note(_ object: ObjectBase, _ column: Int) {
        path.append((type(of: object)._$model, column))
        lastPage = object._page
    }

    /// What the property read last, one of a single value, holds, as Swift sees it.
    func lastStoredValue(_ graph: Graph) -> (any Hashable)? {
        guard let (model, column) = path.last, let lastPage else { return nil }
        let kind = model.properties[column].type.kind
        let cell = model.unmanagedColumns[column].load(kind, lastPage, 0)
        return graph.swiftValue(Value(cell, kind), kind, in: graph.workspace.view) as? any Hashable
    }

    func linked<T: ObjectBase>(_ object: ObjectBase, _ column: Int, _ type: T.Type) -> T? {
        object._graph.map { $0.probeInstance(type) }
    }

    func makePage(_ layout: PageLayout) -> UnsafeMutableRawPointer {
        let page = UnsafeMutableRawPointer.allocate(byteCount: layout.size, alignment: 16)
        page.initializeMemory(as: UInt8.self, repeating: 0, count: layout.size)
        pages.append(page)
        return page
    }
}

extension Graph {
    /// A graph of probes only.
    convenience init(probe: KeyPathProbe, _ binding: ModelBinding, _ version: Version) {
        self.init(frozen: version, binding)
        self.probe = probe
    }

    /// A handle that takes notes.
    func probeInstance<T: ObjectBase>(_ type: T.Type) -> T {
        let model = type._$model
        let probe = probe.unsafelyUnwrapped
        let page = probe.makePage(model.unmanagedLayout)
        // Links must look set for a path to go on, and values be such that a computed property gives another one.
        for (i, property) in model.properties.enumerated() where !property.type.isInverse {
            let column = model.unmanagedLayout.columns[i]
            guard property.type.shape == .single, property.type.kind != .any else { continue }
            let isNil = probe.sample == .nils && property.type.isOptional && !property.type.kind.isLink
            column.store(isNil ? .null : probe.sample.cell(property.type.kind), property.type.kind, page, 0)
        }
        return type.init(
            _$binding: _ObjectBinding(
                // In no page of the table, and the first slot of its own.
                owner: Unmanaged.passUnretained(context),
                id: ObjectID(table: 0, slot: Int(UInt32.max) & ~Page.slotMask, generation: 0), page: page, stamp: 0,
                standing: workspace.standing, columns: model.unmanagedColumns))
    }
}

extension KeyPathProbe.Sample {
    fileprivate func cell(_ kind: ValueKind) -> Cell {
        let isOther = self == .others
        switch kind.form {
        case .text: return [UInt8]((isOther ? " a\tB\n" : "zQ7é").utf8).withUnsafeBytes { Text.inlineCell($0) }
        case .bit: return Cell(low: isOther ? 0 : 1)
        case .link: return Cell(low: 1)
        case .any: return .null
        case .int8, .int16, .int32, .int64: return Cell(low: isOther ? UInt64(bitPattern: -5) : 37)
        case .float32: return Cell(low: UInt64(Float(isOther ? -2.5 : 3.75).bitPattern))
        case .float64: return Cell(low: (isOther ? -2.5 : 37.75).bitPattern)
        case .bytes12, .bytes16: return Cell(low: isOther ? 5 : 37, high: 0x3040_0000_0000_0000)
        }
    }
}
