import BanyanCore
import Dispatch
import Synchronization

// The order of a checkpoint is what makes it safe to fail at any point: the journal is sealed (so that the snapshot
// falls between segments sooner or later), the snapshot is written under a temporary name, flushed, read back, named;
// only then does the manifest list it, and only after that is anything old removed. Until the manifest changes, the
// older set is complete.

extension StoreFiles {
    /// Writes a snapshot of the state at `sequence`, which must have been appended, and prunes by `options`. Appends
    /// and flushes go on meanwhile. When it fails the temporary file is gone and the store goes on as before, unless
    /// the journal or manifest itself could not be written, which poisons.
    ///
    /// - Throws: `inUse` when another checkpoint is under way, `diskFull`, `io`, `poisoned`, or what `write` throws.
    @discardableResult
    package func checkpoint(
        sequence: UInt64, time: Int64, schema: [UInt8], write: (SnapshotWriter) throws -> Void
    ) throws -> SnapshotInfo {
        _ = try running()
        let (claim, hasFailed) = state.withLock { ($0.beginCheckpoint(), $0.failedCheckpoints > 0) }
        let engine: JournalEngine
        switch claim {
        case .begun(let running): engine = running
        case .underWay: throw BanyanError(.inUse, "A checkpoint is under way already", at: .init(file: path))
        case .closed: throw BanyanError(.closed, "The store is closed", remedy: "Open it again", at: .init(file: path))
        }
        defer { for closer in state.withLock({ $0.endCheckpoint() }) { closer.signal() } }
        do {
            let info = try makeSnapshot(sequence, time, schema, engine, seals: !hasFailed, write)
            state.withLock { $0.noteCheckpoint() }
            return info
        } catch {
            let bytes = engine.sinceSnapshot.bytes
            state.withLock { $0.noteFailedCheckpoint(at: bytes) }
            throw error
        }
    }

    /// - Parameter seals: closes the journal's segment at once. After one that failed this waits until the snapshot is made:
    ///   see `noteFailedCheckpoint`.
    private func makeSnapshot(
        _ sequence: UInt64, _ time: Int64, _ schema: [UInt8], _ engine: JournalEngine, seals: Bool,
        _ write: (SnapshotWriter) throws -> Void
    ) throws -> SnapshotInfo {
        let manifest = try engine.withTurn { writer throws(JournalEngine.TurnFailure) in
            guard sequence <= writer.written, sequence >= writer.manifest.snapshots.first?.sequence ?? 0 else {
                throw .refused(
                    BanyanError(
                        .invalidValue,
                        "Commit \(sequence) is not one a snapshot can be made of: the newest snapshot is "
                            + "of \(writer.manifest.snapshots.first?.sequence ?? 0), the journal ends at "
                            + "\(writer.written)",
                        at: .init(file: path, sequence: sequence)))
            }
            // What the snapshot holds must be in the journal, on disk, before it can be found beside it.
            if seals, writer.hasRecords {
                do throws(Manifest.WriteFailure) { try writer.rotate() } catch {
                    throw error.reported(
                        "A checkpoint closes the journal's segment, and the next one could not be made")
                }
            } else {
                do throws(DiskFault) { try writer.sync() } catch { throw .poisoned(error) }
            }
            return writer.manifest
        }
        let isTaken = manifest.snapshots.contains { $0.sequence == sequence }
        let entry = Manifest.Snapshot(
            sequence: sequence, mark: isTaken ? manifest.generation + 1 : 0, time: time, length: 0, rootHash: 0)
        let header = SnapshotHeader(
            storeID: storeID, epoch: manifest.epoch, sequence: sequence, time: time, schema: schema,
            version: SnapshotFormat.version)
        var info = try SnapshotFile(
            directory: directory, name: entry.name, path: directory.pathOf(entry.name), replaces: true,
            maxFrameSize: options.maxSnapshotFrameSize
        ).write(header, write)
        let obsolete = try list(info, as: entry, with: engine, seals: !seals)
        info.unremoved = remove(obsolete)
        state.withLock { $0.snapshotLength = info.length }
        return info
    }

    /// Makes the manifest list the snapshot and forget what retention does not need; returns the names of that.
    private func list(
        _ info: SnapshotInfo, as entry: Manifest.Snapshot, with engine: JournalEngine, seals: Bool
    ) throws(BanyanError) -> [String] {
        var entry = entry
        entry.length = info.length
        entry.rootHash = info.rootHash
        return try engine.withTurn { writer throws(JournalEngine.TurnFailure) in
            var obsolete: [String] = []
            func change(_ manifest: inout Manifest) {
                manifest.snapshots.insert(entry, at: 0)
                obsolete = manifest.prune(keepingSnapshots: options.keepSnapshots)
            }
            do throws(Manifest.WriteFailure) {
                if seals, writer.hasRecords { try writer.rotate(change) } else { try writer.update(change) }
            } catch {
                if case .before = error { directory.discard(entry.name) }
                throw error.reported("The manifest could not be told of a snapshot")
            }
            return obsolete
        }
    }

    /// Removes files that count no more; returns those that could not be removed. They are strays, and go when the
    /// store is next opened.
    private func remove(_ names: [String]) -> [String] {
        names.filter { name in
            do throws(DiskFault) {
                try directory.removeIfPresent(name)
                return false
            } catch {
                return true
            }
        }
    }
}

extension StoreFiles.State {
    enum CheckpointClaim {
        case begun(JournalEngine)
        case underWay
        case closed
    }

    /// Claims the one checkpoint there can be. Whoever closes waits for it, and none begins when that has begun: it would
    /// write files without the lock.
    mutating func beginCheckpoint() -> CheckpointClaim {
        guard case .running(let engine) = phase else { return .closed }
        if isCheckpointing { return .underWay }
        isCheckpointing = true
        return .begun(engine)
    }

    mutating func noteCheckpoint() {
        failedCheckpoints = 0
        checkpointFloor = 0
    }

    // What keeps a snapshot from being written, a full disk most of the time, is seldom gone by the next commit. So the next
    // attempt waits until the journal has grown by an eighth, then by a quarter, by half, and from then on until it has
    // doubled. And only the first attempt closes the journal's segment: the others would leave one each.
    mutating func noteFailedCheckpoint(at bytes: UInt64) {
        let share = (bytes / 8) << UInt64(min(failedCheckpoints, 3))
        failedCheckpoints += 1
        checkpointFloor = bytes + max(share, 1)
    }

    /// Gives it back; returns those who waited for that.
    mutating func endCheckpoint() -> [DispatchSemaphore] {
        isCheckpointing = false
        defer { closers = [] }
        return closers
    }
}

extension Manifest {
    /// Forgets snapshots beyond the newest `count`, and segments wholly before the oldest that stays. While there are
    /// fewer snapshots than that, the empty graph before the first commit counts as one, and nothing goes.
    mutating func prune(keepingSnapshots count: Int) -> [String] {
        let count = max(count, 1)
        guard snapshots.count >= count else { return [] }
        let dropped = snapshots[count...]
        snapshots.removeSubrange(count...)
        let oldest = snapshots[count - 1].sequence
        let kept = segments.drop { $0.sealed && $0.last <= oldest }
        let gone = segments.prefix(segments.count - kept.count)
        segments = Array(kept)
        return dropped.map(\.name) + gone.map(\.name)
    }
}
