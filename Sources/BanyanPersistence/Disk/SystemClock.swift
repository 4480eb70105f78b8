#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The clock of the system.
package enum SystemClock {
    /// Nanoseconds since the start of 1970. A clock that is set beyond the years 1677 to 2262 stands at that end.
    package static func nanoseconds() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        // A clock set that far is a mistake, and no reason to end the process.
        let (whole, overflow) = Int64(now.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (time, overflow2) = whole.addingReportingOverflow(Int64(now.tv_nsec))
        return overflow || overflow2 ? (now.tv_sec < 0 ? .min : .max) : time
    }
}
