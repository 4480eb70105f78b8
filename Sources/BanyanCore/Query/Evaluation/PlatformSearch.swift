#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `memchr`: how far the first such byte is.
func firstByte(_ byte: UInt8, _ start: UnsafeRawPointer, _ count: Int) -> Int? {
    memchr(start, Int32(byte), count).map { UnsafeRawPointer($0) - start }
}
