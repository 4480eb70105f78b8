import BanyanCore

/// Makes unmanaged objects managed, with everything they reach.
///
/// An object is *bound* first: it gets its slot and its plain values, and the same instance turns into a handle. Links to
/// objects that are managed already follow at once; other links and collections follow from a list of what is pending, so
/// cycles end and a chain of a million objects needs no stack.
///
/// A graph keeps one adder for all the objects a transaction adds.
final class ObjectAdder {
    // Sound: the context owns the adder.
    private let owner: Unmanaged<GraphContext>
    private var context: GraphContext { owner.takeUnretainedValue() }
    // That of the context, which need not be retained to look at it.
    private let binding: ModelBinding
    private let standing: UnsafeMutablePointer<Standing>
    let transaction: Transaction
    @exclusivity(unchecked) var policy: UpdatePolicy
    // No access to these can overlap another: each lasts for a line of the functions below.
    @exclusivity(unchecked) private var pending: [Bound] = []
    @exclusivity(unchecked) private var isRunning = false

    private struct Bound {
        var object: ObjectBase
        /// What the object was while it was unmanaged: its links and collections are still there.
        var page: UnsafeMutableRawPointer
        /// That of the object's class. What is updated may be of a class that inherits from it.
        var table: Int
        var isUpdate: Bool
    }

    init(_ context: GraphContext, _ transaction: Transaction, _ policy: UpdatePolicy) {
        owner = Unmanaged.passUnretained(context)
        binding = context.binding
        self.transaction = transaction
        self.policy = policy
        standing = context.workspace.standing
    }

    private var graph: Graph { context.graph }

    /// The object's reference; an unmanaged object is added.
    func link(_ object: ObjectBase) throws(BanyanError) -> ObjectRef {
        if object._isManaged { return try managed(object) }
        let ref = try bind(object)
        guard !isRunning, !pending.isEmpty else { return ref }
        isRunning = true
        defer { isRunning = false }
        do throws(BanyanError) {
            while let next = pending.popLast() { try finish(next) }
        } catch {
            // What was added so far cannot be told apart any more: the transaction must not go on as if nothing happened.
            for rest in pending { type(of: rest.object)._$model.destroyUnmanagedPage(rest.page) }
            pending = []
            transaction.fail(error)
            throw error
        }
        return ref
    }

    private func managed(_ object: ObjectBase) throws(BanyanError) -> ObjectRef {
        func place() -> BanyanError.Location {
            BanyanError.Location(type: type(of: object)._$model.name, object: "\(object._id)")
        }
        guard object._standing == standing else {
            throw BanyanError(
                .foreignObject, "the object is managed by another graph",
                remedy: "Look it up in this graph by its objectID, or add an unmanaged copy", at: place())
        }
        guard Standing.locate(standing, object._id) != nil else {
            throw BanyanError(.invalidatedObject, "a deleted object cannot be added or linked to", at: place())
        }
        return object._id.ref
    }

    // MARK: - Binding

    private func bind(_ object: ObjectBase) throws(BanyanError) -> ObjectRef {
        let old = object._page
        let (table, isOwn) = _ObjectModel.ofUnmanaged(old)._withUnsafeGuaranteedRef { model in
            (binding.table(model), model.type == type(of: object))
        }
        guard table >= 0, isOwn else { return try bindUnknown(object) }
        let access = binding.access + table
        let (values, references, texts, keyPlace, hasCompoundIndexes, anyValues) = access.pointee.plan
            ._withUnsafeGuaranteedRef {
                plan in
                (plan.values, plan.references, plan.texts, plan.key, plan.hasCompoundIndexes, plan.indexedAnyValues)
            }

        askForHandles(references, old)
        let ownKey = keyPlace.map { $0.from.load($0.kind, old, 0) }
        if let ownKey { access.pointee.key?.willChange(standing.pointee.root, ownKey) }
        askForTargets(references, old, table)
        var key: Cell?
        if let place = keyPlace, let cell = ownKey {
            if let found = access.pointee.key?.find(standing.pointee.root, cell) {
                return try replace(object, table, slot: found.slot, cell, place)
            }
            if access.pointee.sharesKey, let other = try objectOfSubclass(cell, place, table) {
                return update(object, other, table)
            }
            key = try stored(cell, place, table)
        }
        let (id, page) = transaction.insert(table, key: key)
        let slot = Int(id.slot) & Page.slotMask
        for value in values {
            try move(value, from: old, to: page, slot, table)
            if value.isIndexed { transaction.indexNew(id.ref, value.column, value.to.load(value.kind, page, slot)) }
        }
        for column in anyValues { transaction.indexNew(id.ref, column, .null) }
        if hasCompoundIndexes { transaction.enterCompoundIndexes(id.ref) }
        become(object, id, page, access.pointee.columns)
        guard linkToManaged(references, old, id) else {
            pending.append(Bound(object: object, page: old, table: table, isUpdate: false))
            return id.ref
        }
        // Nothing is left in the page but texts that were copied and links that were followed.
        for text in texts { UnmanagedText.free(Cell(loading: .string, from: old + Int(text.valueOffset), at: 0)) }
        for reference in references { _ObjectModel.release(reference.from.word(old, 0)) }
        systemFree(old)
        return id.ref
    }

    /// Brings a value to its place in a slot that was free, and is zero therefore.
    @inline(__always)
    private func move(
        _ value: AddPlan.Value, from old: UnsafeRawPointer, to page: UnsafeMutableRawPointer, _ slot: Int, _ table: Int
    ) throws(BanyanError) {
        if value.to.presenceOffset != 0 {
            guard value.from.isPresent(old, 0) else { return }
            value.to.setPresent(page, slot, true)
        }
        let source = old + Int(value.from.valueOffset)
        let target = page + Int(value.to.valueOffset)
        switch value.move {
        case .bit:
            if source.load(as: UInt64.self) & 1 != 0 { Column.setBit(page, Int(value.to.valueOffset), slot, true) }
        case .byte: target.storeBytes(of: source.load(as: UInt8.self), toByteOffset: slot, as: UInt8.self)
        case .word: target.storeBytes(of: source.load(as: UInt64.self), toByteOffset: slot &* 8, as: UInt64.self)
        case .bytes:
            let width = Int(value.to.stride)
            (target + slot &* width).copyMemory(from: source, byteCount: width)
        case .text:
            try stored(Cell(loading: .string, from: source, at: 0), value, table).store(.string, to: target, at: slot)
        }
    }

    /// The handles of linked objects are wanted soon: first where they are, then the pages they know.
    @inline(__always)
    private func askForHandles(_ references: UnsafeBufferPointer<AddPlan.Reference>, _ old: UnsafeRawPointer) {
        for reference in references where reference.link == .object {
            guard let address = UnsafeRawPointer(bitPattern: UInt(reference.from.word(old, 0))) else { continue }
            transaction.willRead(address)
        }
    }

    @inline(__always)
    private func askForTargets(
        _ references: UnsafeBufferPointer<AddPlan.Reference>, _ old: UnsafeRawPointer, _ table: Int
    ) {
        for reference in references where reference.link == .object {
            guard let address = UnsafeRawPointer(bitPattern: UInt(reference.from.word(old, 0))) else { continue }
            Unmanaged<ObjectBase>.fromOpaque(address)._withUnsafeGuaranteedRef { target in
                guard target._standing == standing else { return }
                transaction.willLink(table, reference.column, to: target._id.ref, on: target._page)
            }
        }
    }

    /// Sets the links to objects that are managed here already; false, and some of them may be set, if there is more to do.
    @inline(__always)
    private func linkToManaged(
        _ references: UnsafeBufferPointer<AddPlan.Reference>, _ old: UnsafeRawPointer, _ id: ObjectID
    ) -> Bool {
        for reference in references {
            let word = reference.from.word(old, 0)
            guard let address = UnsafeRawPointer(bitPattern: UInt(word)) else { continue }
            // An embedded object is not linked to at once, for it has an owner.
            guard reference.link == .object else { return false }
            let target = Unmanaged<ObjectBase>.fromOpaque(address)._withUnsafeGuaranteedRef { target in
                target._standing == standing && Standing.locate(standing, target._id) != nil ? target._id.ref : nil
            }
            guard let target else { return false }
            transaction.setLink(id, reference.column, old: nil, new: target)
        }
        return true
    }

    private func bindUnknown(_ object: ObjectBase) throws(BanyanError) -> ObjectRef {
        _ = try graph.binder(type(of: object))
        throw BanyanError(.unknownType, "the class \(type(of: object)) is not in this store's schema")
    }

    /// An object with this key is there: that is a mistake, or to be updated.
    private func replace(
        _ object: ObjectBase, _ table: Int, slot: Int, _ key: Cell, _ place: AddPlan.Value
    ) throws(BanyanError) -> ObjectRef {
        let binder = graph.binder(table)
        guard policy != .error else {
            throw BanyanError(
                .duplicateKey,
                "an object with the primary key \(Value(key, place.kind).description) is already there",
                remedy: "Use another key, or add(_:update: .modified)", at: binder.layout.location(place.column))
        }
        return update(object, transaction.view.id(ObjectRef(table: table, slot: slot)), table)
    }

    /// The object with this key of a class that inherits from that of the table, if it is to be updated; nil when no other class
    /// of the hierarchy that declares the key has one.
    private func objectOfSubclass(
        _ key: Cell, _ place: AddPlan.Value, _ table: Int
    ) throws(BanyanError) -> ObjectID? {
        let family = context.binding.layout.hierarchy.keyFamilies[table] ?? []
        for other in family where other != table {
            guard let found = context.access[other].key?.find(standing.pointee.root, key) else { continue }
            let isSubclass = context.binding.layout.hierarchy.isSubtype(other, of: table)
            if isSubclass, policy != .error { return transaction.view.id(ObjectRef(table: other, slot: found.slot)) }
            throw BanyanError(
                .duplicateKey,
                "an object of the class \(graph.binder(other).model.name) with the primary key "
                    + "\(Value(key, place.kind).description) is already there",
                remedy: isSubclass
                    ? "Use another key, or add(_:update: .modified)"
                    : "Use another key: it is unique among all classes that inherit it",
                at: graph.binder(table).layout.location(place.column))
        }
        return nil
    }

    /// A cell that may be stored in the graph: long texts move into a block of its own.
    @inline(__always)
    private func stored(_ cell: Cell, _ value: AddPlan.Value, _ table: Int) throws(BanyanError) -> Cell {
        guard value.kind.isText, !cell.isNull, Text.isBlock(cell) else { return cell }
        let count = Text.count(cell)
        guard count <= Text.maximumCount else { throw tooLong(cell, value.column, table) }
        return transaction.memory.makeText(Text.block(cell), count: count)
    }

    private func tooLong(_ cell: Cell, _ column: Int, _ table: Int) -> BanyanError {
        let place = context.binding.layout.tables[table].location(column)
        // It fails the transaction, and says why.
        _ = Text.withBytes(cell) { transaction.makeText($0, place) }
        return transaction.fault ?? BanyanError(.valueTooLong, "the value is too long", at: place)
    }

    /// Writes what an unmanaged object has into one that is there, which it shows from now on.
    ///
    /// - Parameter table: that of the class of `object`, or of one that `id` inherits from: its columns are those of `id` too.
    private func update(_ object: ObjectBase, _ id: ObjectID, _ table: Int) -> ObjectRef {
        let old = object._page
        for value in graph.binder(table).plan.values {
            let (i, cell) = (value.column, value.from.load(value.kind, old, 0))
            if value.kind.isText {
                if cell.isNull {
                    transaction.setText(id, i, nil)
                } else {
                    Text.withBytes(cell) { transaction.setText(id, i, $0) }
                }
            } else {
                transaction.set(id, i, cell)
            }
            if policy == .all { transaction.touch(id, i) }
        }
        let columns = binding.access[Int(id.table)].columns
        become(object, id, UnsafeMutableRawPointer(mutating: transaction.page(of: id)), columns)
        pending.append(Bound(object: object, page: old, table: table, isUpdate: true))
        return id.ref
    }

    /// Turns the instance into a handle.
    @inline(__always)
    private func become(
        _ object: ObjectBase, _ id: ObjectID, _ page: UnsafeMutableRawPointer, _ columns: UnsafePointer<Column>
    ) {
        object._page = page
        object._stamp = standing.pointee.stamp
        object._standing = standing
        object._columns = columns
        object._id = id
        object._owner = owner
        standing.pointee.holders &+= 1
    }

    // MARK: - Links and collections

    private func finish(_ bound: Bound) throws(BanyanError) {
        let object = bound.object
        let model = type(of: object)._$model
        defer { model.destroyUnmanagedPage(bound.page) }
        for reference in binding.access[bound.table].plan.takeUnretainedValue().references {
            let (i, word) = (reference.column, reference.from.word(bound.page, 0))
            if let kind = reference.link {
                try setLink(object, i, _ObjectModel.object(word), kind, bound.isUpdate)
            } else if let collection = _ObjectModel.reference(word) as? any _OwnedContents {
                try collection._$adopt(graph, object._id, i, isUpdate: bound.isUpdate)
            } else if bound.isUpdate, reference.isCollection {
                transaction.removeAll(object._id, i)
            } else if bound.isUpdate {
                transaction.set(object._id, i, .null)
            }
        }
    }

    private func setLink(
        _ object: ObjectBase, _ column: Int, _ target: ObjectBase?, _ kind: ValueKind, _ isUpdate: Bool
    ) throws(BanyanError) {
        guard let target else {
            if isUpdate { transaction.set(object._id, column, .null) }
            return
        }
        if isUpdate, kind == .embedded, policy == .modified, !target._isManaged,
            let present = ObjectRef(word: transaction.view.word(object._id.ref, column)),
            updateEmbedded(target, present)
        {
            return
        }
        transaction.set(object._id, column, try link(target).cell)
    }

    /// Changes an embedded object that is there to what an unmanaged one is, which shows it from now on. False where it is of
    /// another class, and has to be replaced.
    func updateEmbedded(_ object: ObjectBase, _ present: ObjectRef) -> Bool {
        guard binding.table(type(of: object)._$model) == present.table else { return false }
        _ = update(object, transaction.view.id(present), present.table)
        return true
    }
}

/// What belongs to an unmanaged object and follows it into a graph: a collection, or the box of an AnyValue.
protocol _OwnedContents: AnyObject {
    /// Moves the contents into the graph and shows them from there on.
    func _$adopt(_ graph: Graph, _ id: ObjectID, _ column: Int, isUpdate: Bool) throws(BanyanError)
}

/// A collection that belongs to an unmanaged object and can become a managed one.
protocol _OwnedCollection: _OwnedContents {
    /// The elements without their type.
    var _$contents: UntypedContents { get }
    /// Makes the collection hold these elements. Returns the index of the first that does not fit; then nothing has changed.
    func _$fill(_ contents: UntypedContents) -> Int?
}

extension GraphContext {
    /// Adds an object, with everything it reaches, that is not managed yet. Returns its reference.
    ///
    /// What adds objects in the open transaction is the adder that is running, whose policy stands, or the one that ran last.
    @discardableResult
    func add(_ object: ObjectBase, _ policy: UpdatePolicy) throws(BanyanError) -> ObjectRef {
        // Nothing else takes the adder away while it is at work, so it is not retained for each object.
        let adder = try adder(policy)
        do {
            return try adder._withUnsafeGuaranteedRef { try $0.link(object) }
        } catch let error as BanyanError {
            throw error
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private func adder(_ policy: UpdatePolicy) throws(BanyanError) -> Unmanaged<ObjectAdder> {
        if let running = runningAdder {
            let isReady = running._withUnsafeGuaranteedRef { adder in
                guard workspace.isOpen(adder.transaction) else { return false }
                if !adder.isBusy { adder.policy = policy }
                return true
            }
            if isReady { return running }
        }
        guard let transaction = workspace.transaction else {
            throw BanyanError(
                .notInWrite, "a graph can be changed inside a write only",
                remedy: "Put the change into `graph.write { }`")
        }
        let made = ObjectAdder(self, transaction, policy)
        adder = made
        return Unmanaged.passUnretained(made)
    }
}

extension ObjectAdder {
    /// Whether an object is being added at the moment, with what it reaches.
    var isBusy: Bool { isRunning }
}
