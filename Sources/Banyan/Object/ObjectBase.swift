public import BanyanCore

/// What `Object` and `EmbeddedObject` share: a handle of a few words that knows where its object's values are.
///
/// A handle caches the page it last read from and the *stamp* under which that page was found. As long as the stamp of its
/// graph is the same, a property is read by adding offsets to the page's address. An unmanaged object owns a page of one
/// slot with the same columns, and its stamp never changes, so the same instructions serve both.
///
/// Objects are not `Sendable`: an unmanaged one belongs to whoever made it, a managed one to the isolation of its graph.
///
/// A handle that does not outlive the function it is used in should cost nothing at all: `graph.object(…)?.age` needs the page,
/// not the handle. So whatever a read goes through is inlinable, and the few slow ways that are not say by their effects that
/// they keep no reference to the object and give none up; then the compiler puts the handle on the stack and counts nothing.
/// Sound as long as it is true: none of the functions marked so may store the object anywhere. (The formatter takes the space
/// out of `notEscaping self`; the compiler reads it all the same.)
nonisolated open class ObjectBase {
    // Every access goes through the same few lines below, none of which can overlap with another access to the same field,
    // so dynamic exclusivity checks would only cost.
    @exclusivity(unchecked) @usableFromInline final var _page: UnsafeMutableRawPointer
    @exclusivity(unchecked) @usableFromInline final var _stamp: UInt64
    @exclusivity(unchecked) @usableFromInline final var _standing: UnsafeMutablePointer<Standing>
    @exclusivity(unchecked) @usableFromInline final var _columns: UnsafePointer<Column>
    /// What the object shares with its graph; nil for an unmanaged one. It is counted in `_standing`.
    // Not spelled with `?`, which would add an initial value, and a call for it.
    @exclusivity(unchecked) @usableFromInline final var _owner: Optional<Unmanaged<GraphContext>>
    @exclusivity(unchecked) @usableFromInline final var _id: ObjectID

    /// A new unmanaged object with the defaults its class declares.
    public required init() {
        let model = Self._$model
        _page = model.makeUnmanagedPage()
        _stamp = 0
        _standing = Standing.unmanaged
        _columns = model.unmanagedColumns
        _owner = nil
        _id = ObjectID(table: 0, slot: 0, generation: 0)
        model.setImplicitDefaults(of: self)
        _$initializeDefaults()
    }

    /// A handle of a managed object. For the code that `@Model` writes.
    @inlinable
    public required init(_$binding binding: _ObjectBinding) {
        _page = binding.page
        _stamp = binding.stamp
        _standing = binding.standing
        _columns = binding.columns
        _owner = binding.owner
        _id = binding.id
        binding.standing.pointee.holders &+= 1
    }

    @inlinable
    deinit {
        guard let owner = _owner else { return _$destroyUnmanaged() }
        let left = _standing.pointee.holders &- 1
        _standing.pointee.holders = left
        if left == 0 { GraphContext.release(owner) }
    }

    /// The description of the class that `@Model` makes.
    open class var _$model: _ObjectModel {
        fatalError("\(self) is not a model: write @Model in front of the class")
    }

    /// Whether no class inherits from this one, as far as the compiler is concerned. For the code that `@Model` writes.
    open class var _$isFinal: Bool { false }

    /// The `CodingKeys` the class has. For the code that `@Model` writes.
    open class var _$codingKeys: _CodingKeys? { nil }

    /// The properties that stay out of `detached()` values and of what `print` shows: private ones that are not asked for, and
    /// those declared `@Persisted(detached: false)`. For the code that `@Model` writes.
    open class var _$concealed: Set<String> { [] }

    /// What `print(object)` shows: the class and its stored properties, as text that is never longer than a page.
    ///
    /// Objects that are linked to are named by their primary key, or else by their ``ObjectID``; embedded ones are written out, a
    /// few levels deep. Of a collection the first ten elements are shown, and how many more there are. Values are shown as they
    /// are stored, an enum as its raw value. Properties that are `private` stay out, unless `@Persisted(detached: true)` asks for
    /// them. Nothing is reported: an object that was deleted says so.
    ///
    /// A class that conforms to `CustomStringConvertible` is printed as its own `description` says.
    open var debugDescription: String { DescriptionWriter.text(of: self) }

    /// What files call properties that are not stored under their own names: override it to give names in one place, instead of
    /// writing `@Persisted(name:)` on each.
    ///
    /// Names that are no properties, and two properties of one stored name, are errors when a store is opened. A class inherits
    /// the names of its superclass.
    open class func propertiesMapping() -> [String: String] { [:] }

    /// Sets the declared defaults. For the code that `@Model` writes.
    open func _$initializeDefaults() {}

    @inlinable
    @inline(__always)
    public final func _$get<V: _PersistedProperty>(_ slot: Int) -> V { V._$get(self, slot) }

    @inlinable
    @inline(__always)
    public final func _$set<V: _PersistedProperty>(_ slot: Int, _ value: V) { V._$set(self, slot, value) }
}

/// Where a handle starts out. Made by graphs only.
@frozen
public struct _ObjectBinding {
    @usableFromInline let owner: Unmanaged<GraphContext>
    @usableFromInline let id: ObjectID
    @usableFromInline let page: UnsafeMutableRawPointer
    @usableFromInline let stamp: UInt64
    @usableFromInline let standing: UnsafeMutablePointer<Standing>
    @usableFromInline let columns: UnsafePointer<Column>

    @inlinable
    @inline(__always)
    init(
        owner: Unmanaged<GraphContext>, id: ObjectID, page: UnsafeMutableRawPointer, stamp: UInt64,
        standing: UnsafeMutablePointer<Standing>, columns: UnsafePointer<Column>
    ) {
        self.owner = owner
        self.id = id
        self.page = page
        self.stamp = stamp
        self.standing = standing
        self.columns = columns
    }
}

extension ObjectBase {
    /// The graph that manages the object.
    @usableFromInline final var _graph: Graph? { _owner.map { $0.takeUnretainedValue().graph } }

    @inlinable final var _isManaged: Bool { @inline(__always) get { _owner != nil } }

    /// The slot in the page: 0 for an unmanaged object.
    @inlinable final var _slot: Int { @inline(__always) get { Int(_id.slot) & Page.slotMask } }
}

extension ObjectBase {
    @usableFromInline
    @inline(never)
    @_effects(notEscapingself.**)
    final func _$destroyUnmanaged() {
        _ObjectModel.ofUnmanaged(_page)._withUnsafeGuaranteedRef { $0.destroyUnmanagedPage(_page) }
    }
}

// MARK: - Finding the page

extension ObjectBase {
    /// The page to read from.
    @inlinable
    @inline(__always)
    final func _$readablePage(_ column: Int) -> UnsafeMutableRawPointer {
        if _standing.pointee.stamp == _stamp { return _page }
        return _$findPage(column)
    }

    /// The page to store into, when its column needs no more than that.
    @inlinable
    @inline(__always)
    final func _$writablePage(_ column: Int) -> UnsafeMutableRawPointer? {
        if _standing.pointee.stamp == _stamp, _page.load(as: UInt64.self) == _standing.pointee.serial { return _page }
        return _$makeWritable(column)
    }

    /// Looks the object up again after pages have moved.
    @usableFromInline
    @inline(never)
    @_effects(notEscapingself.**)
    @_effects(releasenone)
    final func _$findPage(_ column: Int) -> UnsafeMutableRawPointer {
        guard let owner = _owner else { return _page }
        // Nothing is retained on this way.
        guard let page = Standing.locate(_standing, _id) else { return _$missingPage(owner, column) }
        _page = UnsafeMutableRawPointer(mutating: page)
        _stamp = _standing.pointee.stamp
        return _page
    }

    /// Finds the page again, if the object is there.
    @usableFromInline
    @inline(never)
    @_effects(notEscapingself.**)
    @_effects(releasenone)
    final func _$refresh() {
        guard let page = Standing.locate(_standing, _id) else { return }
        _page = UnsafeMutableRawPointer(mutating: page)
        _stamp = _standing.pointee.stamp
    }

    @inline(never)
    private final func _$missingPage(_ owner: Unmanaged<GraphContext>, _ column: Int) -> UnsafeMutableRawPointer {
        let context = owner.takeUnretainedValue()
        context.graph.reportInvalidated(_id, column)
        return context.binding.access[Int(_id.table)].ghost
    }

    @usableFromInline
    @inline(never)
    @_effects(notEscapingself.**)
    @_effects(releasenone)
    final func _$makeWritable(_ column: Int) -> UnsafeMutableRawPointer? {
        guard let owner = _owner else { return _page }
        let context = owner.takeUnretainedValue()
        guard let transaction = context.workspace.transaction else {
            context.graph.refuseChange(_id, column)
        }
        guard Standing.locate(_standing, _id) != nil else {
            context.graph.reportInvalidated(_id, column)
            return nil
        }
        _page = transaction.writablePage(Int(_id.table), slot: Int(_id.slot))
        _standing.pointee.serial = transaction.serial
        _stamp = _standing.pointee.stamp
        return _page
    }

    /// The linked object; nil when this one is not in a store.
    @usableFromInline
    @_effects(notEscapingself.**)
    @_effects(releasenone)
    final func _$follow(_ word: UInt64) -> ObjectBase? {
        guard let owner = _owner, let ref = ObjectRef(word: word) else { return nil }
        return owner._withUnsafeGuaranteedRef { $0.handle(ref) }
    }

    /// Whether the column takes a plain store: always in an unmanaged object.
    @inlinable
    @inline(__always)
    final func _$isPlain(_ column: Int) -> Bool { _columns[column].flags == 0 }
}
