import BanyanCore
import BanyanPersistence
import Foundation
import Testing

/// What the command line and the typed store open stores with.
@Suite("Recovery of a graph")
struct RecoveryTests {
    private func open(_ path: String) throws -> StoreFiles {
        var options = StoreFiles.Options()
        options.freeSpaceReserve = 0
        return try StoreFiles.open(
            at: path, on: KernelDisk(), options: options, mode: .readWrite(createIfMissing: false), schema: [])
    }

    private func recover(_ path: String) throws -> (version: Version, report: RecoveryReport) {
        let files = try open(path)
        defer { _ = Result { try files.close() } }
        let recovered = try GraphRecovery.recover(files, layout: GraphRecovery.plainLayout)
        return (recovered.version, recovered.report)
    }

    @Test("The graph comes back, whatever leads to it", arguments: [[], [9], [4, 20], [30]] as [Set<Int>])
    func comesBack(checkpoints: Set<Int>) throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            var expected: [String] = []
            try SampleStore.make(
                path, commits: 30, checkpoints: checkpoints,
                afterEach: { store in
                    expected = GraphText(store.version.view).lines
                })
            let (version, report) = try recover(path)
            #expect(GraphText(version.view).lines == expected)
            #expect(version.sequence == 30)
            #expect(version.time == SampleStore.start + 30 * SampleStore.second)
            #expect(report.records == UInt64(30 - (checkpoints.max() ?? 0)))
            #expect(version.view._invariantCheck() == [])
        }
    }

    @Test("Many commits in few transactions give what each alone gave")
    func batches() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            let store = try SampleStore(path)
            // More than two batches, all of them about the same few objects.
            for number in 1...9000 {
                try store.commit(flush: false) { transaction in
                    let key = Value.string("Rex \(number % 7)")
                    if let dog = transaction.view.find(SampleStore.Table.dog, key: key) {
                        transaction.delete(dog)
                    } else {
                        _ = try transaction.create(SampleStore.Table.dog, key: key)
                    }
                    if number % 10 == 0 { _ = transaction.create(SampleStore.Table.club) }
                }
            }
            let expected = GraphText(store.version.view).lines
            try store.close()
            let (version, report) = try recover(path)
            #expect(report.records == 9000)
            #expect(version.sequence == 9000)
            #expect(GraphText(version.view).lines == expected)
            #expect(version.view._invariantCheck() == [])
        }
    }

    @Test("A commit that does not fit is damage, with its place")
    func misfit() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            let store = try SampleStore(path)
            try store.step(1)
            try store.step(2)
            let second = try store.commit { transaction in
                guard let dog = transaction.view.find(SampleStore.Table.dog, key: .string("Rex 1")) else { return }
                transaction.delete(dog)
            }
            // The same deletion once more.
            let changes = try #require(store.lastPayload)
            store.files.append(changes, sequence: second.sequence + 1, time: second.time)
            try store.close()
            let error = try #require(throws: BanyanError.self) { try recover(path) }
            #expect(error.code == .damaged)
            #expect(error.location.sequence == 4)
            #expect(error.location.file?.hasSuffix(".bjl") == true)
            let offset = try #require(error.location.offset)
            #expect(offset > 0)
            // The command line says the same, and gives the state before it.
            let answer = try Tool.run("verify", path)
            #expect(answer.status == 4)
            #expect(answer.output.contains("offset     \(offset)"))
            #expect(try Tool.run("query", path, "Dog", "--count", "--at", "3").output == "1\n")
        }
    }

    @Test("A segment that names the types in another order is read by the order of the graph")
    func otherOrder() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore.make(path, commits: 5)
            let store = try SampleStore(path)
            var schema = SampleStore.schema
            schema.types.reverse()
            try store.files.setSchema(SchemaCodec.encode(schema))
            for number in 6...9 { try store.step(number) }
            let lines = GraphText(store.version.view).lines
            try store.close()
            let (version, _) = try GraphRecovery.read(try StoreInspection.open(path, on: KernelDisk()))
            #expect(version.sequence == 9 && GraphText(version.view).lines == lines)
            #expect(try Tool.run("verify", path).status == 0)
        }
    }

    @Test("A store nothing was written to has no schema and no objects")
    func empty() throws {
        try TemporaryDirectory.with { directory in
            let path = directory + "/app"
            try SampleStore(path).close()
            var asked: [Schema?] = []
            let files = try open(path)
            let version = try GraphRecovery.recover(
                files,
                layout: { stored in
                    asked.append(stored)
                    return try StoreLayout(SampleStore.schema)
                }
            ).version
            try files.close()
            #expect(asked == [nil])
            #expect(version.sequence == 0)
            #expect(version.lineage.layout.schema == SampleStore.schema)
        }
    }

    @Test("Reading another process's store while it writes always gives a whole commit")
    func whileWriting() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/banyan-cli-\(UUID())"
        defer { TemporaryDirectory.remove(path) }
        let store = try SampleStore(path) { $0.keepSnapshots = 1 }
        try store.step(1)
        let reading = Task {
            var last: UInt64 = 0
            while last < 120 {
                let store = try StoreInspection.open(path, on: KernelDisk())
                do {
                    let (version, _) = try GraphRecovery.read(store)
                    #expect(version.sequence >= last)
                    #expect(version.view._invariantCheck() == [])
                    last = version.sequence
                } catch let error as BanyanError {
                    // A checkpoint removed what was about to be read; that is said, and looking again helps.
                    let now = try StoreInspection.open(path, on: KernelDisk())
                    #expect(now.generation != store.generation, "\(error)")
                }
            }
        }
        for number in 2...120 {
            try store.step(number)
            if number % 25 == 0 { try store.checkpoint() }
        }
        try await reading.value
        try store.close()
    }
}
