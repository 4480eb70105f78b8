public import BanyanCore

/// What `Object` and `EmbeddedObject` share: a handle of a few words that knows where its object's values are.
///
/// A handle caches the page it last read from and the *stamp* under which that page was found. As long as the stamp of its
/// graph is the same, a property is read by adding offsets to the page's address. An unmanaged object owns a page of one
/// slot with the same columns, and its stamp never changes, so the same instructions serve both.
///
/// Objects are not `Sendable`: an unmanaged one belongs to whoever made it, a managed one to the isolation of its graph.
open class ObjectBase {
    // Every access goes through the same few lines below, none of which can overlap with another access to the same field,
    // so dynamic exclusivity checks would only cost.
    @exclusivity(unchecked) @usableFromInline final var _page: UnsafeMutableRawPointer
    @exclusivity(unchecked) @usableFromInline final var _stamp: UInt64
    @exclusivity(unchecked) @usableFromInline final var _stamps: UnsafePointer<UInt64>
    @exclusivity(unchecked) @usableFromInline final var _columns: UnsafePointer<Column>
    /// The slot in the page: 0 for an unmanaged object.
    @exclusivity(unchecked) @usableFromInline final var _slot: Int
    @exclusivity(unchecked) final var _id: ObjectID
    @exclusivity(unchecked) final var _graph: Graph?

    /// A new unmanaged object with the defaults its class declares.
    public required init() {
        let model = Self._$model
        _page = model.makeUnmanagedPage()
        _stamp = 0
        _stamps = UnmanagedStamps.zeros
        _columns = model.unmanagedColumns
        _slot = 0
        _id = ObjectID(table: 0, slot: 0, generation: 0)
        _graph = nil
        model.setImplicitDefaults(of: self)
        _$initializeDefaults()
    }

    /// A handle of a managed object. For the code that `@Model` writes.
    public required init(_$binding binding: _ObjectBinding) {
        _page = binding.page
        _stamp = binding.stamp
        _stamps = binding.stamps
        _columns = binding.columns
        _slot = Int(binding.id.slot) & Page.slotMask
        _id = binding.id
        _graph = binding.graph
    }

    deinit {
        if _graph == nil { Self._$model.destroyUnmanagedPage(_page) }
    }

    /// The description of the class that `@Model` makes.
    open class var _$model: _ObjectModel {
        fatalError("\(self) is not a model: write @Model in front of the class")
    }

    /// Sets the declared defaults. For the code that `@Model` writes.
    open func _$initializeDefaults() {}

    @inlinable
    @inline(__always)
    public final func _$get<V: _PersistedProperty>(_ slot: Int) -> V { V._$get(self, slot) }

    @inlinable
    @inline(__always)
    public final func _$set<V: _PersistedProperty>(_ slot: Int, _ value: V) { V._$set(self, slot, value) }

    @_disfavoredOverload
    @available(*, unavailable, message: "this type is not stored; make it CustomPersistable, or leave out '@Persisted'")
    public final func _$get<V>(_ slot: Int) -> V { fatalError("unavailable") }

    @_disfavoredOverload
    @available(*, unavailable, message: "this type is not stored; make it CustomPersistable, or leave out '@Persisted'")
    public final func _$set<V>(_ slot: Int, _ value: V) { fatalError("unavailable") }
}

/// Where a handle starts out. Made by graphs only.
public struct _ObjectBinding {
    let graph: Graph
    let id: ObjectID
    let page: UnsafeMutableRawPointer
    let stamp: UInt64
    let stamps: UnsafePointer<UInt64>
    let columns: UnsafePointer<Column>
}

enum UnmanagedStamps {
    /// The stamp and the serial that every unmanaged object matches for ever.
    // Sound: two words that nobody writes.
    nonisolated(unsafe) static let zeros: UnsafePointer<UInt64> = {
        let words = UnsafeMutablePointer<UInt64>.allocate(capacity: 2)
        words.initialize(repeating: 0, count: 2)
        return UnsafePointer(words)
    }()
}

// MARK: - Finding the page

extension ObjectBase {
    /// The page to read from.
    @inlinable
    @inline(__always)
    final func _$readablePage(_ column: Int) -> UnsafeMutableRawPointer {
        if _stamps.pointee == _stamp { return _page }
        return _$findPage(column)
    }

    /// The page to store into, when its column needs no more than that.
    @inlinable
    @inline(__always)
    final func _$writablePage(_ column: Int) -> UnsafeMutableRawPointer? {
        if _stamps.pointee == _stamp, _page.load(as: UInt64.self) == _stamps[1] { return _page }
        return _$makeWritable(column)
    }

    @usableFromInline
    @inline(never)
    final func _$findPage(_ column: Int) -> UnsafeMutableRawPointer {
        guard let graph = _graph else { return _page }
        if let probe = graph.probe { return probe.page(of: self, reading: column) }
        guard let page = graph.workspace.locate(_id) else {
            graph.reportInvalidated(_id, column)
            return graph.binder(Int(_id.table)).ghost
        }
        _page = UnsafeMutableRawPointer(mutating: page)
        _stamp = _stamps.pointee
        return _page
    }

    @usableFromInline
    @inline(never)
    final func _$makeWritable(_ column: Int) -> UnsafeMutableRawPointer? {
        guard let graph = _graph else { return _page }
        let transaction = graph.requireTransaction(_id, column)
        guard transaction.contains(_id) else {
            graph.reportInvalidated(_id, column)
            return nil
        }
        _page = transaction.writablePage(Int(_id.table), slot: Int(_id.slot))
        graph.workspace.allowDirectStores()
        _stamp = _stamps.pointee
        return _page
    }

    /// Whether the column takes a plain store: always in an unmanaged object.
    @inlinable
    @inline(__always)
    final func _$isPlain(_ column: Int) -> Bool { _columns[column].flags == 0 }
}
