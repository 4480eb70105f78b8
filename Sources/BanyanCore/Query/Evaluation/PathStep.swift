/// One step of a path, ready to be taken: from an object's page to the cells the step reaches.
struct PathStep: Sendable {
    enum Access: Sendable {
        case single(ValueKind)
        case elements(ElementLayout)
        case mapKeys(ElementLayout)
        case mapValue(ElementLayout, KeyCell)
        /// The element at a rank; below 0 the last one.
        case element(ElementLayout, Int)
        /// Those of a list, here, and the values of a dictionary in another column.
        indirect case contents(ElementLayout, ElementLayout, Column)
        /// Where it is kept which slots of a table link here: for each type that may.
        case sources([(table: Int, place: Column)])
    }

    let column: Column
    let access: Access
    /// Where links lead, if all lead to one table; else -1.
    let onlyTarget: Int
    /// Whether it leads to AnyValues, and on to the objects that stand for what they hold.
    let isAny: Bool

    init(_ step: ResolvedPath.Step, _ layout: StoreLayout) {
        let table = layout.tables[step.table]
        let info = table.columns[step.column]
        column = table.page.columns[step.column]
        onlyTarget = info.moreEnds.isEmpty ? info.otherTable : -1
        isAny = info.kind == .any && step.access != .mapKeys && step.access != .sources
        switch (step.access, info.element) {
        case (.elements, let element?): access = .elements(element)
        case (.mapKeys, let element?): access = .mapKeys(element)
        case (.mapValue(let key), let element?):
            guard let cell = element.key.flatMap({ KeyCell(key, $0) }) else {
                preconditionFailure("a map key that binding did not check")
            }
            access = .mapValue(element, cell)
        case (.element(let rank), let element?): access = .element(element, rank)
        case (.lastElement, let element?): access = .element(element, -1)
        case (.contents, let element?):
            guard let other = table.columns[NestedValues.dictionaryColumn].element else {
                preconditionFailure("the contents of something that stands for no AnyValue")
            }
            access = .contents(element, other, table.page.columns[NestedValues.dictionaryColumn])
        case (.sources, _):
            access = .sources(info.ends.map { (table: $0.table, place: table.page.columns[$0.column]) })
        default: access = .single(info.kind)
        }
    }

    /// Calls `body` with each cell and how often it counts. Stops, and returns false, when `body` returns false.
    func forEachCell(
        _ page: UnsafeRawPointer, _ slot: Int, _ body: (_ cell: Cell, _ times: Int) -> Bool
    ) -> Bool {
        switch access {
        case .single(let kind): return body(column.load(kind, page, slot), 1)
        case .elements(let element): return Self.forEachElement(element, root(page, slot), body)
        case .contents(let element, let other, let otherColumn):
            return Self.forEachElement(element, root(page, slot), body)
                && Self.forEachElement(other, Self.root(otherColumn, page, slot), body)
        case .element(let element, let rank):
            let (tree, root) = (RankTree(stride: element.stride), root(page, slot))
            let count = tree.count(root)
            let place = rank < 0 ? count &- 1 : rank
            return body(place >= 0 && place < count ? element.load(tree.element(root, at: place)) : .null, 1)
        case .mapKeys(let element):
            var cursor = RankTree(stride: element.stride).cursor(root(page, slot))
            while let place = cursor.next() {
                if !body(element.loadKey(place), 1) { return false }
            }
            return true
        case .mapValue(let element, let key): return body(value(of: key.cell, element, root(page, slot)), 1)
        case .sources(let sources):
            var isComplete = true
            for (table, place) in sources where isComplete {
                SlotCounts(word: place.root(page, slot)).forEach { source, times in
                    isComplete = body(ObjectRef(table: table, slot: source).cell, times)
                    return isComplete
                }
            }
            return isComplete
        }
    }

    /// How many cells there are, duplicates counted.
    func count(_ page: UnsafeRawPointer, _ slot: Int) -> Int {
        switch access {
        case .single, .mapValue, .element: 1
        case .contents(let element, let other, let otherColumn):
            RankTree(stride: element.stride).count(root(page, slot))
                + RankTree(stride: other.stride).count(Self.root(otherColumn, page, slot))
        case .elements(let element), .mapKeys(let element): RankTree(stride: element.stride).count(root(page, slot))
        case .sources(let sources): sources.reduce(0) { $0 + SlotCounts(word: $1.place.root(page, slot)).total }
        }
    }

    /// The object a cell leads to, for the step after this one.
    @inline(__always)
    func target(_ cell: Cell) -> ObjectRef? {
        if cell.isNull { return nil }
        guard isAny else { return ObjectRef(word: cell.low) }
        return AnyCell.link(cell).flatMap { $0.isOwned ? $0.target : nil }
    }

    private static func forEachElement(
        _ element: ElementLayout, _ root: RankTree.Root, _ body: (_ cell: Cell, _ times: Int) -> Bool
    ) -> Bool {
        var cursor = RankTree(stride: element.stride).cursor(root)
        while let place = cursor.next() {
            if !body(element.load(place), 1) { return false }
        }
        return true
    }

    private func root(_ page: UnsafeRawPointer, _ slot: Int) -> RankTree.Root { Self.root(column, page, slot) }

    private static func root(_ column: Column, _ page: UnsafeRawPointer, _ slot: Int) -> RankTree.Root {
        UnsafeRawPointer(bitPattern: UInt(column.root(page, slot)))
    }

    private func value(of key: Cell, _ element: ElementLayout, _ root: RankTree.Root) -> Cell {
        guard let kind = element.key else { return .null }
        let place = RankTree(stride: element.stride).find(root) { CellOrder.compare(element.loadKey($0), key, kind) }
        guard place.isMatch, let found = place.element else { return .null }
        return element.load(found)
    }
}

/// A whole path, ready to be walked.
struct PathReader: Sendable {
    let steps: [PathStep]
    let kind: ValueKind

    init(_ path: ResolvedPath, _ layout: StoreLayout) {
        self.init(path.steps.map { PathStep($0, layout) }, path.kind)
    }

    init(_ steps: [PathStep], _ kind: ValueKind) {
        self.steps = steps
        self.kind = kind
    }

    /// Calls `body` with each cell at the path's end and how often it counts; a nil link on the way gives a nil cell
    /// where only single values would have followed. Return false to stop.
    func forEachCell(
        _ page: UnsafeRawPointer, _ slot: Int, _ view: QueryView, _ body: (_ cell: Cell, _ times: Int) -> Bool
    ) {
        _ = walk(0, page, slot, view, 1, body)
    }

    private func walk(
        _ index: Int, _ page: UnsafeRawPointer, _ slot: Int, _ view: QueryView, _ times: Int,
        _ body: (Cell, Int) -> Bool
    ) -> Bool {
        let step = steps[index]
        if index == steps.count - 1 {
            return times == 1
                ? step.forEachCell(page, slot, body) : step.forEachCell(page, slot) { body($0, $1 * times) }
        }
        return step.forEachCell(page, slot) { cell, count in
            guard let ref = step.target(cell), let page = view.page(ref.table, slot: ref.slot) else {
                return endsSingle(after: index) ? body(.null, count * times) : true
            }
            return walk(index + 1, page, ref.slot & Page.slotMask, view, count * times, body)
        }
    }

    /// The object that a cell at the path's end leads to.
    func target(_ cell: Cell) -> ObjectRef? { steps[steps.count - 1].target(cell) }

    /// Whether only single values follow a step.
    func endsSingle(after index: Int) -> Bool {
        steps[(index + 1)...].allSatisfy {
            switch $0.access {
            case .single, .mapValue, .element: true
            case .elements, .mapKeys, .sources, .contents: false
            }
        }
    }
}
