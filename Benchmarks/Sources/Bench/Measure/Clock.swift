import CBench
import Foundation

/// What a run is timed with. Rows of one thread count the time the processor worked for this process, which other programs
/// on the machine disturb least; rows that wait for a disk or use two threads count the time on the wall.
enum Clock {
    case processor, wall

    /// Seconds since some point in the past.
    var now: Double {
        var time = timespec()
        clock_gettime(self == .processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = now
        try body()
        return now - start
    }

    func seconds(_ body: () async throws -> Void) async rethrows -> Double {
        let start = now
        try await body()
        return now - start
    }
}

func median(_ values: [Double]) -> Double {
    precondition(!values.isEmpty)
    return values.sorted()[values.count / 2]
}

/// Keeps a result, so that the compiler cannot leave out what led to it.
@inline(never)
func keep<T>(_ value: T) { withUnsafePointer(to: value) { bench_use($0) } }
