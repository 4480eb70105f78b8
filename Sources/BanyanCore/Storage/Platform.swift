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
