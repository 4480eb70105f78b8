import BanyanCore
import BanyanPersistence
import BanyanTesting
import Dispatch
import Foundation
import Synchronization
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The lock of a store goes when nothing more can be written, and then it does go.
@Suite struct LockLifetimeTests {
    private static let options: StoreFiles.Options = {
        var options = StoreFiles.Options()
        options.durability = .onClose
        options.freeSpaceReserve = 0
        return options
    }()

    private func isLocked(_ disk: any Disk) throws -> Bool { try StoreInspection.open("/store", on: disk).owner != nil }

    /// Hands over more than waits in memory, and is gone while the flusher is about to write it.
    private func dropWhileWriting(_ disk: ObstructedDisk, _ goOn: DispatchSemaphore) throws {
        let reached = DispatchSemaphore(value: 0)
        let writes = Atomic<Int>(0)
        disk.obstruct { call in
            guard call.kind == .write, call.name.contains(".bjl") else { return nil }
            // The first write is the segment's header.
            guard writes.add(1, ordering: .relaxed).newValue == 2 else { return nil }
            reached.signal()
            goOn.wait()
            return nil
        }
        let files = try Recovered(on: disk, options: Self.options).files
        try files.checkWritable()
        for sequence in UInt64(1)...6_000 {
            files.append(Ledger.payload(sequence), sequence: sequence, time: Int64(sequence) * 1_000)
        }
        reached.wait()
    }

    @Test func aStoreThatIsDroppedKeepsItsLockUntilItsLastByteIsWritten() throws {
        let memory = SimulatedDisk()
        let disk = ObstructedDisk(memory)
        let goOn = DispatchSemaphore(value: 0)
        try dropWhileWriting(disk, goOn)
        #expect(try isLocked(disk), "the flusher still writes")
        #expect(throws: BanyanError.self) {
            try StoreFiles.open(
                at: "/store", on: disk, options: Self.options, mode: .readOnly, schema: Ledger.schema)
        }
        disk.obstruct(nil)
        goOn.signal()
        // Whoever opens it in this process waits for the last write, and finds what that has written.
        var options = StoreFiles.Options()
        options.freeSpaceReserve = 0
        let ledger = Ledger()
        do {
            let next = try Recovered(on: disk, options: options)
            #expect(next.report.lastSequence > 0 && !next.report.endIsSealed)
            ledger.restart(at: next.report.lastSequence)
            for _ in 0..<10 { try ledger.commit(to: next.files) }
            try next.files.close()
        }
        #expect(try StoreVerification.verify("/store", on: memory).findings == [])
        #expect(try Recovered(on: memory, options: options).report.lastSequence == ledger.acknowledged)
    }

    @Test func aPoisonedStoreThatIsDroppedGivesUpItsLock() throws {
        let memory = SimulatedDisk()
        let disk = ObstructedDisk(memory)
        do {
            let files = try Recovered(on: disk).files
            let ledger = Ledger()
            try ledger.commit(2, to: files)
            disk.obstruct { $0.kind == .sync ? EIO : nil }
            #expect(throws: BanyanError.self) { try ledger.commit(to: files) }
            #expect(files.poisoned != nil)
            #expect(try isLocked(disk))
            disk.obstruct(nil)
        }
        #expect(try !isLocked(disk))
        #expect(try Recovered(on: disk).report.lastSequence >= 2)
    }

    @Test func aSecondCloseDoesNotTakeTheLockFromTheFirst() throws {
        let memory = SimulatedDisk()
        let disk = ObstructedDisk(memory)
        let files = try Recovered(on: disk, options: Self.options).files
        try files.checkWritable()
        files.append(Ledger.payload(1), sequence: 1, time: 1_000)
        let reached = DispatchSemaphore(value: 0)
        let goOn = DispatchSemaphore(value: 0)
        disk.obstruct { call in
            guard call.kind == .create, call.name == "MANIFEST.tmp" else { return nil }
            reached.signal()
            goOn.wait()
            return nil
        }
        let closed = DispatchSemaphore(value: 0)
        let result = Mutex<Result<Void, any Error>?>(nil)
        DispatchQueue(label: "closing").async {
            let outcome = Result { try files.close() }
            result.withLock { $0 = outcome }
            closed.signal()
        }
        reached.wait()
        try files.close()
        #expect(try isLocked(disk))
        goOn.signal()
        closed.wait()
        try result.withLock { try $0?.get() }
        #expect(try !isLocked(disk))
        #expect(throws: BanyanError.self) {
            try files.checkpoint(sequence: 1, time: 1_000, schema: Ledger.schema) { _ in }
        }
        #expect(memory.names(in: "/store").allSatisfy { !$0.contains(".bsn") })
        #expect(try Recovered(on: memory, options: Self.options).report.lastSequence == 1)
    }

    #if os(Linux)
        /// A process that was forked has the descriptors of its parent, and the lock with them.
        @Test func aChildThatHasTheLocksDescriptorDoesNotKeepTheLock() throws {
            try TemporaryDirectory.with { path in
                let files = try Recovered(at: path + "/store", on: KernelDisk()).files
                try Ledger().commit(3, to: files)
                let descriptor = try #require(
                    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init).first {
                        let link = Result { [descriptor = $0] in
                            try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
                        }
                        guard case .success(let target) = link else { return false }
                        return target == path + "/store/LOCK"
                    })
                // Exec closes it: what is left of a fork is a copy that this asks for.
                #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
                var actions = posix_spawn_file_actions_t()
                #expect(posix_spawn_file_actions_init(&actions) == 0)
                defer { posix_spawn_file_actions_destroy(&actions) }
                #expect(posix_spawn_file_actions_adddup2(&actions, descriptor, 250) == 0)
                var child = pid_t()
                let arguments = [strdup("sleep"), strdup("1000"), nil]
                defer { for argument in arguments { free(argument) } }
                #expect(posix_spawn(&child, "/bin/sleep", &actions, nil, arguments, nil) == 0)
                defer {
                    kill(child, SIGKILL)
                    waitpid(child, nil, 0)
                }
                #expect(try StoreInspection.open(path + "/store", on: KernelDisk()).owner != nil)
                try files.close()
                #expect(try StoreInspection.open(path + "/store", on: KernelDisk()).owner == nil)
                let again = try Recovered(at: path + "/store", on: KernelDisk())
                #expect(again.report.lastSequence == 3)
                try again.files.close()
            }
        }
    #endif
}
