import BanyanCore

// The memory of an unmanaged object: its page, the blocks of its long texts, the objects and collections it holds.

extension _ObjectModel {
    /// Zeros, but for the model itself, which stands where pages of a graph have their origin.
    func makeUnmanagedPage() -> UnsafeMutableRawPointer {
        let page = systemAllocate(unmanagedLayout.size)
        page.initializeMemory(as: UInt8.self, repeating: 0, count: unmanagedLayout.size)
        page.storeBytes(
            of: Unmanaged.passUnretained(self).toOpaque(), toByteOffset: Page.origin, as: UnsafeMutableRawPointer.self)
        return page
    }

    /// The model that made the page.
    // Sound: models are never released, for `@Model` keeps each in a static constant.
    @inline(__always)
    static func ofUnmanaged(_ page: UnsafeRawPointer) -> Unmanaged<_ObjectModel> {
        .fromOpaque(page.load(fromByteOffset: Page.origin, as: UnsafeRawPointer.self))
    }

    /// Releases what the page holds, then the page. What nobody else holds is let go one after the other: see
    /// `UnmanagedRelease`.
    func destroyUnmanagedPage(_ page: UnsafeMutableRawPointer) {
        let holds = { (column: Column) in column.word(page, 0) != 0 }
        if linkColumns.contains(where: holds) || collectionLinkColumns.contains(where: holds) {
            var release = UnmanagedRelease()
            takeLinks(page, into: &release)
            release.run()
        }
        for column in collectionColumns { Self.release(column.word(page, 0)) }
        for text in textColumns { UnmanagedText.free(text.column.load(text.kind, page, 0)) }
        systemFree(page)
    }

    /// Moves the objects that the page links to, and the collections that may hold others, out of it.
    func takeLinks(_ page: UnsafeMutableRawPointer, into release: inout UnmanagedRelease) {
        for place in linkColumns {
            guard let address = UnsafeRawPointer(bitPattern: UInt(place.word(page, 0))) else { continue }
            place.setWord(page, 0, 0)
            release.add(Unmanaged<ObjectBase>.fromOpaque(address).takeRetainedValue())
        }
        for place in collectionLinkColumns {
            guard let address = UnsafeRawPointer(bitPattern: UInt(place.word(page, 0))) else { continue }
            place.setWord(page, 0, 0)
            release.add(Unmanaged<LiveCollection>.fromOpaque(address).takeRetainedValue())
        }
    }

    /// The Swift object a word of an unmanaged page holds.
    static func reference(_ word: UInt64) -> AnyObject? {
        UnsafeRawPointer(bitPattern: UInt(word)).map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
    }

    static func object(_ word: UInt64) -> ObjectBase? {
        UnsafeRawPointer(bitPattern: UInt(word)).map { Unmanaged<ObjectBase>.fromOpaque($0).takeUnretainedValue() }
    }

    static func retain(_ object: AnyObject?) -> UInt64 {
        object.map { UInt64(UInt(bitPattern: Unmanaged.passRetained($0).toOpaque())) } ?? 0
    }

    static func release(_ word: UInt64) {
        if let address = UnsafeRawPointer(bitPattern: UInt(word)) { Unmanaged<AnyObject>.fromOpaque(address).release() }
    }
}

/// Text cells outside a graph: blocks from the system.
enum UnmanagedText {
    static func make(_ bytes: UnsafeRawBufferPointer) -> Cell {
        if bytes.count <= Text.inlineCapacity { return Text.inlineCell(bytes) }
        let block = systemAllocate(bytes.count)
        block.copyMemory(from: bytes.baseAddress.unsafelyUnwrapped, byteCount: bytes.count)
        return Text.blockCell(block, count: bytes.count)
    }

    static func free(_ cell: Cell) {
        if !cell.isNull, Text.isBlock(cell) { systemFree(Text.block(cell)) }
    }
}
