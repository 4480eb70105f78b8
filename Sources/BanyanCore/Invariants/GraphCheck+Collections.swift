// Trees of collections, and what stands in them.

extension GraphCheck {
    func checkCollections(_ table: TableLayout) {
        for i in table.collectionColumns {
            guard let element = table.columns[i].element else { continue }
            let tree = RankTree(stride: element.stride)
            let isOrdered = order(table.columns[i], element)
            view.forEachObject(table.table) { page, slotInPage, slot in
                let word = table.page.columns[i].root(page, slotInPage)
                guard let root = UnsafeRawPointer(bitPattern: UInt(word)) else { return true }
                let what = "\(name(table.table, i)) of slot \(slot)"
                tree._forEachNode(root) { node, _ in claim(node, what) }
                if let problem = tree._invariantCheck(root, isOrdered: isOrdered) {
                    fail("\(what): \(problem)")
                    return true
                }
                var cursor = tree.cursor(root)
                while let entry = cursor.next() { checkElement(entry, element, table.columns[i].shape, what) }
                return true
            }
        }
    }

    /// Sets and maps are strictly ascending; a list may be in any order.
    private func order(
        _ column: ColumnLayout, _ element: ElementLayout
    ) -> ((UnsafeRawPointer, UnsafeRawPointer) -> Bool)? {
        switch column.shape {
        case .set: { CellOrder.compare(element.load($0), element.load($1), element.kind) < 0 }
        case .map(let key): { CellOrder.compare(element.loadKey($0), element.loadKey($1), key) < 0 }
        case .list, .single, .inverse: nil
        }
    }

    private func checkElement(
        _ entry: UnsafeRawPointer, _ element: ElementLayout, _ shape: PropertySchema.Shape, _ what: String
    ) {
        if let key = element.key, key.isText { checkText(element.loadKey(entry), key, "a key in \(what)") }
        let value = element.load(entry)
        if value.isNull {
            let mayBeNull: Bool
            if element.kind == .any {
                mayBeNull = true
            } else if case .map = shape {
                mayBeNull = element.isOptional || element.kind.isLink
            } else {
                mayBeNull = element.isOptional
            }
            if !mayBeNull { fail("\(what) holds nil") }
            for i in element.valueOffset..<element.presenceOffset
            where entry.load(fromByteOffset: i, as: UInt8.self) != 0 {
                return fail("\(what) holds something where it is nil")
            }
        } else if element.kind.isText {
            checkText(value, element.kind, "an element of \(what)")
        }
    }
}
