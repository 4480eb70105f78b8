import BanyanCore

/// Makes the changes that payloads of commits describe in a transaction, one payload after another.
struct ChangeSetApplier {
    let transaction: Transaction
    let layout: StoreLayout
    /// Pages the tables may still grow by.
    private var growth = 0
    private var deleted: [ObjectID] = []
    private var created: [ObjectID] = []
    /// Embedded objects that lost an owner or got one: they must be gone, or owned by one, at the end.
    var unsettled: [ObjectRef] = []
    // Where we are, for messages.
    var id = ObjectID(table: 0, slot: 0, generation: 0)
    var column: Int?

    init(_ transaction: Transaction) {
        self.transaction = transaction
        layout = transaction.layout
        transaction.beginReplay()
    }

    /// Forgets the payload before, and keeps the capacity of its buffers.
    private mutating func begin(growth: Int) {
        self.growth = growth
        deleted.removeAll(keepingCapacity: true)
        created.removeAll(keepingCapacity: true)
        unsettled.removeAll(keepingCapacity: true)
        id = ObjectID(table: 0, slot: 0, generation: 0)
        column = nil
    }

    func located(_ reason: String) -> String {
        let place = layout.tables.indices.contains(Int(id.table)) ? layout.tables[Int(id.table)].location(column) : nil
        return "\(reason) (at \(place.map { "\($0), " } ?? "")object \(id))"
    }

    mutating func apply(_ reader: inout PayloadReader, _ header: ChangeSetCodec.Header) throws(PayloadFault) {
        begin(growth: header.growth)
        try forEachGroup(&reader) { applier, reader, table, count throws(PayloadFault) in
            var next = 0
            for _ in 0..<count {
                let id = try applier.takeID(&reader, table, &next)
                if applier.transaction.contains(id) { applier.noteAll(ownedBy: id.ref) }
                try applier.expect { () throws(BanyanError) in try applier.transaction.deleteLeavingIncomingLinks(id) }
                applier.deleted.append(id)
            }
        }
        try forEachGroup(&reader) { applier, reader, table, count throws(PayloadFault) in
            var next = 0
            for _ in 0..<count {
                let id = try applier.takeID(&reader, table, &next)
                try applier.makeRoom(for: id)
                try applier.expect { () throws(BanyanError) in try applier.transaction.restore(id) }
                applier.created.append(id)
            }
        }
        for id in created { try fill(id, &reader) }
        try forEachGroup(&reader) { applier, reader, table, count throws(PayloadFault) in
            var next = 0
            for _ in 0..<count { try applier.modify(try applier.takeID(&reader, table, &next), &reader) }
        }
        if header.hasSpent {
            try forEachGroup(&reader) { applier, reader, table, count throws(PayloadFault) in
                var next = 0
                for _ in 0..<count {
                    let id = try applier.takeID(&reader, table, &next)
                    try applier.makeRoom(for: id)
                    try applier.expect { () throws(BanyanError) in try applier.transaction.spend(id) }
                }
            }
        }
        try reader.finish()
        try checkLinks()
    }

    // MARK: - Which objects

    private mutating func forEachGroup(
        _ reader: inout PayloadReader,
        _ body: (inout ChangeSetApplier, inout PayloadReader, Int, Int) throws(PayloadFault) -> Void
    ) throws(PayloadFault) {
        var nextTable = 0
        for _ in 0..<(try reader.count(ofItemsOf: 3)) {
            let table = try reader.number(below: layout.tables.count, "the table")
            guard table >= nextTable else { throw PayloadFault("tables are out of order") }
            nextTable = table + 1
            try body(&self, &reader, table, try reader.count())
        }
    }

    private mutating func takeID(
        _ reader: inout PayloadReader, _ table: Int, _ next: inout Int
    ) throws(PayloadFault) -> ObjectID {
        id = try reader.id(table, &next)
        column = nil
        return id
    }

    private func expect(_ body: () throws(BanyanError) -> Void) throws(PayloadFault) {
        do throws(BanyanError) { try body() } catch { throw PayloadFault(error.message) }
    }

    // MARK: - New objects

    private mutating func makeRoom(for id: ObjectID) throws(PayloadFault) {
        let missing = Int(id.slot) >> Page.slotBits + 1 - transaction.view.pageCount(Int(id.table))
        guard missing > 0 else { return }
        growth -= missing
        guard growth >= 0 else { throw PayloadFault("its slot is far beyond the end of the table") }
    }

    private mutating func fill(_ id: ObjectID, _ reader: inout PayloadReader) throws(PayloadFault) {
        self.id = id
        let table = layout.tables[Int(id.table)]
        let mask = try reader.bytes((table.propertyCount + 7) / 8)
        if mask.count * 8 > table.propertyCount, let last = mask.last, last >> UInt8(table.propertyCount & 7) != 0 {
            throw PayloadFault("it names properties its type does not have")
        }
        for column in 0..<table.propertyCount {
            let info = table.columns[column]
            self.column = column
            guard mask[column >> 3] >> UInt8(column & 7) & 1 != 0 else {
                if info.isKey {
                    try restoreKey(id, info.isOptional ? .null : Cell())
                } else {
                    transaction.initializeIndex(id, column)
                }
                continue
            }
            if info.isKey {
                try restoreKey(id, try firstValue(info, &reader))
            } else if info.isCollection {
                try insertAll(id, column, info, &reader)
            } else if info.isStored {
                let cell = try firstValue(info, &reader)
                note(cell, info.kind)
                transaction.initialize(id, column, cell)
            } else {
                throw PayloadFault("an inverse has a value")
            }
            try checkFault()
        }
        transaction.enterCompoundIndexes(id.ref)
    }

    private func restoreKey(_ id: ObjectID, _ key: Cell) throws(PayloadFault) {
        try expect { () throws(BanyanError) in try transaction.restoreKey(id, key) }
    }

    private func firstValue(_ info: ColumnLayout, _ reader: inout PayloadReader) throws(PayloadFault) -> Cell {
        switch info.kind.form {
        case .bit where !info.isOptional: Cell(low: 1)
        case .text: try text(try reader.text(of: info.kind))
        case .any: try any(&reader)
        case .bit, .int8, .int16, .int32, .int64, .float32, .float64, .bytes12, .bytes16, .link:
            try reader.cell(info.kind, target: info.linkTarget)
        }
    }

    private func setValue(
        _ id: ObjectID, _ column: Int, _ info: ColumnLayout, _ reader: inout PayloadReader
    ) throws(PayloadFault) {
        switch info.kind.form {
        case .text: transaction.setText(id, column, try reader.text(of: info.kind))
        case .any: transaction.set(id, column, try any(&reader))
        case .bit, .int8, .int16, .int32, .int64, .float32, .float64, .bytes12, .bytes16, .link:
            transaction.set(id, column, try reader.cell(info.kind, target: info.linkTarget))
        }
    }

    // MARK: - Changed objects

    private mutating func modify(_ id: ObjectID, _ reader: inout PayloadReader) throws(PayloadFault) {
        guard transaction.contains(id) else { throw PayloadFault("it is changed but was not there") }
        let table = layout.tables[Int(id.table)]
        var next = 0
        for _ in 0..<(try reader.count()) {
            let code = try reader.number(below: (table.propertyCount - next) * 2, "the property")
            let column = next + code >> 1
            let isNil = code & 1 != 0
            next = column + 1
            self.column = column
            let info = table.columns[column]
            guard info.isStored, !info.isKey else { throw PayloadFault("it cannot be changed") }
            if info.isCollection {
                guard !isNil else { throw PayloadFault("a collection is nil") }
                switch info.shape {
                case .list: try editList(id, column, info, &reader)
                case .set: try changeSet(id, column, info, &reader)
                case .map: try changeMap(id, column, info, &reader)
                case .single, .inverse: break
                }
            } else {
                note(transaction.view.cell(id.ref, column), info.kind)
                if !isNil {
                    try setValue(id, column, info, &reader)
                    note(transaction.view.cell(id.ref, column), info.kind)
                } else if info.kind.isText, info.isOptional {
                    transaction.setText(id, column, nil)
                } else if info.isOptional || info.kind.isZeroNil {
                    transaction.set(id, column, .null)
                } else {
                    throw PayloadFault("a property that needs a value becomes nil")
                }
            }
            try checkFault()
        }
    }

    // MARK: - Checks

    /// What Core refused: a link to nothing, a value over its limit.
    private func checkFault() throws(PayloadFault) {
        if let fault = transaction.fault { throw PayloadFault(fault.message) }
    }

    /// No link may be left to an object that went; embedded objects have exactly one owner, and do not own themselves. Nor may
    /// two objects have a value that must be unique.
    private mutating func checkLinks() throws(PayloadFault) {
        let view = transaction.view
        column = nil
        if let violation = transaction.takeViolation() { throw PayloadFault(violation.message) }
        for id in deleted where !view.contains(id.ref) {
            self.id = id
            guard view.linkCount(to: id.ref) == 0 else { throw PayloadFault("it is deleted, but links to it are left") }
        }
        for id in created where layout.tables[Int(id.table)].type.isEmbedded { unsettled.append(id.ref) }
        guard !unsettled.isEmpty else { return }
        var walk = OwnerWalk(view)
        var levels = NestingLevels(view)
        for ref in unsettled where view.contains(ref) {
            id = view.id(ref)
            let owners = view.linkCount(to: ref)
            guard owners == 1 else { throw PayloadFault("an embedded object has \(owners) owners") }
            if ref.table == layout.nestedTable, let problem = levels.problem(ref) {
                (id, column) = (view.id(problem.object), problem.column)
                throw PayloadFault(problem.message)
            }
            guard walk.isOwned(ref) else { throw PayloadFault("an embedded object owns itself") }
        }
    }
}
