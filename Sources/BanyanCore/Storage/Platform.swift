#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `memcmp`, without showing the C library to clients.
@usableFromInline
package func bytesCompare(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Int32 {
    memcmp(a, b, count)
}

/// Memory for `size` bytes, which `systemFree` gives back; aligned for whatever a page or a text holds. What Swift's own
/// `allocate` does costs twice as much: it asks for an alignment that this has anyway.
package func systemAllocate(_ size: Int) -> UnsafeMutableRawPointer {
    guard let address = malloc(size) else { fatalError("out of memory: the system refused \(size) bytes") }
    return address
}

package func systemFree(_ address: UnsafeMutableRawPointer) { free(address) }

extension UnsafeBufferPointer {
    /// A copy of an array in memory of its own, to be read where nothing may be retained. Whoever makes it deallocates it.
    package static func copy(of elements: [Element]) -> UnsafeBufferPointer {
        let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
        _ = buffer.initialize(from: elements)
        return UnsafeBufferPointer(buffer)
    }
}
