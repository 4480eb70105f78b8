// Inverse links, for a whole property at once.

extension GraphLoader {
    /// Fills the hidden columns that keep who owns each list and dictionary within AnyValues of one property. All
    /// properties must have been asked, and `checkNesting`, before links to objects are followed: those go through
    /// what is nested.
    ///
    /// - Throws: `damaged` for a link to another type or to no object.
    package func linkNested(_ table: Int, _ column: Int, _ memory: TransactionMemory) throws(BanyanError) {
        let info = layout.tables[table].columns[column]
        guard info.kind == .any, let end = info.ends.first(where: { $0.table == layout.nestedTable }) else { return }
        try linkBack(table, column, info, to: end, isOnly: false, memory)
    }

    /// - Throws: `damaged` unless every list and dictionary within AnyValues has one owner, and none is nested in
    ///   itself or deeper than a graph holds them.
    package func checkNesting() throws(BanyanError) {
        guard let table = layout.nestedTable else { return }
        let columns = layout.tables[table].inverseColumns.map { layout.tables[table].page.columns[$0] }
        var levels = NestingLevels(view)
        try forEachObject(table) { page, slot, index throws(BanyanError) in
            try checkSingleOwner(table, index, columns, page, slot)
            guard let problem = levels.problem(ObjectRef(table: table, slot: index)) else { return }
            throw BanyanError(
                .damaged, problem.message,
                at: layout.tables[problem.object.table].location(
                    problem.column, object: "\(id(problem.object.table, problem.object.slot))"))
        }
    }

    /// Fills the hidden columns that keep who links to each object through one property. O(objects + links), for each type it
    /// may lead to. An AnyValue links to what the lists and dictionaries within it link to as well.
    ///
    /// The links are counted by target, and their sources laid out in runs, one a target, before any tree is made; the sources
    /// come in ascending order, so each run is sorted.
    ///
    /// - Throws: `damaged` for a link to another type or to no object.
    package func linkBack(_ table: Int, _ column: Int, _ memory: TransactionMemory) throws(BanyanError) {
        let info = layout.tables[table].columns[column]
        let ends = info.ends
        var isLinked = [Bool](repeating: ends.count == 1, count: layout.tables.count)
        if ends.count > 1 {
            try forEachLink(table, column, info, to: nil) { link, source throws(BanyanError) in
                guard link.table < isLinked.count else { throw dangling(table, column, source) }
                guard !isLinked[link.table] else { return }
                guard ends.contains(where: { $0.table == link.table }) else { throw dangling(table, column, source) }
                isLinked[link.table] = true
            }
        }
        // Where there may be nothing but what is nested, that has been linked already.
        for end in ends where isLinked[end.table] && (info.kind != .any || end.table != layout.nestedTable) {
            try linkBack(table, column, info, to: end, isOnly: ends.count == 1, memory)
        }
    }

    /// The same for one type of those it may lead to.
    private func linkBack(
        _ table: Int, _ column: Int, _ info: ColumnLayout, to end: LinkEnd, isOnly: Bool, _ memory: TransactionMemory
    ) throws(BanyanError) {
        let target = end.table
        let targetPresent = present[target]
        var ends = [UInt32](repeating: 0, count: targetPresent.count << Page.slotBits)
        var total = 0
        try forEachLink(table, column, info, to: target) { link, source throws(BanyanError) in
            let slot = link.slot
            guard isOnly || link.table == target else { return }
            guard link.table == target, slot >> Page.slotBits < targetPresent.count,
                targetPresent[slot >> Page.slotBits] >> UInt64(slot & Page.slotMask) & 1 != 0
            else { throw dangling(table, column, source) }
            ends[slot] &+= 1
            total += 1
        }
        guard total < UInt32.max else {
            throw BanyanError(
                .limit, "\(total) links are more than a property can have", at: layout.tables[table].location(column))
        }
        guard total > 0 else { return }
        var start: UInt32 = 0
        for slot in ends.indices {
            let count = ends[slot]
            ends[slot] = start
            start += count
        }
        var sources = [UInt32](repeating: 0, count: total)
        try forEachLink(table, column, info, to: target) { link, source throws(BanyanError) in
            guard link.table == target else { return }
            let place = ends[link.slot]
            sources[Int(place)] = UInt32(truncatingIfNeeded: source)
            ends[link.slot] = place + 1
        }
        // Each end now stands where the next run starts.
        let place = layout.tables[target].page.columns[end.column]
        sources.withUnsafeBufferPointer { sources in
            var first = 0
            for (index, page) in pages[target].enumerated() {
                for slot in 0..<Page.slots {
                    let end = Int(ends[index << Page.slotBits | slot])
                    guard end > first else { continue }
                    let counts = SlotCounts(sorted: UnsafeBufferPointer(rebasing: sources[first..<end]), memory)
                    place.initializeRoot(page, slot, counts.word, memory)
                    first = end
                }
            }
        }
    }

    /// - Throws: `damaged` unless every object of an embedded type has exactly one owner, and none owns itself through others.
    package func checkOwners(_ table: Int) throws(BanyanError) {
        guard layout.tables[table].type.isEmbedded, table != layout.nestedTable else { return }
        let columns = layout.tables[table].inverseColumns.map { layout.tables[table].page.columns[$0] }
        // Only types whose owners may be embedded themselves can be in a circle.
        let isNested = layout.tables[table].inverseColumns.contains { column in
            layout.tables[layout.tables[table].columns[column].otherTable].type.isEmbedded
        }
        var walk = OwnerWalk(view)
        try forEachObject(table) { page, slot, index throws(BanyanError) in
            try checkSingleOwner(table, index, columns, page, slot)
            if isNested, !walk.isOwned(ObjectRef(table: table, slot: index)) {
                throw misowned(table, index, "an embedded object owns itself")
            }
        }
    }

    private func checkSingleOwner(
        _ table: Int, _ index: Int, _ columns: [Column], _ page: UnsafeRawPointer, _ slot: Int
    ) throws(BanyanError) {
        let owners = columns.reduce(0) { $0 + SlotCounts(word: $1.root(page, slot)).total }
        guard owners == 1 else { throw misowned(table, index, "an embedded object has \(owners) owners") }
    }

    private func misowned(_ table: Int, _ slot: Int, _ message: String) -> BanyanError {
        BanyanError(.damaged, message, at: layout.tables[table].location(object: "\(id(table, slot))"))
    }

    /// - Parameter end: Those of an AnyValue to nested lists and dictionaries are given to who asks for that table;
    ///   to all others, the links within them.
    private func forEachLink(
        _ table: Int, _ column: Int, _ info: ColumnLayout, to end: Int?,
        _ body: (ObjectRef, Int) throws(BanyanError) -> Void
    ) throws(BanyanError) {
        let place = layout.tables[table].page.columns[column]
        let isOfNested = end != nil && end == layout.nestedTable
        func followAny(_ cell: Cell, _ source: Int) throws(BanyanError) {
            guard let (target, isOwned) = AnyCell.link(cell) else { return }
            guard isOwned == (target.table == layout.nestedTable), !isOwned || info.shape != .set else {
                throw dangling(table, column, source)
            }
            if isOwned == isOfNested { return try body(target, source) }
            guard isOwned, table != layout.nestedTable else { return }
            for link in view.nestedLinks(of: target) { try body(link, source) }
        }
        guard info.isCollection, let element = info.element else {
            if info.kind == .any {
                return try forEachObject(table) { page, slot, index throws(BanyanError) in
                    try followAny(place.load(.any, page, slot), index)
                }
            }
            try forEachObject(table) { page, slot, index throws(BanyanError) in
                if let link = ObjectRef(word: place.word(page, slot)) { try body(link, index) }
            }
            return
        }
        let tree = RankTree(stride: element.stride)
        try forEachObject(table) { page, slot, index throws(BanyanError) in
            let word = place.root(page, slot)
            guard word != 0 else { return }
            try tree.forEachRun(UnsafeRawPointer(bitPattern: UInt(word))) { run, count throws(BanyanError) in
                for i in 0..<count {
                    if info.kind == .any {
                        try followAny(element.load(run + i &* element.stride), index)
                        continue
                    }
                    let word = run.load(fromByteOffset: i &* element.stride &+ element.valueOffset, as: UInt64.self)
                    if let link = ObjectRef(word: word) { try body(link, index) }
                }
            }
        }
    }

    func id(_ table: Int, _ slot: Int) -> ObjectID {
        ObjectID(
            table: table, slot: slot,
            generation: Page.generation(pages[table][slot >> Page.slotBits], slot & Page.slotMask))
    }

    private func dangling(_ table: Int, _ column: Int, _ source: Int) -> BanyanError {
        BanyanError(
            .damaged, "a link leads to no object of its type",
            at: layout.tables[table].location(column, object: "\(id(table, source))"))
    }
}
