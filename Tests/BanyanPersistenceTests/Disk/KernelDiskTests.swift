import BanyanCore
import BanyanPersistence
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The real file system: locks, modes, links, strangers' files.
@Suite struct KernelDiskTests {
    private func open(
        _ path: String, _ mode: StoreFiles.Mode = .readWrite(createIfMissing: true)
    ) throws -> StoreFiles {
        try StoreFiles.open(at: path, on: KernelDisk(), options: .init(), mode: mode, schema: Ledger.schema)
    }

    private func mode(of path: String) -> mode_t {
        var facts = stat()
        return lstat(path, &facts) == 0 ? facts.st_mode & 0o7777 : 0
    }

    @Test func aSecondOpenerIsToldWhoHasTheStore() throws {
        try TemporaryDirectory.with { path in
            let first = try open(path + "/store")
            let error = #expect(throws: BanyanError.self) { try open(path + "/store") }
            #expect(error?.code == .inUse)
            #expect(error?.message.contains("pid \(getpid())") == true)
            #expect(throws: BanyanError.self) { try open(path + "/store", .readOnly) }
            let visitor = try Recovered(
                at: path + "/store", on: KernelDisk(), mode: .readOnlyWhileInUse)
            #expect(visitor.report.lastSequence == 0)
            try first.close()
            try open(path + "/store", .readOnly).close()
            try open(path + "/store").close()
        }
    }

    @Test func readersShareAndKeepAWriterOut() throws {
        try TemporaryDirectory.with { path in
            try open(path + "/store").close()
            let one = try open(path + "/store", .readOnly)
            let two = try open(path + "/store", .readOnly)
            #expect(throws: BanyanError.self) { try open(path + "/store") }
            try one.close()
            try two.close()
            try open(path + "/store").close()
        }
    }

    @Test func aReleasedStoreGivesUpItsLock() throws {
        try TemporaryDirectory.with { path in
            do { _ = try Recovered(at: path + "/store", on: KernelDisk()) }
            try open(path + "/store").close()
        }
    }

    @Test(arguments: [mode_t(0), 0o077, 0o777])
    func filesArePrivateWhateverTheUmask(mask: mode_t) throws {
        try TemporaryDirectory.with { path in
            let before = umask(mask)
            defer { umask(before) }
            let files = try Recovered(at: path + "/store", on: KernelDisk()).files
            let ledger = Ledger()
            try ledger.commit(3, to: files)
            try ledger.checkpoint(files)
            try ledger.commit(to: files)
            #expect(mode(of: path + "/store") == 0o700)
            let directory = try KernelDisk().openDirectory(path + "/store", createIfMissing: false)
            let names = try directory.list().map(\.name)
            #expect(Set(names).isSuperset(of: ["LOCK", "MANIFEST", "00000000000000000003.bsn"]))
            for name in names { #expect(mode(of: path + "/store/" + name) == 0o600, "\(name)") }
            try files.close()
        }
    }

    @Test(arguments: ["MANIFEST", "LOCK", "00000000000000000001.bjl"])
    func aSymbolicLinkInPlaceOfAFileIsRefused(name: String) throws {
        try TemporaryDirectory.with { path in
            let files = try Recovered(at: path + "/store", on: KernelDisk()).files
            try Ledger().commit(2, to: files)
            try files.close()
            #expect(rename(path + "/store/" + name, path + "/elsewhere") == 0)
            #expect(symlink(path + "/elsewhere", path + "/store/" + name) == 0)
            let error = #expect(throws: BanyanError.self) {
                try Recovered(at: path + "/store", on: KernelDisk())
            }
            // Of a segment the manifest says that it was there.
            #expect(error?.code == (name.hasSuffix(".bjl") ? .damaged : .notAStore))
        }
    }

    @Test func aDirectoryOrPipeInPlaceOfAFileIsRefused() throws {
        try TemporaryDirectory.with { path in
            try open(path + "/store").close()
            #expect(unlink(path + "/store/MANIFEST") == 0)
            #expect(mkfifo(path + "/store/MANIFEST", 0o600) == 0)
            #expect(throws: BanyanError.self) { try open(path + "/store") }
            #expect(unlink(path + "/store/MANIFEST") == 0)
            #expect(mkdir(path + "/store/MANIFEST", 0o700) == 0)
            #expect(throws: BanyanError.self) { try open(path + "/store") }
        }
    }

    @Test func aForeignDirectoryIsLeftAsItIs() throws {
        try TemporaryDirectory.with { path in
            let directory = try KernelDisk().openDirectory(path, createIfMissing: false)
            try directory.open("notes.txt", .create).close()
            let error = #expect(throws: BanyanError.self) { try open(path) }
            #expect(error?.code == .notAStore)
            #expect(try directory.list().map(\.name) == ["notes.txt"])
            let missing = #expect(throws: BanyanError.self) { try open(path + "/none/at/all") }
            #expect(missing?.code == .notAStore)
            let absent = #expect(throws: BanyanError.self) {
                try open(path + "/absent", .readWrite(createIfMissing: false))
            }
            #expect(absent?.code == .notAStore)
            let file = #expect(throws: BanyanError.self) { try open(path + "/notes.txt") }
            #expect(file?.code == .notAStore)
        }
    }

    @Test func aStoreBehindALinkedDirectoryOpens() throws {
        try TemporaryDirectory.with { path in
            try open(path + "/store").close()
            #expect(symlink(path + "/store", path + "/link") == 0)
            try open(path + "/link").close()
        }
    }

    @Test func theDiskSaysHowMuchIsFreeAndThatItIsLocal() throws {
        try TemporaryDirectory.with { path in
            let directory = try KernelDisk().openDirectory(path, createIfMissing: false)
            #expect(try directory.freeBytes() > 0)
            #expect(try directory.networkFileSystem() == nil)
        }
    }
}
