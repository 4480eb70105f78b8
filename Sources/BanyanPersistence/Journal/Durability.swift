/// When a commit counts as done, and so what a failure may take away from commits that were reported as done.
///
/// | | process killed | power cut or kernel crash |
/// |---|---|---|
/// | `everyCommit` | nothing | nothing |
/// | `interval(d)` | nothing | commits of the last `d`, plus the time of one flush |
/// | `onClose` | commits still in the process's buffer (at most 1 MiB of records, or the last one) | any commit since the last checkpoint, `sync()` or close |
///
/// Under every policy what survives is a prefix: a commit is never there without all commits before it, and never in
/// part.
package enum Durability: Sendable, Hashable {
    /// A commit is done when its record is on the device (`fdatasync` returned). Committers that arrive while a flush
    /// runs share the next one, which waits for those who were just served where they are known to be back at once.
    case everyCommit
    /// A commit is done when its record was handed to the kernel; a background flush follows at this interval.
    case interval(Duration)
    /// A commit is done at once; records are handed to the kernel in larger pieces and flushed at a checkpoint, a
    /// `sync()` or when the store is closed.
    case onClose
}
