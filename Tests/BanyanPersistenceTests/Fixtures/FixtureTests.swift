import BanyanCore
import BanyanPersistence
import BanyanTesting
import Foundation
import Testing

/// Stores that earlier code wrote are read, opened and written to by today's.
@Suite struct FixtureTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Stores"

    /// Each store of each generation.
    struct Kept: Sendable, CustomTestStringConvertible {
        var generation: String
        var form: FixtureForm

        var testDescription: String { "\(generation)/\(form.name)" }
        var folder: String { FixtureTests.folder + "/" + generation }

        func text(_ sequence: UInt64) throws -> [String] {
            let text = try String(contentsOfFile: "\(folder)/commit-\(sequence).txt", encoding: .utf8)
            return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }

        /// Runs `body` with a copy of the store.
        func withCopy(_ body: (String) throws -> Void) throws {
            try TemporaryDirectory.with { directory in
                let name = form.isLoneSnapshot ? form.name + ".bsn" : form.name
                try FileManager.default.copyItem(atPath: folder + "/" + name, toPath: directory + "/" + name)
                try body(directory + "/" + name)
            }
        }
    }

    static let generations = Result { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    static let all: [Kept] = {
        guard case .success(let names) = generations else { return [] }
        return names.filter { Int($0) != nil }.flatMap { name in
            FixtureForm.all.map { Kept(generation: name, form: $0) }
        }
    }()

    @Test func `there are stores of the first generation`() {
        #expect(Self.all.contains { $0.generation == "1" })
    }

    @Test(arguments: all) func `a kept store is sound, and read as it was written`(_ kept: Kept) throws {
        try kept.withCopy { path in
            let (report, verified) = try GraphRecovery.verify(path, on: KernelDisk())
            #expect(report.isSound, "\(report.findings)")
            let last = try #require(kept.form.kept.last)
            try expect(try #require(verified), kept, last)
            guard !kept.form.isLoneSnapshot else {
                return try expect(GraphRecovery.read(SnapshotReader.open(path, on: KernelDisk())), kept, last)
            }
            let store = try StoreInspection.open(path, on: KernelDisk())
            for sequence in kept.form.kept {
                try expect(GraphRecovery.read(store, through: .sequence(sequence)).version, kept, sequence)
            }
        }
    }

    @Test(arguments: all.filter { !$0.form.isLoneSnapshot })
    func `a kept store opens, is written to, and opens again`(_ kept: Kept) throws {
        try kept.withCopy { path in
            let store = try FixtureStore(path)
            try expect(store.version, kept, try #require(kept.form.kept.last))
            #expect(store.report.endIsSealed == kept.form.isClosed)
            #expect(GraphDump.faults(store.version).isEmpty)
            try writeMore(store)
            let written = FixtureText.lines(store.version)
            try store.files.close()

            let again = try FixtureStore(path)
            #expect(FixtureText.lines(again.version) == written)
            try again.checkpoint()
            try again.commit { try $0.touch(3) }
            let last = FixtureText.lines(again.version)
            try again.files.close()
            let (report, verified) = try GraphRecovery.verify(path, on: KernelDisk())
            #expect(report.isSound, "\(report.findings)")
            #expect(FixtureText.lines(try #require(verified)) == last)
        }
    }

    @Test(arguments: all.filter { !$0.form.isLoneSnapshot })
    func `who made the commits of a kept store, and why, is read`(_ kept: Kept) throws {
        try kept.withCopy { path in
            let store = try StoreInspection.open(path, on: KernelDisk())
            let first = try #require(store.segments.first?.firstSequence)
            var sequences: [UInt64] = []
            try store.records(after: first - 1, through: .end) { located, schema in
                let number = located.record.sequence
                sequences.append(number)
                let layout = try StoreLayout(SchemaCodec.decode(schema))
                let metadata = try ChangeSetCodec.decode(located.record.payload, layout: layout).metadata
                #expect(metadata.author == (number % 2 == 0 ? "ada" : nil))
                #expect(metadata.reason == (number % 3 == 0 ? "step \(number)" : nil))
                #expect(metadata.requestID == (number % 5 == 0 ? "request-\(number)" : nil))
                return true
            }
            #expect(sequences == Array(first...40))
        }
    }

    @Test func `the fixtures hold a value of every kind in every shape`() throws {
        for kept in Self.all {
            let text = try kept.text(try #require(kept.form.kept.last)).joined(separator: "\n")
            for word in [
                "float 7f800000", "double 8000000000000000", "date ", "uuid ", "objectId ", "decimal -12.340",
                "data of ", "text of ", "list [", "dictionary [", "-> ", "x2", " hashed", " ordered", " unique",
                " rule 1", " rule 2", ": Dog", " embedded", "= nil", "= []",
            ] {
                #expect(text.contains(word), "\(kept.testDescription) has no '\(word)'")
            }
        }
    }

    /// Writes a new generation, once a format has changed: `BANYAN_DEV=fixtures=2 swift test --filter FixtureTests`.
    @Test(.enabled(if: DeveloperOptions.value(of: "fixtures") != nil))
    func `a new generation of stores is written`() throws {
        let name = try #require(DeveloperOptions.value(of: "fixtures"))
        let folder = Self.folder + "/" + name
        try #require(!FileManager.default.fileExists(atPath: folder), "what was written once stays")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for form in FixtureForm.all { try form.write(into: folder) }
    }

    @Test(arguments: FixtureForm.all) func `what today's code writes is kept as a fixture keeps it`(
        _ form: FixtureForm
    ) throws {
        try TemporaryDirectory.with { folder in
            try form.write(into: folder)
            let (report, version) = try GraphRecovery.verify(
                folder + "/" + form.name + (form.isLoneSnapshot ? ".bsn" : ""), on: KernelDisk())
            #expect(report.isSound, "\(report.findings)")
            let last = try #require(form.kept.last)
            let text = try String(contentsOfFile: "\(folder)/commit-\(last).txt", encoding: .utf8)
            #expect(FixtureText.lines(try #require(version)).joined(separator: "\n") + "\n" == text)
        }
    }

    // MARK: -

    private func writeMore(_ store: FixtureStore) throws {
        try store.commit { try $0.addSingles() }
        try store.commit { try $0.changeLists() }
        try store.commit { try $0.changeNested() }
        try store.commit { recipe in
            recipe.transaction.delete(try recipe.all("Single")[2])
            recipe.transaction.delete(try recipe.all("Many")[1])
            recipe.transaction.delete(try recipe.find("Puppy", .string("Puppy 4")))
        }
        #expect(throws: BanyanError.self) {
            try store.commit { recipe in
                recipe.transaction.delete(try recipe.find("KeyedInt", FixtureRecipe.key(.int, 1)))
            }
        }
        #expect(throws: BanyanError.self) {
            try store.commit { recipe in
                let ticket = try #require(try recipe.all("Ticket").first)
                try recipe.set(ticket, "place", .string("place 2"))
            }
        }
    }

    /// Compares line by line, so that a failure names the line.
    private func expect(_ version: Version, _ kept: Kept, _ sequence: UInt64) throws {
        let found = FixtureText.lines(version)
        let wanted = try kept.text(sequence)
        #expect(found.count == wanted.count)
        let difference = zip(found, wanted).enumerated().first { $1.0 != $1.1 }
        #expect(difference == nil, "line \((difference?.offset ?? 0) + 1) of commit \(sequence)")
    }
}
