#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Memory straight from the system, in pieces that are aligned to their own size.
///
/// An allocator keeps a header before each piece, which for an aligned one costs a page of memory that nothing else is in.
enum MappedMemory {
    /// - Parameter size: A power of two, a page of the system or more. The memory is zero.
    static func map(_ size: Int) -> UnsafeMutableRawPointer {
        // Most often the piece is right below the last one, and aligned as that is.
        if let piece = reserve(size) {
            if UInt(bitPattern: piece) & UInt(size - 1) == 0 { return piece }
            unmap(piece, size)
        }
        guard let room = reserve(2 * size) else { fatalError("out of memory: the system refused \(size) bytes") }
        let before = Int(-Int(bitPattern: room) & (size - 1))
        if before > 0 { unmap(room, before) }
        if before < size { unmap(room + before + size, size - before) }
        return room + before
    }

    static func unmap(_ address: UnsafeMutableRawPointer, _ size: Int) {
        let result = munmap(address, size)
        precondition(result == 0, "memory that was not mapped was given back")
    }

    private static func reserve(_ size: Int) -> UnsafeMutableRawPointer? {
        #if os(Linux)
            let flags = MAP_PRIVATE | MAP_ANONYMOUS
        #else
            let flags = MAP_PRIVATE | MAP_ANON
        #endif
        let address = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0)
        return address == MAP_FAILED ? nil : address
    }
}
