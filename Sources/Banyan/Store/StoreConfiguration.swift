import BanyanCore
package import BanyanPersistence

extension Store {
    /// When a commit counts as safe.
    public enum Durability: Sendable, Hashable {
        /// `write` returns when its commit is on the device. Nothing acknowledged is lost, whatever happens.
        case everyCommit
        /// The journal is flushed this often. A crash of the process loses nothing acknowledged; a power cut loses what came
        /// within this interval and one flush.
        case interval(Duration)
        /// The journal is flushed when the store is closed. A crash of the process loses what was not yet handed to the
        /// system; a power cut loses all that the system had not written by itself.
        case onClose
    }

    /// Where a store lives and what it holds.
    public struct Configuration: Sendable {
        /// The root types; types that are reached through links come along.
        public var models: [ObjectBase.Type]
        /// The directory of a durable store; nil keeps it in memory.
        public var directory: String?
        /// A snapshot file to start from. Without a directory, changes stay in memory.
        ///
        /// With a directory, a store that is made there begins with the contents of this file: all of them, or it is not made.
        /// It has an identity of its own, and its first commit follows the snapshot's. A store that is there already is opened
        /// as it is, and this file is not read.
        public var base: String?
        /// Whether a store is made in `directory` when there is none. If not, opening throws `notAStore`, so that a mistyped
        /// path, or a disk that is not mounted, is not taken for a new and empty store.
        public var createIfMissing = true
        /// The version of the models, which is stored with them. A store opens with this version or a lower one, as long as the
        /// types are those it was written with; one that was written under a higher version is an error. Stored objects are
        /// not converted to other types yet, whatever the version.
        public var schemaVersion: UInt64 = 0
        public var durability = Durability.everyCommit
        public var readOnly = false
        /// Snapshots kept in the directory, with the journal since the oldest: how far back a restore can go.
        public var keepSnapshots = 2
        /// Wall-clock time of commits, in nanoseconds since 1970.
        public var clock: @Sendable () -> Int64 = Store.systemClock
        /// Called while a store is opened, with a share from 0 to 1, on a thread of the store's.
        public var progress: (@Sendable (OpenProgress) -> Void)?
        /// Called on a thread of the store's when a checkpoint that it made by itself has failed. See `CheckpointFailure`.
        public var checkpointFailed: (@Sendable (CheckpointFailure) -> Void)?
        /// The disk; tests replace it by a simulated one.
        package var disk: any Disk = KernelDisk()
        /// How the files are kept, as far as it is not said above; tests make everything smaller.
        package var files = StoreFiles.Options()

        /// A store in memory, or in `directory`.
        public init(directory: String? = nil, models: [ObjectBase.Type]) {
            self.directory = directory
            self.models = models
        }

        /// A store that starts with the contents of a snapshot file and keeps its changes in memory.
        public init(base: String, models: [ObjectBase.Type]) {
            self.base = base
            self.models = models
        }
    }

    /// How far opening a store has come.
    public struct OpenProgress: Sendable, Hashable {
        public enum Phase: Sendable, Hashable { case snapshot, journal }
        public var phase: Phase
        /// Bytes read so far, and in all.
        public var done: UInt64
        public var total: UInt64
    }

    public static let systemClock: @Sendable () -> Int64 = {
        SystemClock.nanoseconds()
    }
}
