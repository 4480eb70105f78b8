import BanyanCore

// The memory of an unmanaged object: its page, the blocks of its long texts, the objects and collections it holds.

extension _ObjectModel {
    func makeUnmanagedPage() -> UnsafeMutableRawPointer {
        let page = UnsafeMutableRawPointer.allocate(byteCount: unmanagedLayout.size, alignment: 16)
        page.initializeMemory(as: UInt8.self, repeating: 0, count: unmanagedLayout.size)
        return page
    }

    /// Releases what the page holds, then the page.
    func destroyUnmanagedPage(_ page: UnsafeMutableRawPointer) {
        for (i, info) in properties.enumerated() where !info.type.isInverse {
            let column = unmanagedLayout.columns[i]
            if info.type.shape != .single || info.type.kind.isLink {
                Self.release(column.word(page, 0))
            } else if info.type.kind.isText {
                UnmanagedText.free(column.load(info.type.kind, page, 0))
            }
        }
        page.deallocate()
    }

    /// The Swift object a word of an unmanaged page holds.
    static func reference(_ word: UInt64) -> AnyObject? {
        UnsafeRawPointer(bitPattern: UInt(word)).map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
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
        let block = UnsafeMutableRawPointer.allocate(byteCount: Text.blockHeader + bytes.count, alignment: 8)
        block.storeBytes(of: 0, as: UInt64.self)
        (block + Text.blockHeader).copyMemory(from: bytes.baseAddress.unsafelyUnwrapped, byteCount: bytes.count)
        return Text.blockCell(block, count: bytes.count)
    }

    static func free(_ cell: Cell) {
        if !cell.isNull, Text.isBlock(cell) { Text.block(cell).deallocate() }
    }
}
